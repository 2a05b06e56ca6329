package org.troupe.serialization.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first calls of a method are interpreted; then code is generated, which must agree. */
class CallCodecTest {

  /** More calls than the interpreter serves. */
  private static final int CALLS = 40;

  record Pair(int left, String right) {}

  private static final Class<?>[] TYPES = {
    boolean.class,
    byte.class,
    short.class,
    char.class,
    int.class,
    long.class,
    float.class,
    double.class,
    String.class,
    Object.class,
    Pair.class,
    int[].class,
    List.class
  };

  private final Serializer serializer = Serializer.builder().build();

  private static Object[] arguments() {
    return new Object[] {
      true,
      (byte) 1,
      (short) 2,
      'c',
      4,
      5L,
      6f,
      7d,
      "eight",
      new Pair(9, "nine"),
      new Pair(10, "ten"),
      new int[] {11},
      new ArrayList<>(List.of("twelve", 13))
    };
  }

  @Test
  void generatedCodeEncodesAndDecodesAsTheInterpreter() {
    var codec = serializer.callCodec(TYPES);
    var interpreted = codec.encode(arguments());
    for (var i = 0; i < CALLS; i++) {
      codec.encode(arguments());
    }

    var generated = codec.encode(arguments());

    assertThat(generated.bytes()).isEqualTo(interpreted.bytes());
    assertThat(codec.decode(interpreted, serializer.ownTypes(), token -> token))
        .usingRecursiveComparison()
        .isEqualTo(arguments());
    assertThat(serializer.callCodec(TYPES).decode(generated, serializer.ownTypes(), token -> token))
        .usingRecursiveComparison()
        .isEqualTo(arguments());
  }

  @Test
  void bothWriteNull() {
    var codec = serializer.callCodec(String.class, Object.class, Pair.class);
    var nothing = new Object[3];

    for (var i = 0; i < CALLS; i++) {
      var encoded = codec.encode(nothing);
      assertThat(codec.decode(encoded, serializer.ownTypes(), token -> token))
          .containsExactly(null, null, null);
    }
  }
}
