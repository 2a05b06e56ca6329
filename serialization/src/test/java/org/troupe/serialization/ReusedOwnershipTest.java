package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.Serializer;

/** What is declared {@link Reused} is never read into an object that came some other way. */
class ReusedOwnershipTest {

  static class Config {
    static final Config DEFAULT = new Config();
    int level;

    Config() {}

    Config(int level) {
      this.level = level;
    }
  }

  static class DefaultConfig implements Serializable {
    private static final long serialVersionUID = 1;

    Object readResolve() {
      return Config.DEFAULT;
    }
  }

  static class Token {}

  static class Argument {
    Object held;

    Argument(Object held) {
      this.held = held;
    }
  }

  static void one(@Reused Argument argument) {}

  static void two(@Reused double[] reused, double[] kept) {}

  private final Serializer serializer =
      Serializer.builder().substitution(value -> value instanceof Token ? "token" : null).build();

  private CallCodec codec(String method, Class<?>... types) throws NoSuchMethodException {
    return serializer.callCodec(ReusedOwnershipTest.class.getDeclaredMethod(method, types));
  }

  private Object[] call(
      CallCodec codec, CallCodec.Previous previous, Object live, Object... values) {
    return codec.decode(codec.encode(values), serializer.ownTypes(), token -> live, previous);
  }

  @Test
  void whatAReadResolveGaveIsLeftAlone() throws Exception {
    CallCodec codec = codec("one", Argument.class);
    CallCodec.Previous previous = new CallCodec.Previous();

    Object[] first = call(codec, previous, null, new Argument(new DefaultConfig()));
    assertThat(((Argument) first[0]).held).isSameAs(Config.DEFAULT);
    call(codec, previous, null, new Argument(new Config(99)));

    assertThat(Config.DEFAULT.level).isZero();
  }

  @Test
  void whatATokenStandsForIsLeftAlone() throws Exception {
    CallCodec codec = codec("one", Argument.class);
    CallCodec.Previous previous = new CallCodec.Previous();
    Config live = new Config(1);

    call(codec, previous, live, new Argument(new Token()));
    call(codec, previous, live, new Argument(new Config(7)));

    assertThat(live.level).isEqualTo(1);
  }

  @Test
  void whatAnArgumentThatIsNotReusedHoldsTooIsLeftAlone() throws Exception {
    CallCodec codec = codec("two", double[].class, double[].class);
    CallCodec.Previous previous = new CallCodec.Previous();
    double[] both = {1};

    double[] kept = (double[]) call(codec, previous, null, both, both)[1];
    call(codec, previous, null, new double[] {2}, new double[] {3});

    assertThat(kept).containsExactly(1);
  }
}
