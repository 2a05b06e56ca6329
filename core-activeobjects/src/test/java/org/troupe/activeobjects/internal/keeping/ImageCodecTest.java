package org.troupe.activeobjects.internal.keeping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.classes.CompiledProgram;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.serialization.SerializationException;

/** Images of objects, and what becomes of them when their class changes. */
@Timeout(60)
class ImageCodecTest {

  private static final String SAME =
      """
      package kept;
      public class Wallet implements java.util.function.IntSupplier {
        private int coins = 5;
        private double[] large = new double[10_000];
        public int getAsInt() { return coins + large.length; }
      }
      """;

  private static final String CHANGED =
      """
      package kept;
      public class Wallet implements java.util.function.IntSupplier {
        private long coins = 1;
        private double[] large;
        public int getAsInt() { return (int) coins; }
      }
      """;

  private static final String EVOLVING =
      """
      package kept;
      @org.troupe.serialization.Evolving
      public class Wallet implements java.util.function.IntSupplier {
        private int coins = 1;
        private String owner = "none";
        public int getAsInt() { return owner == null ? coins : -1; }
      }
      """;

  @TempDir private Path temporary;

  private final NodeRuntime node = NodeRuntime.main();
  private final ImageCodec codec =
      new ImageCodec(node.objects(), node.peers(), null, () -> null, () -> null, () -> "r1");

  private Class<?> compiled(String name, String source) throws Exception {
    var folder = Files.createDirectories(temporary.resolve(name).resolve("classes"));
    CompiledProgram.from(folder, Map.of("Wallet.java", source));
    return Class.forName("kept.Wallet", true, CompiledProgram.loader(folder));
  }

  private byte[] image(Class<?> type) throws Exception {
    node.classes().trust(type);
    Body body = BodyFactory.create(node.objects(), ActiveType.of(type), Options.STANDARD);
    var encoded =
        codec.encode(
            body,
            type.getDeclaredConstructor().newInstance(),
            new Origin.Stored(Options.STANDARD, "o", ""));
    var bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  @Test
  void aClassThatHasStayedTheSameReadsItsImage() throws Exception {
    var image = image(compiled("first", SAME));
    var later = compiled("second", SAME);
    node.classes().trust(later);

    var object = codec.decode(image, later).object();

    assertThat(object).isInstanceOf(later);
    assertThat(((IntSupplier) object).getAsInt()).isEqualTo(10_005);
  }

  @Test
  void aClassWithOtherFieldsIsRefusedWithTheDifference() throws Exception {
    var image = image(compiled("first", SAME));
    var changed = compiled("second", CHANGED);
    node.classes().trust(changed);

    assertThatThrownBy(() -> codec.decode(image, changed))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("kept.Wallet")
        .hasMessageContaining("coins");
  }

  @Test
  void anEvolvingClassReadsTheFieldsThatBothHave() throws Exception {
    var image = image(compiled("first", SAME));
    var evolving = compiled("second", EVOLVING);
    node.classes().trust(evolving);

    assertThat(((IntSupplier) codec.decode(image, evolving).object()).getAsInt()).isEqualTo(5);
  }

  @Test
  void aClassOutsideTheAllowListIsRefused() throws Exception {
    var image = image(compiled("first", SAME));
    var archive =
        new CompiledProgram(temporary.resolve("first").resolve("classes"))
            .jar(temporary.resolve("library.jar"), "nothing.txt", "");
    var foreign = Class.forName("kept.Wallet", true, CompiledProgram.loader(archive));

    assertThatThrownBy(() -> codec.decode(image, foreign))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("allow");
  }

  @Test
  void anImageOfAnotherClassIsRefused() throws Exception {
    var image = image(compiled("first", SAME));

    assertThatThrownBy(() -> codec.decode(image, String.class))
        .isInstanceOf(SerializationException.class)
        .hasMessage("the image is one of a kept.Wallet, and not of a java.lang.String");
  }

  @Test
  void anImageThatIsCutIsRefused() throws Exception {
    var type = compiled("first", SAME);
    var image = image(type);

    for (int length = 0; length < image.length; length += Math.max(1, length / 50)) {
      var cut = Arrays.copyOf(image, length);
      assertThatThrownBy(() -> codec.decode(cut, type)).isInstanceOf(SerializationException.class);
    }
  }
}
