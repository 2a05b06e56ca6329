package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.time.temporal.WeekFields;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/** What comes with the JDK travels without anybody's permission. */
class PlatformTypesTest {

  /** The first byte of a body from a machine of the other kind. */
  private static final byte OTHER_ORDER =
      (byte) (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0x11 : 0x10);

  private static <C extends Collection<Object>> C filled(C collection) {
    collection.addAll(List.of("b", "a", "c"));
    return collection;
  }

  private static <M extends Map<Object, Object>> M filled(M map) {
    map.put("b", 2);
    map.put("a", List.of(1));
    return map;
  }

  static Stream<Object> valuesWithEquals() {
    return Stream.of(
        true,
        (byte) -7,
        (short) -300,
        'x',
        '\ud800',
        Integer.MIN_VALUE,
        -1,
        Long.MAX_VALUE,
        Float.MIN_VALUE,
        Double.NaN,
        -0.0,
        "",
        "ascii",
        "Grüße",
        "日本 \ud83d\ude00 lone \ud83d",
        new BigInteger("-123456789012345678901234567890"),
        new BigDecimal("1.500"),
        new BigDecimal("1e-100"),
        UUID.randomUUID(),
        URI.create("https://example.org/a?b#c"),
        Locale.CANADA_FRENCH,
        Currency.getInstance("CHF"),
        new File("/tmp/x"),
        new Date(12345),
        new InetSocketAddress("127.0.0.1", 80),
        InetSocketAddress.createUnresolved("nowhere", 80),
        String.class,
        int.class,
        long[][].class,
        void.class,
        TimeUnit.DAYS,
        DayOfWeek.FRIDAY,
        LocalDate.of(-5, 1, 2),
        LocalDate.MIN,
        LocalDate.MAX,
        LocalTime.of(1, 2, 3, 4),
        LocalDateTime.of(2020, 1, 2, 3, 4, 5, 6),
        Instant.MAX,
        Duration.ofNanos(-1),
        Period.of(1, -2, 3),
        YearMonth.of(2020, 2),
        ZoneId.of("Europe/Paris"),
        ZoneOffset.ofHours(3),
        ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneId.of("America/New_York")),
        OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.UTC),
        filled(new ArrayList<>()),
        filled(new LinkedList<>()),
        filled(new Vector<>()),
        filled(new Stack<>()),
        filled(new HashSet<>()),
        filled(new LinkedHashSet<>()),
        filled(new TreeSet<>()),
        filled(new TreeSet<>(Collections.reverseOrder())),
        filled(new CopyOnWriteArrayList<>()),
        filled(ConcurrentHashMap.newKeySet()),
        filled(new HashMap<>()),
        filled(new LinkedHashMap<>()),
        filled(new TreeMap<>()),
        filled(new TreeMap<>(Collections.reverseOrder())),
        new TreeMap<>(Map.of(1, 2)).descendingMap(),
        filled(new Hashtable<>()),
        filled(new ConcurrentHashMap<>()),
        filled(new ConcurrentSkipListMap<>()),
        filled(new Properties()),
        new ArrayList<>(Arrays.asList(null, 1, null)),
        new HashMap<>(Collections.singletonMap(null, null)),
        new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)),
        new EnumMap<>(DayOfWeek.class),
        EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
        EnumSet.noneOf(DayOfWeek.class),
        List.of(),
        List.of(1),
        List.of(1, 2, 3),
        Set.of(),
        Set.of(1, 2, 3),
        Map.of(),
        Map.of(1, 2),
        Map.of(1, 2, 3, 4),
        new AbstractMap.SimpleEntry<>("k", "v"),
        RoundingMode.CEILING,
        Thread.State.NEW,
        Arrays.asList("x", null, 3),
        Collections.emptyList(),
        Collections.singletonList(1),
        Collections.singleton(1),
        Collections.singletonMap(1, 2),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
        Collections.unmodifiableSet(new HashSet<>(List.of(1))),
        Collections.unmodifiableSortedSet(new TreeSet<>(List.of(1))),
        Collections.synchronizedList(new ArrayList<>(List.of(1))),
        Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
        Collections.checkedList(new ArrayList<>(List.of("a")), String.class),
        Collections.nCopies(3, "x"),
        Collections.unmodifiableSequencedSet(new LinkedHashSet<>(List.of(1, 2))),
        Collections.checkedMap(new HashMap<>(Map.of("a", 1)), String.class, Integer.class),
        new TreeMap<>(Map.of(1, 2, 3, 4)).headMap(3),
        new TreeSet<>(List.of(1, 2)).descendingSet(),
        new ConcurrentSkipListMap<>(Map.of(1, 2, 3, 4)).headMap(3),
        new CopyOnWriteArraySet<>(List.of(1, 2)),
        new GregorianCalendar(2020, Calendar.MARCH, 4),
        TimeZone.getTimeZone("Europe/Paris"),
        new SimpleTimeZone(3_600_000, "Somewhere"),
        Year.of(2020),
        JapaneseDate.of(2020, 1, 2),
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        Clock.systemUTC(),
        WeekFields.ISO,
        StandardCharsets.UTF_8,
        StandardCharsets.UTF_16LE,
        Path.of("a", "b.txt"),
        Path.of("/tmp"),
        InetAddress.ofLiteral("::1"),
        InetAddress.ofLiteral("127.0.0.1"),
        Comparator.naturalOrder(),
        Comparator.reverseOrder(),
        String.CASE_INSENSITIVE_ORDER,
        MathContext.DECIMAL64,
        BitSet.valueOf(new long[] {5, 0, 1}));
  }

  /**
   * Decoded by another serializer, which has nothing but the definitions and the default filter.
   */
  private static Object sent(Object value) {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode(value);
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(new TypeDefinition(id, sender.ownTypes().definition(id).encoded()));
    }
    return Serializer.builder().build().decode(body, table, t -> t)[0];
  }

  @ParameterizedTest
  @MethodSource("valuesWithEquals")
  void valuesArriveEqualAndOfTheirClass(Object value) {
    Object there = sent(value);

    assertThat(there).isEqualTo(value);
    assertThat(there.getClass()).isEqualTo(value.getClass());
    if (value instanceof LinkedHashMap<?, ?> map) {
      assertThat(((Map<?, ?>) there).keySet()).hasToString(map.keySet().toString());
    }
  }

  @ParameterizedTest
  @MethodSource("valuesWithEquals")
  void optionalsOfValuesArrive(Object value) {
    assertThat(sent(Optional.of(value))).isEqualTo(Optional.of(value));
  }

  /** Those whose content shows in their text. */
  static Stream<Object> thingsWithText() {
    DoubleSummaryStatistics doubles = new DoubleSummaryStatistics();
    doubles.accept(1.5);
    doubles.accept(-2);
    LongAdder adder = new LongAdder();
    adder.add(5);
    return Stream.of(
        doubles,
        IntStream.of(1, 2, 3).summaryStatistics(),
        LongStream.empty().summaryStatistics(),
        Runtime.version(),
        adder,
        new AtomicIntegerArray(new int[] {1, 2}),
        new AtomicLongArray(new long[] {1, 2}),
        new AtomicReferenceArray<>(new Object[] {"x", 1}),
        filled(new ConcurrentLinkedDeque<>()),
        filled(new LinkedBlockingDeque<>()),
        filled(new LinkedTransferQueue<>()),
        filled(new PriorityBlockingQueue<>()),
        filled(new ArrayBlockingQueue<>(9)),
        Collections.asLifoQueue(filled(new ArrayDeque<>())),
        Collections.unmodifiableCollection(filled(new ArrayList<>())),
        new ConcurrentHashMap<>(Map.of(1, 2)).values(),
        Collections.newSetFromMap(new ConcurrentHashMap<>()),
        new Throwable("x", new IllegalStateException("y")));
  }

  @ParameterizedTest
  @MethodSource("thingsWithText")
  void thingsWithoutEqualsArriveWithTheirText(Object value) {
    Object there = sent(List.of(value, value));

    assertThat(((List<?>) there).get(0)).hasToString(value.toString()).hasSameClassAs(value);
    assertThat(((List<?>) there).get(0) == ((List<?>) there).get(1))
        .isEqualTo(!(value instanceof Runtime.Version));
  }

  @Test
  void whatThreadsWaitForArrivesWithItsStateButWithoutThem() {
    assertThat(((Semaphore) sent(new Semaphore(3))).availablePermits()).isEqualTo(3);
    ReentrantLock held = new ReentrantLock();
    held.lock();
    assertThat(((ReentrantLock) sent(held)).isLocked()).isFalse();
    assertThat(((StampedLock) sent(new StampedLock())).isReadLocked()).isFalse();
  }

  @Test
  void aRandomGoesOnWhereItWas() {
    Random random = new Random(5);
    random.nextInt();
    Random there = (Random) sent(random);

    assertThat(there.nextInt()).isEqualTo(random.nextInt());
    assertThat(sent(ThreadLocalRandom.current())).isSameAs(ThreadLocalRandom.current());
  }

  @Test
  void aProxyOfAnInterfaceOfThePlatformArrives() {
    Serializer serializer = Serializer.builder().build();
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Runnable.class}, new Count());
    EncodedGraph body = serializer.encode(proxy);
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(serializer.ownTypes().definition(id));
    }
    Serializer receiver =
        Serializer.builder().allow(TypeFilter.patterns(Count.class.getName())).build();

    Runnable there = (Runnable) receiver.decode(body, table, t -> t)[0];
    there.run();

    assertThat(((Count) Proxy.getInvocationHandler(there)).calls).isEqualTo(1);
  }

  static class Count implements InvocationHandler {
    int calls;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      calls++;
      return null;
    }
  }

  @Test
  void optionalsAndEntriesArriveThoughTheyAreNotSerializable() {
    List<Object> all =
        List.of(
            Optional.empty(),
            OptionalInt.of(-3),
            OptionalInt.empty(),
            OptionalLong.of(7),
            OptionalDouble.of(0.5),
            Map.entry("k", 1));

    assertThat(sent(all)).isEqualTo(all);
  }

  @Test
  void arraysOfEveryKindArrive() {
    Object[] arrays = {
      new boolean[] {true, false},
      new byte[] {1, -1},
      new short[] {1, -300},
      new char[] {'a', '\uffff'},
      new int[] {1, Integer.MIN_VALUE},
      new long[] {Long.MAX_VALUE, 0},
      new float[] {1.5f, Float.NaN},
      new double[] {-0.0, Double.MIN_VALUE},
      new int[0],
      new int[][] {{1}, null, {2, 3}},
      new double[2][3][4],
      new String[] {"a", null},
      new Object[] {1, "x", new int[] {1}},
      new List<?>[] {List.of(1)},
      new Integer[][] {{1, null}}
    };

    Object there = sent(arrays);

    assertThat(Arrays.deepEquals((Object[]) there, arrays)).isTrue();
    for (int i = 0; i < arrays.length; i++) {
      assertThat(((Object[]) there)[i].getClass()).isEqualTo(arrays[i].getClass());
    }
  }

  @Test
  void thingsWithoutEqualsArriveWithTheirContent() {
    assertThat(sent(new StringBuilder("ab"))).asString().isEqualTo("ab");
    assertThat(sent(new StringBuffer("ab"))).asString().isEqualTo("ab");
    assertThat(((AtomicInteger) sent(new AtomicInteger(-3))).get()).isEqualTo(-3);
    assertThat(((AtomicLong) sent(new AtomicLong(3))).get()).isEqualTo(3);
    assertThat(((AtomicBoolean) sent(new AtomicBoolean(true))).get()).isTrue();
    assertThat(((AtomicReference<?>) sent(new AtomicReference<>("x"))).get()).isEqualTo("x");
    Pattern pattern = (Pattern) sent(Pattern.compile("a+", Pattern.CASE_INSENSITIVE));
    assertThat(pattern.matcher("AA").matches()).isTrue();
    assertThat((Collection<?>) sent(filled(new ArrayDeque<>())))
        .hasToString("[b, a, c]")
        .isInstanceOf(ArrayDeque.class);
    assertThat((Collection<?>) sent(filled(new ConcurrentLinkedQueue<>())))
        .hasToString("[b, a, c]");
    assertThat((Collection<?>) sent(filled(new LinkedBlockingQueue<>(7)))).hasToString("[b, a, c]");
    PriorityQueue<?> queue =
        (PriorityQueue<?>) sent(filled(new PriorityQueue<>(Collections.reverseOrder())));
    assertThat(queue.poll()).isEqualTo("c");
    assertThat((Map<?, ?>) sent(new IdentityHashMap<>(Map.of("a", 2)))).hasSize(1);
  }

  @Test
  void aMapInAccessOrderStaysInAccessOrder() {
    LinkedHashMap<Object, Object> map = filled(new LinkedHashMap<>(4, 0.75f, true));

    @SuppressWarnings("unchecked") // it is a copy of the map above
    Map<Object, Object> there = (Map<Object, Object>) sent(map);
    there.get("b");

    assertThat(there.keySet()).containsExactly("a", "b");
  }

  @Test
  void aWrappedArrayStillWritesThrough() {
    String[] array = {"a"};

    Object[] there = (Object[]) sent(new Object[] {array, Arrays.asList(array)});
    ((String[]) there[0])[0] = "b";

    assertThat(there[1]).isEqualTo(List.of("b"));
  }

  @Test
  void aListWithNullsFromAStreamStaysUnmodifiable() {
    List<?> list = Stream.of(1, null).toList();

    assertThat((List<?>) sent(list)).hasSameClassAs(list).isEqualTo(list);
  }

  @Test
  void primitiveArraysTakeNoMoreThanTheirBytes() {
    assertThat(Serializer.builder().build().encode(new double[1000]).bytes()).hasSize(8005);
  }

  @Test
  void arraysFromAMachineOfTheOtherByteOrderAreTurned() {
    byte[] bytes = {OTHER_ORDER, 1, 17, 1, 0, 0, 1, 2};

    Object there =
        Serializer.builder()
            .build()
            .decode(new EncodedGraph(bytes, new int[0], List.of()), new TypeTable(), t -> t)[0];

    assertThat((int[]) there).containsExactly(OTHER_ORDER == 0x11 ? 0x102 : 0x2010000);
  }

  @Test
  void aSerializableLambdaArrivesAtItsOwnClass() {
    Step lambda = (Step & Serializable) x -> x + 1;
    Serializer serializer = Serializer.builder().build();

    Step copy = serializer.copy(lambda);

    assertThat(copy.apply(1)).isEqualTo(2);
  }

  interface Step {
    int apply(int x);
  }
}
