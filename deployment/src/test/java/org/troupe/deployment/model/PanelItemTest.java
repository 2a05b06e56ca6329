package org.troupe.deployment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.model.PanelItem.Axis;
import org.troupe.deployment.model.PanelItem.Button;
import org.troupe.deployment.model.PanelItem.Curve;
import org.troupe.deployment.model.PanelItem.Picture;

class PanelItemTest {

  private static final Axis AXIS = new Axis("t", "s");

  private static short[] pixels(Picture picture) {
    var bytes = Base64.getDecoder().decode(picture.pixels());
    var pixels = new short[bytes.length / Short.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().get(pixels);
    return pixels;
  }

  @Test
  void aPictureScalesItsNumbersByTheLargest() {
    var values = new float[] {-4, 2, 0, Float.NaN, Float.POSITIVE_INFINITY, 4};

    var picture = Picture.of("plate", "", "K", 3, 2, values);

    assertThat(picture.largest()).isEqualTo(4);
    assertThat(pixels(picture)).containsExactly(-32_767, 16_384, 0, -32_768, -32_768, 32_767);
    assertThat(pixels(Picture.of("cold", "", "K", 1, 1, new float[] {0}))).containsExactly(0);
  }

  @Test
  void aPictureOfPartsNamesThem() {
    var picture = Picture.ofParts("parts", "", 3, 1, new int[] {1, -1, 0}, List.of("a", "b"));

    assertThat(pixels(picture)).containsExactly(1, -32_768, 0);
    assertThatThrownBy(() -> Picture.ofParts("parts", "", 1, 1, new int[] {2}, List.of("a")))
        .hasMessage("the picture 'parts' has a part 2, and only 1 labels");
  }

  @Test
  void aPictureHasANumberForEachPixel() {
    assertThatThrownBy(() -> Picture.of("plate", "", "K", 2, 2, new float[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'plate' of 2 x 2 has 3 values");
    assertThatThrownBy(() -> Picture.of("plate", "", "K", 1 << 16, 1 << 16, new float[0]))
        .hasMessageContaining("of 65,536 at most");
    assertThatThrownBy(() -> Picture.of("plate", "", "K", -1, -1, new float[1]))
        .hasMessageContaining("'plate' of -1 x -1 has 1 values");
    assertThatThrownBy(() -> Picture.of("plate", "", "K", 0, 5, new float[0]))
        .hasMessageContaining("'plate' of 0 x 5 has 0 values");
  }

  @Test
  void aPictureThatIsGivenEncodedIsCheckedToo() {
    var pixels = Base64.getEncoder().encodeToString(new byte[] {0, 0, 1, 0});

    assertThat(new Picture("p", "", "", 2, 1, 0, pixels, List.of("a", "b")).pixels())
        .isEqualTo(pixels);
    assertThatThrownBy(() -> new Picture("p", "", "", 2, 1, 0, pixels, List.of("a")))
        .hasMessage("the picture 'p' has a part 1, and only 1 labels");
    assertThatThrownBy(() -> new Picture("p", "", "", 3, 1, 0, pixels, List.of()))
        .hasMessageContaining("'p' of 3 x 1 has 2 values");
    assertThatThrownBy(() -> new Picture("p", "", "", 2, 1, Double.NaN, pixels, List.of()))
        .hasMessage(
            "the largest amount of the picture 'p' is NaN; give a finite one of at least 0");
    assertThatThrownBy(
            () -> Picture.ofParts("p", "", 1, 1, new int[1], Collections.nCopies(32_768, "a")))
        .hasMessage("the picture 'p' has 32,768 labels; give at most 32,767");
  }

  @Test
  void theNameOfAButtonIsALine() {
    assertThat(new Button("x".repeat(200), () -> {}).name()).hasSize(200);
    for (var name : List.of("", "a\tb", "a\nb", "a\u0085b", "x".repeat(201))) {
      assertThatThrownBy(() -> new Button(name, () -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no name of a button");
    }
  }

  @Test
  void aCurveHasAsManyXAsYInAscendingOrder() {
    assertThat(new Curve("c", AXIS, AXIS, List.of(), List.of()).xs()).isEmpty();
    assertThatThrownBy(() -> new Curve("c", AXIS, AXIS, List.of(1.0, 2.0), List.of(1.0)))
        .hasMessageContaining("the curve 'c' has 2 x and 1 y");
    assertThatThrownBy(() -> new Curve("c", AXIS, AXIS, List.of(1.0, 1.0), List.of(1.0, 2.0)))
        .hasMessage("the curve 'c' goes from x = 1.0 to 1.0; give the points in ascending order");
  }
}
