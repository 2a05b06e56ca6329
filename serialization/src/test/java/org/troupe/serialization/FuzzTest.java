package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.graph.GraphReader;
import org.troupe.serialization.graph.GraphWriter;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/**
 * Mutated messages give an object or the one exception, and allocate no more than their size
 * allows.
 *
 * <p>The seeds are fixed. {@code -Dtroupe.long=true} tries a million, {@code -Dtroupe.fuzz=N} as
 * many as wanted, {@code -Dtroupe.fuzz.seed=S} others.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class FuzzTest {

  private static final int MESSAGES =
      Integer.getInteger("troupe.fuzz", Boolean.getBoolean("troupe.long") ? 1_000_000 : 20_000);
  private static final long SEED = Long.getLong("troupe.fuzz.seed", 42);

  /** No more than this depth, so that all is read and measured on one thread. */
  private static final GraphLimits LIMITS =
      new GraphLimits(1 << 20, 1 << 20, 200, 1 << 20, 1 << 20);

  /** What an exception with its message and a class seen for the first time may cost. */
  private static final long FIXED_BYTES = 1 << 20;

  /** What one byte may cost: two or three make a map, a queue, or an object with a hook. */
  private static final long BYTES_PER_BYTE = 2_000;

  private static final MethodHandle ALLOCATED = allocated();

  private final Serializer serializer =
      Serializer.builder()
          .allow(TypeFilter.platform().or(TypeFilter.patterns("org.troupe.**")))
          .limits(LIMITS)
          .build();

  /** The JVM's count of the bytes that the current thread has allocated. */
  private static MethodHandle allocated() {
    try {
      // By name, because the module of these classes is no dependency of ours.
      Class<?> factory = Class.forName("java.lang.management.ManagementFactory");
      Object bean = factory.getMethod("getThreadMXBean").invoke(null);
      Method method =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes");
      return MethodHandles.publicLookup().unreflect(method).bindTo(bean);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static long allocatedBytes() {
    try {
      return (long) ALLOCATED.invoke();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
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

  static final class Leaf {
    private int value = 3;
    private String name = "leaf".concat("");
  }

  @Evolving
  static class Tree {
    private final Leaf leaf = new Leaf();
    private final Leaf[] leaves = {leaf, new Leaf()};
    private Tree child;
    private Map<String, Leaf> named = new HashMap<>(Map.of("a", leaf));
  }

  static class Special extends ArrayList<Object> {
    private final Map<Object, Object> index = new LinkedHashMap<>(Map.of("k", 1));

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  static class Table extends HashMap<Object, Object> implements Serializable {}

  record Handler(String answer) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return method.getReturnType() == int.class ? (Object) answer.length() : answer;
    }
  }

  static List<Object> samples() {
    Special special = new Special();
    special.add("e");
    Table table = new Table();
    table.put("k", "v");
    Tree tree = new Tree();
    tree.child = new Tree();
    String captured = "x".repeat(2);
    Object proxy =
        Proxy.newProxyInstance(
            FuzzTest.class.getClassLoader(),
            new Class<?>[] {Comparable.class, Supplier.class},
            new Handler("h"));
    return Arrays.asList(
        new Whole(),
        tree,
        special,
        table,
        proxy,
        (Supplier<String> & Serializable) () -> captured,
        new HashMap<>(Map.of("a", 1, "b", List.of(2))),
        new HashSet<>(Set.of(new Part("q", null, null, null), "s")),
        new IdentityHashMap<>(Map.of("a", 1)),
        new ConcurrentHashMap<>(Map.of("a", 1)),
        new ConcurrentSkipListMap<>(Map.of("a", 1)),
        new TreeMap<>(Map.of("a", 1)),
        new PriorityQueue<>(List.of(3, 1, 2)),
        new ArrayDeque<>(List.of(1, 2)),
        new LinkedBlockingQueue<>(List.of(1, 2)),
        new Hashtable<>(Map.of(1, 2)),
        new HashSet<>(Set.of(Arrays.asList(1, 2), new Vector<>(List.of(1)), Map.entry(1, 2))),
        new HashMap<>(Map.of(new DearMessages.Pair("l", new DearMessages.Equal(1, 2)), 1)),
        new TreeSet<>(Comparator.<String>naturalOrder().thenComparing(Comparator.reverseOrder())),
        new DearMessages.OwnTable(),
        new ArrayList<>(List.of(1, 2, 3)).subList(1, 2),
        new CopyOnWriteArrayList<>(List.of(1, 2)),
        Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        Collections.nCopies(3, "c"),
        Set.of(1, 2, 3),
        Map.of(1, 2),
        EnumSet.of(Colour.RED),
        new EnumMap<>(Map.of(Colour.GREEN, 1)),
        new RuntimeException("x", new IOException("y")),
        Pattern.compile("[a-z]+"),
        Locale.GERMAN,
        new BigDecimal("12.5"),
        LocalDate.EPOCH,
        ZonedDateTime.parse("2020-01-01T00:00:00Z"),
        new GregorianCalendar(2020, 1, 2),
        new InetSocketAddress("127.0.0.1", 80),
        Path.of("a", "b"),
        StandardCharsets.UTF_8,
        IntStream.of(1, 2).summaryStatistics(),
        new StringBuilder("sb"),
        new AtomicReference<>(new int[][] {{1}, {2}}),
        new Object[] {new boolean[] {true}, new byte[] {1}, new short[] {1}, new double[] {1}},
        String.class,
        BitSet.valueOf(new long[] {7}),
        DayOfWeek.MONDAY,
        "日本");
  }

  /** What decoding many hostile messages came to. */
  private static final class Tally {
    private int tried;
    private int refused;
    private long worst;

    /** Decodes one message. */
    void tryOut(int number, byte[] message, Runnable decode) {
      long most = FIXED_BYTES + BYTES_PER_BYTE * message.length;
      long used = allocated(number, message, decode);
      if (used >= most) {
        used = allocated(number, message, decode); // without what a class costs at its first use
      } else {
        worst = Math.max(worst, used);
      }
      assertThat(used)
          .as("bytes allocated for message %d: %s", number, Arrays.toString(message))
          .isLessThan(most);
      tried++;
    }

    private long allocated(int number, byte[] message, Runnable decode) {
      long before = allocatedBytes();
      try {
        decode.run();
      } catch (SerializationException expected) {
        refused++;
      } catch (Throwable t) {
        throw new AssertionError("message " + number + ": " + Arrays.toString(message), t);
      }
      return allocatedBytes() - before;
    }

    void report(TestReporter reporter) {
      reporter.publishEntry(
          "%d of %d were refused; the costliest allocated %d bytes"
              .formatted(refused, tried, worst));
    }
  }

  @Test
  void mutatedMessages(TestReporter reporter) {
    List<byte[]> messages = new ArrayList<>();
    for (Object sample : samples()) {
      messages.add(serializer.encode(sample).bytes());
    }
    Random random = new Random(SEED);
    Tally tally = new Tally();
    for (int i = 0; i < MESSAGES; i++) {
      byte[] message = Mutations.of(messages.get(i % messages.size()), random);
      EncodedGraph body = new EncodedGraph(message, new int[0], List.of("token"));
      tally.tryOut(i, message, () -> serializer.decode(body, serializer.ownTypes(), t -> t));
    }
    assertThat(tally.refused).isBetween(MESSAGES / 3, MESSAGES - 1);
    tally.report(reporter);
  }

  @Test
  void mutatedDefinitions(TestReporter reporter) {
    EncodedGraph body = serializer.encode(samples().toArray());
    Random random = new Random(SEED + 1);
    Tally tally = new Tally();
    for (int i = 0; i < MESSAGES / 20; i++) {
      int victim = body.typeIds()[random.nextInt(body.typeIds().length)];
      byte[] mutated = Mutations.of(serializer.ownTypes().definition(victim).encoded(), random);
      tally.tryOut(
          i,
          mutated,
          () -> {
            TypeTable table = new TypeTable();
            for (int id : body.typeIds()) {
              table.define(
                  id == victim
                      ? new TypeDefinition(id, mutated)
                      : serializer.ownTypes().definition(id));
            }
            serializer.decode(body, table, t -> t);
          });
    }
    assertThat(tally.refused).isPositive();
    tally.report(reporter);
  }

  @Test
  void mutatedStreams(TestReporter reporter) {
    ByteOutput out = new ByteOutput();
    GraphWriter writer = serializer.writer(out);
    List<Object> samples = samples();
    for (Object sample : samples) {
      writer.write(sample);
      writer.write(List.of(samples.get(0), sample));
    }
    writer.reset();
    writer.write(samples.get(1));
    byte[] stream = out.toByteArray();
    Random random = new Random(SEED + 2);
    Tally tally = new Tally();
    for (int i = 0; i < MESSAGES / 20; i++) {
      byte[] mutated = Mutations.of(stream, random);
      tally.tryOut(
          i,
          mutated,
          () -> {
            ByteInput in = new ByteInput(mutated);
            GraphReader reader = serializer.reader(in);
            while (in.remaining() > 0) {
              reader.read();
            }
          });
    }
    assertThat(tally.refused).isPositive();
    tally.report(reporter);
  }
}
