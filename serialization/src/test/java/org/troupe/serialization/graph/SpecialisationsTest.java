package org.troupe.serialization.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.Reused;
import org.troupe.serialization.SerializationCounts;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.TypeFilter;

/** Whatever is left out where it may be: what arrives is the same. */
class SpecialisationsTest {

  static Stream<Serializer> serializers() {
    return Stream.concat(
            Stream.of(EnumSet.noneOf(Specialisation.class), EnumSet.allOf(Specialisation.class)),
            Arrays.stream(Specialisation.values()).map(EnumSet::of))
        .map(
            off ->
                Serializer.builder()
                    .allow(TypeFilter.patterns("org.troupe.**"))
                    .without(off.toArray(Specialisation[]::new))
                    .build());
  }

  private static final TypeFilter ALL = TypeFilter.patterns("org.troupe.**");

  private static Object[] decode(Serializer serializer, EncodedGraph body) {
    return serializer.decode(body, serializer.ownTypes(), token -> token);
  }

  static class Item {
    int value;
    Object more;
    Item next;

    Item(int value, Item next) {
      this.value = value;
      this.next = next;
    }
  }

  /** A subclass, which the declared type of the reference to it does not say. */
  static class Marked extends Item {
    String mark = "m";

    Marked(int value, Item next) {
      super(value, next);
    }
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void aListOfObjectsAndSubclassesKeepsItsClassesAndOrder(Serializer serializer) {
    Item list = new Item(1, new Item(2, new Marked(3, new Item(4, new Item(5, null)))));
    list.next.more = list.next.next.next;

    Item copy = serializer.copy(list);

    assertThat(copy).usingRecursiveComparison().isEqualTo(list);
    assertThat(copy.next.next).isInstanceOf(Marked.class);
    assertThat(copy.next.more).isSameAs(copy.next.next.next);
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void aListThatEndsInItselfArrivesAsThat(Serializer serializer) {
    Item last = new Item(3, null);
    Item first = new Item(1, new Item(2, last));
    last.next = first.next;

    Item copy = serializer.copy(first);

    assertThat(copy.next.next.next).isSameAs(copy.next);
    assertThat(copy.next.next.value).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void whatAnElementOfALongListRefersBackToIsKnownToBeUnfinished(Serializer serializer) {
    // The set holds an element whose content is not read to its end when the set is filled.
    Item first = new Item(1, new Item(2, new Item(3, null)));
    first.next.next.more = new HashSet<>(List.of(first, first.next));

    Item copy = serializer.copy(first);

    assertThat((HashSet<?>) copy.next.next.more).hasSize(2);
    assertThat(((HashSet<?>) copy.next.next.more).contains(copy.next)).isTrue();
  }

  static class Strings {
    String one;
    String two;
    Object three;
    String none;
    List<String> many;
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void stringsOfAllKindsArrive(Serializer serializer) {
    Strings strings = new Strings();
    strings.one = "Grüße";
    strings.two = "日本 \ud83d";
    strings.three = strings.one;
    strings.many = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      strings.many.add(i % 3 == 0 ? strings.two : "s" + i);
    }

    Strings copy = serializer.copy(strings);

    assertThat(copy).usingRecursiveComparison().isEqualTo(strings);
  }

  @Test
  void aStringThatComesAgainIsNotWrittenAgain() {
    String text = "x".repeat(1000);
    Strings strings = new Strings();
    strings.one = text;
    strings.two = text;
    strings.three = text;

    assertThat(Serializer.builder().build().encode(strings).bytes()).hasSizeLessThan(1100);
  }

  record Point(int x, int y) {}

  @ParameterizedTest
  @MethodSource("serializers")
  void smallRecordsMayBecomeTwo(Serializer serializer) {
    Point point = new Point(1, 2);

    assertThat(serializer.copy(new Object[] {point, point, new Item(1, null)}))
        .startsWith(point, point);
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void sharedArraysStayShared(Serializer serializer) {
    double[] row = {1, 2};

    double[][] copy = serializer.copy(new double[][] {row, row, null, {3}});

    assertThat(copy[0]).isSameAs(copy[1]).containsExactly(1, 2);
    assertThat(copy[2]).isNull();
  }

  @Acyclic
  static class Leaf {
    int[] data = {7};
  }

  @Acyclic
  static class Loop {
    Object self = this;
  }

  @Test
  void whatIsDeclaredAcyclicIsNotLookedUp() {
    Leaf leaf = new Leaf();
    Serializer serializer = Serializer.builder().build();
    Serializer without = Serializer.builder().without(Specialisation.UNTRACKED).build();

    Object[] copy = serializer.copy(new Object[] {leaf, leaf, leaf.data});

    assertThat(copy[0]).isNotSameAs(copy[1]);
    assertThat(((Leaf) copy[0]).data).isSameAs(((Leaf) copy[1]).data).isSameAs(copy[2]);
    Object[] tracked = without.copy(new Object[] {leaf, leaf});
    assertThat(tracked[0]).isSameAs(tracked[1]);
  }

  @Test
  void aCycleThatWasDeniedIsAnErrorThatNamesTheLimit() {
    Serializer serializer =
        Serializer.builder().limits(new GraphLimits(100, 100, 100, 1000, 10_000)).build();

    assertThatThrownBy(() -> serializer.encode(new Loop()))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("more than 100 objects deep");
  }

  /** An object of every kind of place that the types prove to be no place for sharing. */
  static final class Tree {
    final int[] numbers = {1, 2};
    final Branch branch = new Branch();
    final String name = "tree";
    final String[] names = {"a", null, "a"};
  }

  static final class Branch {
    double[] values = {1.5};
    Integer boxed = 1000;
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void aGraphThatIsATreeByItsTypesArrives(Serializer serializer) {
    assertThat(serializer.copy(new Tree())).usingRecursiveComparison().isEqualTo(new Tree());
  }

  /** Two places for one class: what is in them may be one object. */
  static final class Twice {
    int[] left = {1};
    int[] right = left;
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void twoPlacesOfOneTypeAreNoProof(Serializer serializer) {
    Twice copy = serializer.copy(new Twice());

    assertThat(copy.left).isSameAs(copy.right);
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void argumentsOfACallArrive(Serializer serializer) {
    CallCodec codec =
        serializer.callCodec(
            int.class, String.class, Object.class, double[].class, Item.class, long.class);
    Item item = new Item(1, new Marked(2, null));
    for (int i = 0; i < 100; i++) {
      // After some calls the third parameter is expected to be an item, and then is none.
      Object any = i < 50 ? item : i % 2 == 0 ? List.of(1) : null;
      Object[] arguments = {i, "s" + i, any, new double[] {i}, i % 3 == 0 ? null : item, -1L};

      Object[] copy = codec.decode(codec.encode(arguments), serializer.ownTypes(), token -> token);

      assertThat(copy).usingRecursiveComparison().isEqualTo(arguments);
      if (i < 50 && copy[4] != null) {
        assertThat(copy[4]).isSameAs(copy[2]);
      }
    }
  }

  @Test
  void oneSideMaySpecialiseWhatTheOtherDoesNot() {
    Serializer plain = Serializer.builder().without(Specialisation.values()).allow(ALL).build();
    Serializer special = Serializer.builder().allow(ALL).build();
    Object[] arguments = {"text", new Item(1, new Item(2, null)), 3};
    Class<?>[] types = {String.class, Item.class, int.class};

    Object[] fromPlain =
        special
            .callCodec(types)
            .decode(plain.callCodec(types).encode(arguments), plain.ownTypes(), token -> token);

    Object[] fromSpecial =
        plain
            .callCodec(types)
            .decode(special.callCodec(types).encode(arguments), special.ownTypes(), token -> token);

    assertThat(fromPlain).usingRecursiveComparison().isEqualTo(arguments);
    assertThat(fromSpecial).usingRecursiveComparison().isEqualTo(arguments);
    assertThat(special.decode(plain.encode(arguments), plain.ownTypes(), token -> token))
        .usingRecursiveComparison()
        .isEqualTo(arguments);
    assertThat(plain.decode(special.encode(arguments), special.ownTypes(), token -> token))
        .usingRecursiveComparison()
        .isEqualTo(arguments);
  }

  @Test
  void aCallIsSmallerThanItsArgumentsAlone() {
    Serializer serializer = Serializer.builder().build();

    assertThat(serializer.callCodec().encode().bytes()).hasSize(1);
    assertThat(serializer.callCodec(int.class, String.class).encode(1, "abc").bytes()).hasSize(6);
  }

  @Test
  void largeArraysOfACallGoApart() {
    Serializer serializer = Serializer.builder().build();
    CallCodec codec = serializer.callCodec(double[].class, int.class);
    double[] field = new double[5000];

    EncodedGraph body = codec.encodeZeroCopy(field, 1);

    assertThat(body.arrays()).hasSize(1);
    assertThat(codec.decode(body, serializer.ownTypes(), token -> token)[0]).isSameAs(field);
    assertThat((double[]) codec.decode(codec.encode(field, 1), serializer.ownTypes(), t -> t)[0])
        .isNotSameAs(field)
        .hasSize(5000);
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    Serializer serializer = Serializer.builder().allow(ALL).build();
    CallCodec item = serializer.callCodec(Item.class);
    CallCodec object = serializer.callCodec(Object.class);
    CallCodec two = serializer.callCodec(int.class, int.class);

    assertThatThrownBy(
            () -> item.decode(object.encode(List.of(1)), serializer.ownTypes(), token -> token))
        .isInstanceOf(SerializationException.class);
    assertThatThrownBy(
            () -> two.decode(serializer.encode(1), serializer.ownTypes(), token -> token))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("1 arguments instead of 2");
    assertThatThrownBy(() -> decode(serializer, two.encode(1, 2)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("the arguments of a call");
    assertThatThrownBy(() -> item.encode(new Thread())).isInstanceOf(SerializationException.class);
  }

  interface Service {
    void take(@Reused double[][] rows, @Reused Item list, List<Integer> others);
  }

  private static Method take() {
    return Service.class.getDeclaredMethods()[0];
  }

  private static Object[] rows(double value) {
    return new Object[] {
      new double[][] {{value, value}, {value}},
      new Item((int) value, new Item((int) value + 1, null)),
      new ArrayList<>(List.of(1))
    };
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void whatIsDeclaredReusedIsReadIntoTheObjectsOfTheCallBefore(Serializer serializer) {
    CallCodec codec = serializer.callCodec(take());
    CallCodec.Previous previous = new CallCodec.Previous();
    Object[] first =
        codec.decode(codec.encode(rows(1)), serializer.ownTypes(), token -> token, previous);
    Object[] expected = rows(2);

    Object[] second =
        codec.decode(codec.encode(rows(2)), serializer.ownTypes(), token -> token, previous);

    assertThat(second).usingRecursiveComparison().isEqualTo(expected);
    assertThat(second[2]).isNotSameAs(first[2]);
    if (serializer.uses(Specialisation.REUSE) && serializer.uses(Specialisation.CALL_SITE)) {
      assertThat(second[0]).isSameAs(first[0]);
      assertThat(((double[][]) second[0])[1]).isSameAs(((double[][]) first[0])[1]);
      assertThat(((Item) second[1]).next).isSameAs(((Item) first[1]).next);
    } else {
      assertThat(second[0]).isNotSameAs(first[0]);
    }
  }

  interface Parts {
    void take(@Acyclic @Reused Item[] items, @Acyclic @Reused double[][] rows);
  }

  private static Object[] parts() {
    return new Object[] {
      new Item[] {new Item(1, null), new Item(2, null)}, new double[][] {{1, 2}, {3}}
    };
  }

  private static SerializationCounts ofTwoCalls(Specialisation... off) {
    Serializer serializer = Serializer.builder().without(off).counting(true).build();
    CallCodec codec = serializer.callCodec(Parts.class.getDeclaredMethods()[0]);
    CallCodec.Previous previous = new CallCodec.Previous();
    for (int call = 0; call < 2; call++) {
      codec.decode(codec.encodeZeroCopy(parts()), serializer.ownTypes(), token -> token, previous);
    }
    return serializer.tally();
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void whoLeavesSomethingOutUnderstandsWhoDoesNot(Serializer serializer) {
    Serializer whole = Serializer.builder().build();
    CallCodec there = whole.callCodec(Parts.class.getDeclaredMethods()[0]);
    CallCodec here = serializer.callCodec(Parts.class.getDeclaredMethods()[0]);

    Object[] read = here.decode(there.encode(parts()), whole.ownTypes(), token -> token);

    assertThat(read).usingRecursiveComparison().isEqualTo(parts());
  }

  @Test
  void whatEachSavesIsCounted() {
    assertThat(ofTwoCalls()).isEqualTo(new SerializationCounts(0, 6));
    assertThat(ofTwoCalls(Specialisation.REUSE)).isEqualTo(SerializationCounts.NONE);
    assertThat(ofTwoCalls(Specialisation.UNTRACKED)).isEqualTo(new SerializationCounts(12, 6));
    assertThat(ofTwoCalls(Specialisation.CALL_SITE).objectsReused()).isZero();
  }

  @Test
  void anArrayOfAnotherLengthIsNotCountedAsReused() {
    Serializer serializer = Serializer.builder().counting(true).build();
    CallCodec codec = serializer.callCodec(Parts.class.getDeclaredMethods()[0]);
    CallCodec.Previous previous = new CallCodec.Previous();
    codec.decode(codec.encode(parts()), serializer.ownTypes(), token -> token, previous);

    codec.decode(
        codec.encode(new Item[0], new double[][] {{1}, {3}}),
        serializer.ownTypes(),
        token -> token,
        previous);

    assertThat(serializer.tally().objectsReused()).isEqualTo(2); // the rows, and one of them
  }

  @Test
  void nothingIsCountedUnasked() {
    Serializer serializer = Serializer.builder().build();

    serializer.copy(new Item(1, new Item(2, null)));

    assertThat(serializer.tally()).isEqualTo(SerializationCounts.NONE);
  }

  @Test
  void anObjectIsNotReadIntoTwice() {
    Serializer serializer = Serializer.builder().build();
    CallCodec codec = serializer.callCodec(take());
    CallCodec.Previous previous = new CallCodec.Previous();
    double[] row = {1, 1};
    Item item = new Item(1, null);
    item.more = item;
    codec.decode(
        codec.encode(new double[][] {row, row}, item, null),
        serializer.ownTypes(),
        token -> token,
        previous);
    Item list = new Item(5, new Item(6, null));
    list.more = new Item(7, null);

    Object[] copy =
        codec.decode(
            codec.encode(new double[][] {{2, 3}, {4, 5}}, list, null),
            serializer.ownTypes(),
            token -> token,
            previous);

    assertThat((double[][]) copy[0]).isDeepEqualTo(new double[][] {{2, 3}, {4, 5}});
    assertThat(copy[1]).usingRecursiveComparison().isEqualTo(list);
  }

  @Test
  void objectsOfOtherSizesAndClassesAreMadeNew() {
    Serializer serializer = Serializer.builder().build();
    CallCodec codec = serializer.callCodec(take());
    CallCodec.Previous previous = new CallCodec.Previous();
    codec.decode(codec.encode(rows(1)), serializer.ownTypes(), token -> token, previous);
    Object[] other = {
      new double[][] {{1}, {2, 3, 4}, {5}}, new Marked(1, new Item(2, new Marked(3, null))), null
    };

    Object[] copy =
        codec.decode(codec.encode(other), serializer.ownTypes(), token -> token, previous);

    assertThat(copy).usingRecursiveComparison().isEqualTo(other);
  }

  @Test
  void mutatedCallsGiveArgumentsOrTheOneException() {
    Serializer serializer = Serializer.builder().allow(ALL).build();
    CallCodec codec =
        serializer.callCodec(String.class, Item.class, double[].class, Object.class, int.class);
    Item item = new Item(1, new Item(2, new Marked(3, null)));
    item.more = "text";
    EncodedGraph body =
        codec.encodeZeroCopy("text", item, new double[5000], new Strings(), Integer.MIN_VALUE);
    Random random = new Random(44);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = body.bytes().clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        codec.decode(
            new EncodedGraph(bytes, body.typeIds(), body.side(), body.arrays()),
            serializer.ownTypes(),
            token -> token,
            new CallCodec.Previous());
      } catch (SerializationException expected) {
        refused++;
      }
    }
    assertThat(refused).isBetween(5_000, 19_999);
  }
}
