package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** Classes that nobody has prepared: no Serializable, no constructor, no annotation. */
class OrdinaryClassesTest {

  private final Serializer serializer = Serializer.builder().build();

  static class Base {
    private final int hidden;
    protected boolean flag;

    Base(int hidden) {
      this.hidden = hidden;
    }

    int baseHidden() {
      return hidden;
    }
  }

  static final class Everything extends Base {
    static int constructed;
    static String forAll = "static";

    private final byte b = (byte) constructed;
    private final short s;
    private final char c;
    private final int hidden;
    private final long l;
    private final float f;
    private final double d;
    private final String text;
    private final int[] numbers;
    private final transient Object forgotten = new Object();
    private List<Everything> others = new ArrayList<>();

    Everything(int n) {
      super(-n);
      constructed++;
      s = (short) n;
      c = (char) n;
      hidden = n;
      l = n;
      f = n;
      d = n;
      text = "n" + n;
      numbers = new int[] {n};
      flag = true;
    }
  }

  @Test
  void fieldsOfEveryKindArriveWithoutAConstructor() {
    Everything original = new Everything(300);
    original.others.add(new Everything(2));
    int before = Everything.constructed;

    Everything copy = serializer.copy(original);

    assertThat(Everything.constructed).isEqualTo(before);
    assertThat(copy)
        .usingRecursiveComparison()
        .ignoringFieldsMatchingRegexes(".*forgotten")
        .isEqualTo(original);
    assertThat(copy.baseHidden()).isEqualTo(-300);
    assertThat(copy.hidden).isEqualTo(300);
    assertThat(copy.forgotten).isNull();
    assertThat(copy.numbers).isNotSameAs(original.numbers);
  }

  record Range(int from, int to, List<String> names) {
    Range {
      if (from > to) {
        throw new IllegalArgumentException("from " + from + " is after to " + to);
      }
      names = List.copyOf(names);
    }
  }

  @Test
  void recordsAreMadeByTheirCanonicalConstructor() {
    Range range = new Range(1, 2, List.of("a"));

    assertThat(serializer.copy(List.of(range, new ArrayList<>())).get(0)).isEqualTo(range);
  }

  @Test
  void aRecordsOwnChecksHoldForWhatArrives() {
    byte[] bytes = serializer.encode(new Range(1, 2, List.of())).bytes();
    // from = 1 is written as 2 (zigzag); make it 40
    bytes[3] = 80;

    assertThatThrownBy(
            () ->
                serializer.decode(
                    new EncodedGraph(bytes, new int[] {0}, List.of()),
                    serializer.ownTypes(),
                    t -> t))
        .isInstanceOf(SerializationException.class)
        .hasMessage(
            "cannot decode 'Range': java.lang.IllegalArgumentException: from 40 is after to 2");
  }

  enum Shape {
    ROUND,
    SQUARE {
      @Override
      int corners() {
        return 4;
      }
    };

    int corners() {
      return 0;
    }
  }

  @Test
  void enumConstantsStayTheSameObjectsThoseWithBodiesToo() {
    Object[] there =
        (Object[]) serializer.copy((Object) new Object[] {Shape.ROUND, Shape.SQUARE, Shape.class});

    assertThat(there).containsExactly(Shape.ROUND, Shape.SQUARE, Shape.class);
  }

  class Inner {
    final int n = 5;

    Serializer outer() {
      return serializer;
    }
  }

  static class Outer {
    int base = 1;

    class Part {
      int own = 2;

      int sum() {
        return base + own;
      }
    }
  }

  @Test
  void innerLocalAndAnonymousClassesTakeAlongWhatTheyCapture() {
    int captured = 40;
    class Local {
      final int own = 2;

      int sum() {
        return captured + own;
      }
    }
    Outer.Part part = new Outer().new Part();
    part.own = 7;

    assertThat(serializer.copy(part).sum()).isEqualTo(8);
    assertThat(serializer.copy(new Local()).sum()).isEqualTo(42);
    assertThat(serializer.copy(anonymous(List.of("x"))).get()).isEqualTo("[x]");
  }

  private static Supplier<String> anonymous(Object captured) {
    return new Supplier<>() {
      @Override
      public String get() {
        return captured.toString();
      }
    };
  }

  static class Locking {
    private final Object lock = new Object();
    private final Object same = lock;
    private final Locale locale = Locale.of("de");
    private final Locale[] locales = {locale, locale};
  }

  @Test
  void whatIsLockedOnAndOtherPlainObjectsArriveOnce() {
    Locking copy = serializer.copy(new Locking());

    assertThat(copy.lock).hasSameClassAs(new Object()).isSameAs(copy.same);
    assertThat(copy.locales).containsExactly(copy.locale, Locale.of("de"));
  }

  static class Node {
    int v;
    Node next;
    Object extra;

    Node(int v) {
      this.v = v;
    }
  }

  @Test
  void sharedObjectsStaySharedAcrossRootsToo() {
    Node shared = new Node(1);
    String text = new String("text");

    Object[] there =
        serializer.decode(
            serializer.encode(List.of(shared, text), shared, text, new Node[] {shared}),
            serializer.ownTypes(),
            t -> t);

    assertThat(there[1]).isSameAs(((List<?>) there[0]).get(0)).isSameAs(((Node[]) there[3])[0]);
    assertThat(there[2]).isSameAs(((List<?>) there[0]).get(1));
  }

  @Test
  void cyclesStayCycles() {
    Node a = new Node(1);
    a.next = new Node(2);
    a.next.next = a;
    a.extra = new Object[] {a};

    Node copy = serializer.copy(a);

    assertThat(copy).isNotSameAs(a);
    assertThat(copy.next.next).isSameAs(copy);
    assertThat(((Object[]) copy.extra)[0]).isSameAs(copy);
  }

  static class Linked {
    final int id;
    final Set<Linked> first = new HashSet<>();
    final Set<Set<Linked>> second = new HashSet<>();
    final Map<Set<Linked>, String> third = new HashMap<>();

    Linked(int id) {
      this.id = id;
    }

    @Override
    public int hashCode() {
      return id;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Linked that && that.id == id;
    }
  }

  @Test
  void aCollectionInACycleIsFoundWhereItIsAKey() {
    Linked linked = new Linked(7);
    linked.first.add(linked);
    linked.second.add(linked.first);
    linked.third.put(linked.first, "found");

    Linked copy = serializer.copy(linked);

    assertThat(copy.first).containsExactly(copy);
    assertThat(copy.second.contains(copy.first)).isTrue();
    assertThat(copy.third.get(copy.first)).isEqualTo("found");
  }

  record Holder(Object content) {}

  @Test
  void aCycleThroughARecordIsClosedWhenTheRecordExists() {
    Node node = new Node(1);
    List<Object> list = new ArrayList<>();
    Object[] array = new Object[1];
    Map<String, Object> map = new HashMap<>();
    Holder holder = new Holder(List.of(node, list, array, map));
    node.extra = holder;
    list.add(holder);
    array[0] = holder;
    map.put("k", holder);

    Holder copy = serializer.copy(holder);

    List<?> parts = (List<?>) copy.content();
    assertThat(((Node) parts.get(0)).extra).isSameAs(copy);
    assertThat((List<?>) parts.get(1)).singleElement().isSameAs(copy);
    assertThat(((Object[]) parts.get(2))[0]).isSameAs(copy);
    assertThat(((Map<?, ?>) parts.get(3)).get("k")).isSameAs(copy);
  }

  @Test
  void aCycleOfNothingButRecordsAndFixedListsNamesItsPlace() {
    List<Object> list = new ArrayList<>();
    Holder holder = new Holder(list);
    list.add(new Holder(holder));

    assertThatThrownBy(() -> serializer.copy(holder))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("cannot decode 'Holder.content[0].content': a cycle leads through");
  }

  static class Key {
    // Read before 'id', so that the map is there before the key knows its hash.
    Map<Key, String> home;
    final int id;

    Key(int id, Map<Key, String> home) {
      this.id = id;
      this.home = home;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key k && k.id == id;
    }

    @Override
    public int hashCode() {
      return Objects.hash(id);
    }
  }

  @Test
  void aKeyThatHoldsItsOwnMapIsFoundInTheCopy() {
    Map<Key, String> map = new LinkedHashMap<>();
    Key key = new Key(7, map);
    map.put(new Key(6, null), "six");
    map.put(key, "seven");

    Key copy = serializer.copy(key);

    assertThat(copy.home).containsEntry(new Key(7, null), "seven").hasSize(2);
    assertThat(copy.home.keySet()).last().isSameAs(copy);
  }

  @Test
  void aSetInACycleWithItsElementsIsComplete() {
    Set<Object> set = new HashSet<>();
    Node node = new Node(1);
    node.extra = set;
    set.add(node);

    Node copy = serializer.copy(node);

    assertThat((Set<?>) copy.extra).singleElement().isSameAs(copy);
    assertThat(((Set<?>) copy.extra).contains(copy)).isTrue();
  }

  static class Names extends ArrayList<String> {
    int extra = 5;
  }

  static class Cache extends LinkedHashMap<String, Node> {
    private final int capacity = Integer.parseInt("3");

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Node> eldest) {
      return size() > capacity;
    }
  }

  @Test
  void subclassesOfPlatformCollectionsKeepTheirFields() {
    Names names = new Names();
    names.add("a");
    names.extra = 9;
    Cache cache = new Cache();
    cache.put("x", new Node(4));

    Names namesThere = serializer.copy(names);
    Cache cacheThere = serializer.copy(cache);

    assertThat(namesThere).containsExactly("a");
    assertThat(namesThere.extra).isEqualTo(9);
    assertThat(cacheThere.capacity).isEqualTo(3);
    assertThat(cacheThere.get("x").v).isEqualTo(4);
  }

  interface Greeter {
    String greet(String name);
  }

  static class Prefix implements InvocationHandler {
    private final String prefix = "Hello ".trim();

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return prefix + " " + arguments[0];
    }
  }

  @Test
  void proxiesArriveWithTheirHandler() {
    Greeter greeter =
        (Greeter)
            java.lang.reflect.Proxy.newProxyInstance(
                Greeter.class.getClassLoader(), new Class<?>[] {Greeter.class}, new Prefix());

    assertThat(serializer.copy(greeter).greet("you")).isEqualTo("Hello you");
  }

  @Test
  void laterChangesToTheObjectsDoNotShow() {
    Node node = new Node(1);
    EncodedGraph encoded = serializer.encode(node);
    node.v = 2;

    Node there = (Node) serializer.decode(encoded, serializer.ownTypes(), t -> t)[0];

    assertThat(there.v).isEqualTo(1);
  }

  @Test
  void anEncodingNamesEachOfItsTypesOnce() {
    serializer.encode(Shape.ROUND);

    EncodedGraph encoded = serializer.encode(new Node(1), new Node(2), new Holder(null));

    assertThat(encoded.typeIds()).containsExactly(1, 2);
    assertThat(serializer.ownTypes().definition(1).className()).isEqualTo(Node.class.getName());
    assertThat(serializer.ownTypes().knows(3)).isFalse();
  }

  @Test
  void moreThanSixtyFourTypesAreNoTrouble() {
    Object[] manyTypes = new Object[200];
    Class<?> type = Node.class;
    for (int i = 0; i < manyTypes.length; i++) {
      type = i % 100 == 0 ? (i == 0 ? Node.class : Key.class) : type.arrayType();
      manyTypes[i] = java.lang.reflect.Array.newInstance(type, 0);
    }

    Object[] there = serializer.copy(manyTypes);

    assertThat(there)
        .extracting(Object::getClass)
        .isEqualTo(java.util.Arrays.stream(manyTypes).map(Object::getClass).toList());
  }

  static class Odd {
    String this$name = "like an outer object";
    int number = 3;
  }

  @Test
  void aFieldOfTheUsersMayBeNamedLikeThatOfAnOuterObject() {
    assertThat(Serializer.builder().build().copy(new Odd()).this$name)
        .isEqualTo("like an outer object");
  }
}
