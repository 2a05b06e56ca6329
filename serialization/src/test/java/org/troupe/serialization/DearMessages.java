package org.troupe.serialization;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.UnaryOperator;
import org.troupe.serialization.graph.Serializer;

/** Messages of a few bytes whose keys take a receiver long to hash or to compare. */
final class DearMessages {

  /** Hashing doubles with each level. */
  private static final int LEVELS = 45;

  private static final int MANY = 32_000;

  /** An ordinary class. */
  static class Pair implements Serializable {
    private final Object left;
    private final Object right;

    Pair(Object left, Object right) {
      this.left = left;
      this.right = right;
    }

    @Override
    public int hashCode() {
      return 31 * Objects.hashCode(left) + Objects.hashCode(right);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pair pair
          && Objects.equals(left, pair.left)
          && Objects.equals(right, pair.right);
    }
  }

  /** A class whose {@code equals} follows references, but not its {@code hashCode}. */
  static final class Equal extends Pair {
    Equal(Object left, Object right) {
      super(left, right);
    }

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      return super.equals(other);
    }
  }

  record Node(Object left, Object right) {}

  record Point(int x, int y) {}

  record Order(Comparator<Object> left, Comparator<Object> right)
      implements Comparator<Object>, Serializable {
    @Override
    public int compare(Object one, Object other) {
      return left == null ? 0 : left.compare(one, other) + right.compare(one, other);
    }
  }

  record Handler(Object left, Object right) implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return hashCode();
    }
  }

  static class OwnTable extends Hashtable<Object, Object> {}

  static class OwnSet extends HashSet<Object> {}

  private final Serializer serializer;
  private final Map<String, byte[]> messages = new LinkedHashMap<>();

  DearMessages(Serializer serializer) {
    this.serializer = serializer;
  }

  /** Returns the messages by what is dear in them. */
  Map<String, byte[]> all() {
    key("Arrays.asList in each other", nested(o -> Arrays.asList(o, o)));
    key("entries in each other", nested(o -> new AbstractMap.SimpleImmutableEntry<>(o, o)));
    key("vectors in each other", nested(o -> new Vector<>(List.of(o, o))));
    key("stacks in each other", nested(DearMessages::stack));
    key("lists in each other", nested(o -> new ArrayList<>(List.of(o, o))));
    key("unmodifiable lists", nested(o -> Collections.unmodifiableList(Arrays.asList(o, o))));
    key("an ordinary class", nested(o -> new Pair(o, o)));
    key("a record", nested(o -> new Node(o, o)));
    key("optionals of lists", nested(o -> Optional.of(List.of(o, o))));
    key("values of maps", nested(o -> new HashMap<>(Map.of(1, o, 2, o))));
    key("proxies", nested(DearMessages::proxy));
    Object one = nested(o -> new Equal(o, o));
    Object other = nested(o -> new Equal(o, o));
    collection("equals only", tag(new HashSet<>()), one, other);
    map("keys of a map", nested(o -> Arrays.asList(o, o)));
    ordered("comparators after each other", comparators());
    ordered("a comparator of two", order());
    ordered("decimals of 100,000 digits in order", null, decimals());
    collection("colliding records", tag(new HashSet<>()), colliding());
    table("colliding integers in a Hashtable", tag(new Hashtable<>()), integers(2 * MANY + 1));
    put("an own Hashtable of one bucket", ownTable());
    collection("colliding integers in Set.of", tag(Set.of(1, 2, 3)), integers(2 * MANY));
    collection("one long string, often", tag(new HashSet<>()), repeated());
    collection("one long string in order", tag(new TreeSet<>()), repeated());
    put("bombs in an own set", ownSet());
    collection(
        "copy-on-write sets that hold each other's elements", tag(new HashSet<>()), scanned());
    collection("two long addresses, often", tag(new HashSet<>()), addresses());
    table("lists of one hash in a Hashtable", tag(new Hashtable<>()), equalHashes(2000, 8));
    collection("lists of one hash in Set.of", tag(Set.of(1, 2, 3)), equalHashes(2000, 8));
    collection("few dear keys of one hash among many", tag(new HashSet<>()), fewDear());
    ordered("large numbers under a dear comparator", comparators(12), numbers());
    collection("two lists of many copies, often", tag(new HashSet<>()), copies());
    collection("sets of colliding lists", tag(new HashSet<>()), setsOfEqualHashes(250));
    collection("small sets of colliding lists", tag(new HashSet<>()), setsOfEqualHashes(60));
    collection("sorted sets with dear comparators", tag(new HashSet<>()), sortedSets());
    return messages;
  }

  private static Object nested(UnaryOperator<Object> step) {
    Object inner = "x";
    for (int i = 0; i < LEVELS; i++) {
      inner = step.apply(inner);
    }
    return inner;
  }

  private static Object stack(Object inner) {
    Stack<Object> stack = new Stack<>();
    stack.add(inner);
    stack.add(inner);
    return stack;
  }

  private static Object proxy(Object inner) {
    return Proxy.newProxyInstance(
        DearMessages.class.getClassLoader(),
        new Class<?>[] {Comparable.class},
        new Handler(inner, inner));
  }

  private static Comparator<Object> comparators() {
    return comparators(LEVELS);
  }

  private static Comparator<Object> comparators(int levels) {
    @SuppressWarnings({"unchecked", "rawtypes"}) // never called here
    Comparator<Object> comparator = (Comparator) Comparator.naturalOrder();
    for (int i = 0; i < levels; i++) {
      comparator = comparator.thenComparing(comparator);
    }
    return comparator;
  }

  private static Comparator<Object> order() {
    Comparator<Object> comparator = new Order(null, null);
    for (int i = 0; i < LEVELS; i++) {
      comparator = new Order(comparator, comparator);
    }
    return comparator;
  }

  private static Object[] decimals() {
    Object[] decimals = new Object[100];
    byte[] digits = new byte[41_500];
    Arrays.fill(digits, (byte) 0x5a);
    BigInteger number = new BigInteger(digits);
    for (int i = 0; i < decimals.length; i++) {
      decimals[i] = new BigDecimal(number, 3 + i % 2);
    }
    return decimals;
  }

  private static Object[] colliding() {
    Object[] points = new Object[MANY];
    for (int i = 0; i < points.length; i++) {
      points[i] = new Point(i, -31 * i);
    }
    return points;
  }

  private static Object[] integers(int distance) {
    Object[] integers = new Object[MANY];
    for (int i = 0; i < integers.length; i++) {
      integers[i] = i * distance;
    }
    return integers;
  }

  private static Object[] repeated() {
    Object[] strings = new Object[MANY];
    Arrays.fill(strings, "y".repeat(200_000));
    strings[0] = "y".repeat(100_000).repeat(2);
    return strings;
  }

  /** To compare them takes the product of their sizes; to hash them, the sum. */
  private static Object[] scanned() {
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < 8000; i++) {
      elements.add(i);
    }
    return new Object[] {
      new CopyOnWriteArraySet<>(elements), new CopyOnWriteArraySet<>(elements.reversed())
    };
  }

  private static Object[] copies() {
    Object[] lists = new Object[MANY];
    Arrays.fill(lists, Collections.unmodifiableList(Collections.nCopies(10_000, null)));
    lists[0] = Collections.unmodifiableList(Collections.nCopies(10_000, null));
    return lists;
  }

  private static Object[] addresses() {
    Object[] addresses = new Object[MANY];
    Arrays.fill(addresses, URI.create("http://" + "a".repeat(200_000) + "/"));
    addresses[0] = URI.create("http://" + "a".repeat(200_000) + "/");
    return addresses;
  }

  /** Lists that are equal up to their last element, and share nothing. */
  private static Object[] equalHashes(int count, int levels) {
    Object[] lists = new Object[count];
    for (int i = 0; i < count; i++) {
      Object inner = "x";
      for (int level = 0; level < levels; level++) {
        inner = Arrays.asList(inner, inner);
      }
      lists[i] = Arrays.asList(inner, i * 0x1_0000_0001L);
    }
    return lists;
  }

  private static Object[] fewDear() {
    List<Object> keys = new ArrayList<>(Arrays.asList(equalHashes(1200, 12)));
    keys.addAll(Arrays.asList(integers(1)));
    for (int i = 0; i < 6; i++) {
      for (Object each : integers(1)) {
        keys.add((i + 2) * 1_000_000 + (int) each);
      }
    }
    return keys.toArray();
  }

  private static Object[] numbers() {
    return new Object[] {BigInteger.ONE.shiftLeft(3_200_000), BigInteger.ONE.shiftLeft(3_200_000)};
  }

  /** Sets that differ in one element, which is the last to be looked for. */
  private static Object[] setsOfEqualHashes(int count) {
    Object[] lists = equalHashes(2 * count, 0);
    Object[] sets = new Object[count];
    for (int i = 0; i < count; i++) {
      Set<Object> set = new LinkedHashSet<>(Arrays.asList(lists).subList(0, count));
      set.add(lists[count + i]);
      sets[i] = set;
    }
    return sets;
  }

  private static Object[] sortedSets() {
    Comparator<Object> comparator = comparators(12);
    Object[] sets = new Object[100];
    for (int i = 0; i < sets.length; i++) {
      Set<Object> set = new TreeSet<>(comparator);
      set.add(i * 0x1_0000_0001L);
      sets[i] = set;
    }
    return sets;
  }

  /** A table for so many entries has 44,803 places. */
  private byte[] ownTable() {
    OwnTable table = new OwnTable();
    for (int i = 0; i < MANY; i++) {
      table.put(i * 44_803, i);
    }
    return serializer.encode(table).bytes();
  }

  private byte[] ownSet() {
    OwnSet set = new OwnSet();
    set.add("here");
    return replaced(serializer.encode(set).bytes(), "here", nested(o -> Arrays.asList(o, o)));
  }

  /** Puts an object into a message in the place of a string of four letters. */
  private byte[] replaced(byte[] message, String text, Object value) {
    byte[] inner = serializer.encode(value).bytes();
    int at = new String(message, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(text) - 2;
    ByteOutput out = new ByteOutput();
    for (int i = 0; i < at; i++) {
      out.writeByte(message[i]);
    }
    int shift = 1; // the set has a number too, and comes first
    for (int i = 2; i < inner.length; i++) {
      out.writeByte(inner[i]);
      if (inner[i] == 1 && i + 1 < inner.length) {
        out.writeByte(inner[++i] + shift); // what is referred to
      }
    }
    for (int i = at + 2 + text.length(); i < message.length; i++) {
      out.writeByte(message[i]);
    }
    return out.toByteArray();
  }

  private static byte tag(Object value) {
    return Serializer.builder().build().encode(value).bytes()[2];
  }

  private void put(String name, byte[] message) {
    messages.put(name, message);
  }

  private void key(String name, Object key) {
    collection(name, tag(new HashSet<>()), key);
  }

  /** A list of the keys, which a byte makes another collection: to hash them takes us as long. */
  private void collection(String name, byte tag, Object... keys) {
    if (tag == tag(new TreeSet<>())) {
      ordered(name, null, keys);
      return;
    }
    byte[] bytes = serializer.encode(new ArrayList<>(Arrays.asList(keys))).bytes();
    bytes[2] = tag;
    put(name, bytes);
  }

  private void map(String name, Object key) {
    byte[] bytes = serializer.encode(new ArrayList<>(Arrays.asList(key, 1))).bytes();
    bytes[2] = tag(new HashMap<>());
    bytes[3] = 1;
    put(name, bytes);
  }

  private void table(String name, byte tag, Object... keys) {
    // A null at the end prevents the uniform form, which maps do not have.
    Object[] entries = new Object[2 * keys.length + 1];
    for (int i = 0; i < keys.length; i++) {
      entries[2 * i] = keys[i];
      entries[2 * i + 1] = 1;
    }
    byte[] list = serializer.encode(new ArrayList<>(Arrays.asList(entries))).bytes();
    ByteOutput out = new ByteOutput();
    out.writeByte(list[0]);
    out.writeByte(1);
    out.writeByte(tag);
    out.writeVarInt(keys.length);
    for (int i = 3 + lengthBytes(entries.length); i < list.length - 1; i++) {
      out.writeByte(list[i]);
    }
    put(name, out.toByteArray());
  }

  private static int lengthBytes(int length) {
    ByteOutput out = new ByteOutput();
    out.writeVarInt(length);
    return out.size();
  }

  /** An ordered set of the comparator and the keys, or of one small key. */
  private void ordered(String name, Comparator<Object> order, Object... keys) {
    ByteOutput out = new ByteOutput();
    Object[] elements = keys.length == 0 ? new Object[] {1} : keys;
    List<Object> all = new ArrayList<>(List.of(Optional.ofNullable(order)));
    all.addAll(Arrays.asList(elements));
    // The list and the optional have a number each; so have the set and a list that holds it.
    byte[] list = serializer.encode(all).bytes();
    out.writeByte(list[0]);
    out.writeByte(1);
    out.writeByte(tag(Optional.empty()));
    out.writeByte(tag(new TreeSet<>()));
    int at = 3 + lengthBytes(all.size()) + 1;
    int end = at + (order == null ? 1 : serializer.encode(order).bytes().length - 2);
    for (int i = at; i < end; i++) {
      out.writeByte(list[i]);
    }
    out.writeVarInt(elements.length);
    for (int i = end; i < list.length; i++) {
      out.writeByte(list[i]);
    }
    put(name, out.toByteArray());
  }
}
