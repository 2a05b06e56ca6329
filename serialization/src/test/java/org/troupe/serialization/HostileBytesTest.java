package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.graph.Serializer;

/** Whatever the bytes are: an object or one defined exception, soon, and without much memory. */
class HostileBytesTest {

  private static final TypeFilter ALL =
      TypeFilter.platform().or(TypeFilter.patterns("org.troupe.**"));

  private final Serializer serializer = Serializer.builder().allow(ALL).build();

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private Object[] decode(byte... bytes) {
    return serializer.decode(
        new EncodedGraph(bytes, new int[0], List.of()), serializer.ownTypes(), t -> t);
  }

  private static int tagOf(Object value) {
    return Serializer.builder().build().encode(value).bytes()[2];
  }

  @Test
  void aLengthOfTwoBillionInTwentyBytesAllocatesNothing() {
    for (Object kind :
        List.of(
            new double[0],
            new boolean[0],
            "",
            new ArrayList<>(),
            new HashMap<>(),
            new PriorityQueue<>(),
            List.of(),
            new BitSet(),
            BigDecimal.ONE.unscaledValue(),
            new Object[0])) {
      byte[] bytes = Arrays.copyOf(serializer.encode(kind).bytes(), 20);
      byte[] length = bytes(0xff, 0xff, 0xff, 0xff, 0x07);
      System.arraycopy(length, 0, bytes, 3, length.length);

      // Anything of that size would be an OutOfMemoryError in this JVM.
      assertThatThrownBy(() -> decode(bytes))
          .as(kind.getClass().getName())
          .isInstanceOf(SerializationException.class);
    }
  }

  @Test
  void nestedLengthsTogetherPromiseNoMoreThanTheMessage() {
    byte[] bytes = new byte[100_000];
    int list = tagOf(new ArrayList<>());
    bytes[0] = serializer.encode().bytes()[0];
    bytes[1] = 1;
    for (int i = 2; i + 4 < bytes.length; i += 4) {
      // an array list of about 65,000 elements, the first of which is such a list
      bytes[i] = (byte) list;
      bytes[i + 1] = (byte) 0x80;
      bytes[i + 2] = (byte) 0x80;
      bytes[i + 3] = 3;
    }

    // 25,000 such lists at once would be an OutOfMemoryError in this JVM.
    assertThatThrownBy(() -> decode(bytes)).hasMessageContaining("lengths promise");
  }

  @Test
  @Timeout(60)
  void setsOfSharedSetsCannotBeUsedToHangAReceiver() {
    byte[] bomb = bomb(100);

    assertThatThrownBy(() -> decode(bomb))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("its keys would take too long");
  }

  /** Written by hand, because hashing it takes the sender for ever too. */
  private byte[] bomb(int levels) {
    int set = tagOf(new HashSet<>());
    ByteOutput out = new ByteOutput();
    out.writeByte(serializer.encode().bytes()[0]);
    out.writeByte(1);
    writeLevel(out, set, levels, new int[] {0});
    return out.toByteArray();
  }

  private static void writeLevel(ByteOutput out, int set, int levels, int[] nextHandle) {
    out.writeByte(set);
    nextHandle[0]++;
    if (levels == 0) {
      out.writeVarInt(0);
      return;
    }
    out.writeVarInt(2);
    int below = nextHandle[0];
    writeLevel(out, set, levels - 1, nextHandle);
    // Beside it a set that holds it again: twice the paths at each level.
    out.writeByte(set);
    nextHandle[0]++;
    out.writeVarInt(2);
    out.writeByte(1);
    out.writeVarInt(below);
    out.writeByte(0);
  }

  @Test
  void damageIsNamed() {
    byte order = serializer.encode().bytes()[0];
    assertThatThrownBy(this::decode).hasMessageContaining("1 bytes are needed at offset 0");
    assertThatThrownBy(() -> decode((byte) 99, (byte) 0)).hasMessageContaining("no known version");
    assertThatThrownBy(() -> decode(order, (byte) 0, (byte) 0))
        .hasMessageContaining("1 bytes follow the last object");
    assertThatThrownBy(() -> decode(order, (byte) 1, (byte) 1, (byte) 0))
        .hasMessageContaining("a reference to object 0, of which only 0 are known");
    assertThatThrownBy(() -> decode(order, (byte) 1, (byte) 2, (byte) 0))
        .hasMessageContaining("element 0 of a side table of 0");
    assertThatThrownBy(() -> decode(order, (byte) 1, (byte) 63))
        .hasMessageContaining("no platform type has the number '63'");
  }

  @Test
  void onlyValuesHaveTheUniformForm() {
    byte order = serializer.encode().bytes()[0];
    byte list = (byte) tagOf(new ArrayList<>());
    byte uniform = 63;
    byte integer = (byte) tagOf(1);
    for (Object other : List.of("", new ArrayList<>(), new int[0], new HashMap<>())) {
      byte tag = (byte) tagOf(other);
      assertThatThrownBy(() -> decode(order, (byte) 1, list, (byte) 2, uniform, tag, tag, tag, tag))
          .as(other.getClass().getName())
          .hasMessageContaining("came in the form of values");
    }
    for (byte reference : bytes(0, 1, 2, 3, 63)) {
      assertThatThrownBy(
              () -> decode(order, (byte) 1, list, (byte) 2, uniform, reference, integer, integer))
          .isInstanceOf(SerializationException.class);
    }
    assertThatThrownBy(() -> decode(order, (byte) 1, list, (byte) 3, uniform, integer, (byte) 2))
        .hasMessageContaining("[1]")
        .hasMessageContaining("bytes are needed");
    assertThatThrownBy(() -> decode(order, (byte) 1, list, (byte) 1, uniform))
        .isInstanceOf(SerializationException.class);
  }

  @Test
  void limitsHoldOnBothSides() {
    Serializer small =
        Serializer.builder().limits(new GraphLimits(10, 10, 10, 20, 100)).allow(ALL).build();
    Object deep = null;
    for (int i = 0; i < 11; i++) {
      deep = Collections.singletonList(deep);
    }
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      many.add(new int[2][0]);
    }
    Map<Object, String> cases =
        Map.of(
            new int[11],
            "the limit is 10",
            "eleven chars",
            "the limit is 10",
            deep,
            "more than 10 objects deep",
            many,
            "more than 20 objects",
            new double[][] {new double[10], new double[9]},
            "limit");

    cases.forEach(
        (value, message) -> {
          assertThatThrownBy(() -> small.encode(value))
              .isInstanceOf(SerializationException.class)
              .hasMessageContaining(message);
          EncodedGraph body = serializer.encode(value);
          assertThatThrownBy(() -> small.decode(body, serializer.ownTypes(), t -> t))
              .isInstanceOf(SerializationException.class)
              .hasMessageContaining(message);
        });
    assertThat(small.copy(new int[10])).hasSize(10);
  }
}
