package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        new Encoded(bytes, new int[0], List.of()), serializer.ownTypes(), t -> t);
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
        .hasMessageContaining("hashing them would take too long");
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
  void limitsHoldOnBothSides() {
    Serializer small =
        Serializer.builder().limits(new Limits(10, 10, 10, 20, 100)).allow(ALL).build();
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
          Encoded body = serializer.encode(value);
          assertThatThrownBy(() -> small.decode(body, serializer.ownTypes(), t -> t))
              .isInstanceOf(SerializationException.class)
              .hasMessageContaining(message);
        });
    assertThat(small.copy(new int[10])).hasSize(10);
  }

  enum Colour {
    RED,
    GREEN
  }

  record Part(String name, int[] data, Colour colour, Optional<Object> more) {}

  static class Whole {
    private final byte b = (byte) Colour.values().length;
    private double d = 1.5;
    private Part part = new Part("p", new int[] {1, 2}, Colour.RED, Optional.of(7L));
    private List<Object> list = new ArrayList<>(List.of(part, "s", 'c', 2.0f, true));
    private Object self = this;
    private Object[] array = {new long[] {1}, new String[] {"x", null}, list};
  }

  static class Special extends ArrayList<Object> {
    private final Map<Object, Object> index = new LinkedHashMap<>(Map.of("k", 1));

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  static class Table extends HashMap<Object, Object> implements Serializable {}

  private static List<Object> samples() {
    Special special = new Special();
    special.add("e");
    Table table = new Table();
    table.put("k", "v");
    return Arrays.asList(
        new Whole(),
        special,
        table,
        new HashMap<>(Map.of("a", 1, "b", List.of(2))),
        new TreeMap<>(Map.of("a", 1)),
        new PriorityQueue<>(List.of(3, 1, 2)),
        new ArrayDeque<>(List.of(1, 2)),
        new Hashtable<>(Map.of(1, 2)),
        new CopyOnWriteArrayList<>(List.of(1, 2)),
        Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        Set.of(1, 2, 3),
        Map.of(1, 2),
        EnumSet.of(Colour.RED),
        new RuntimeException("x", new IOException("y")),
        Pattern.compile("[a-z]+"),
        Locale.GERMAN,
        new BigDecimal("12.5"),
        LocalDate.EPOCH,
        ZonedDateTime.parse("2020-01-01T00:00:00Z"),
        new StringBuilder("sb"),
        new AtomicReference<>(new int[][] {{1}, {2}}),
        String.class,
        BitSet.valueOf(new long[] {7}),
        "日本");
  }

  @Test
  @Timeout(value = 300, unit = TimeUnit.SECONDS)
  void fiftyThousandMutatedMessagesGiveAnObjectOrTheOneException() {
    List<byte[]> messages = new ArrayList<>();
    for (Object sample : samples()) {
      messages.add(serializer.encode(sample).bytes());
    }
    Random random = new Random(42);
    int refused = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] message = Mutations.of(messages.get(i % messages.size()), random);
      try {
        decode(message);
      } catch (SerializationException expected) {
        refused++;
      } catch (Throwable t) {
        throw new AssertionError("message " + i + ": " + Arrays.toString(message), t);
      }
    }
    assertThat(refused).isBetween(20_000, 49_999);
  }

  @Test
  void mutatedDefinitionsGiveAnObjectOrTheOneException() {
    Encoded body = serializer.encode(samples().toArray());
    Random random = new Random(43);
    for (int i = 0; i < 5_000; i++) {
      int victim = body.typeIds()[random.nextInt(body.typeIds().length)];
      try {
        TypeTable table = new TypeTable();
        for (int id : body.typeIds()) {
          TypeDefinition d = serializer.ownTypes().definition(id);
          table.define(
              id == victim ? new TypeDefinition(id, Mutations.of(d.encoded(), random)) : d);
        }
        serializer.decode(body, table, t -> t);
      } catch (SerializationException expected) {
        // the one that is allowed
      }
    }
  }
}
