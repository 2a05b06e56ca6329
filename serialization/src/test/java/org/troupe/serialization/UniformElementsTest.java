package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** Collections whose elements are values of one class arrive as they are, in fewer bytes. */
class UniformElementsTest {

  private static final List<Function<Collection<Object>, Collection<Object>>> COLLECTIONS =
      List.of(
          ArrayList::new,
          LinkedList::new,
          ArrayDeque::new,
          HashSet::new,
          LinkedHashSet::new,
          List::copyOf,
          Set::copyOf);

  private final Serializer serializer =
      Serializer.builder()
          .allow(TypeFilter.platform().or(TypeFilter.patterns("org.troupe.**")))
          .build();

  /** Some constants of it have classes of their own. */
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

  private Object copy(Object value) {
    Object copy = serializer.copy(value);
    assertThat(copy).hasSameClassAs(value);
    return copy;
  }

  private int size(Object value) {
    return serializer.encode(value).bytes().length;
  }

  @Test
  void valuesOfEachClassArriveInEachCollection() {
    List<List<Object>> values =
        List.of(
            List.of(true, false),
            List.of((byte) -1, (byte) 2),
            List.of((short) -1, (short) 2),
            List.of('a', '\uffff'),
            List.of(1, Integer.MIN_VALUE, Integer.MAX_VALUE),
            List.of(1L, Long.MIN_VALUE, Long.MAX_VALUE),
            List.of(1f, Float.NaN),
            List.of(1d, -0.0),
            List.of(BigInteger.ONE, BigInteger.TEN.pow(100)),
            List.of(BigDecimal.ONE, new BigDecimal("1.50")),
            List.of(LocalDate.EPOCH, LocalDate.MAX),
            List.of(Instant.EPOCH, Instant.MIN),
            List.of(new UUID(1, 2), new UUID(3, 4)),
            List.of(OptionalInt.of(1), OptionalInt.empty()),
            List.of(String.class, Integer.class),
            List.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
            List.of(Shape.ROUND, Shape.SQUARE),
            List.of("one", "two"));
    for (List<Object> each : values) {
      for (var collection : COLLECTIONS) {
        Collection<Object> sent = collection.apply(each);
        Object copy = copy(sent);
        assertThat(new ArrayList<Object>((Collection<?>) copy))
            .as("%s in %s", each, sent.getClass())
            .containsExactlyInAnyOrderElementsOf(each);
        if (!(sent instanceof Set)) {
          assertThat(new ArrayList<Object>((Collection<?>) copy)).isEqualTo(new ArrayList<>(sent));
        }
      }
    }
  }

  @Test
  void sortedCollectionsAndImmutableMapsArrive() {
    TreeSet<Integer> descending = new TreeSet<>(Collections.reverseOrder());
    descending.addAll(List.of(1, 2, 3));
    assertThat((TreeSet<?>) copy(descending)).hasToString("[3, 2, 1]");
    assertThat(
            new ArrayList<Object>((PriorityQueue<?>) copy(new PriorityQueue<>(List.of(3, 1, 2)))))
        .containsExactlyInAnyOrder(1, 2, 3);
    assertThat(copy(Map.of(1, 2, 3, 4))).isEqualTo(Map.of(1, 2, 3, 4));
    assertThat(copy(Map.entry(1, 2))).isEqualTo(Map.entry(1, 2));
  }

  @Test
  void otherElementsKeepTheirClassesNullsAndIdentity() {
    Object shared = new int[] {1};
    List<Object> sent = new ArrayList<>(Arrays.asList(1, 2L, null, shared, shared, "a", "a"));
    List<?> read = (List<?>) copy(sent);

    assertThat(read.subList(0, 3)).isEqualTo(Arrays.asList(1, 2L, null));
    assertThat(read.get(3)).isSameAs(read.get(4));
    assertThat(read.subList(5, 7)).isEqualTo(List.of("a", "a"));
    assertThat(copy(new ArrayList<>(Arrays.asList(1, null)))).isEqualTo(Arrays.asList(1, null));
    assertThat(copy(new ArrayList<>(Arrays.asList(null, 1)))).isEqualTo(Arrays.asList(null, 1));
  }

  @Test
  void objectsAfterThemAreStillFoundAgain() {
    int[] shared = {1};
    List<Object> numbers = new ArrayList<>(List.of(1L, 2L, 3L));
    Object[] read = (Object[]) copy(new Object[] {shared, numbers, shared, numbers});

    assertThat(read[2]).isSameAs(read[0]);
    assertThat(read[3]).isSameAs(read[1]).isEqualTo(numbers);
  }

  @Test
  void theClassIsWrittenOnce() {
    List<Integer> numbers = new ArrayList<>(Collections.nCopies(100, 7));

    assertThat(size(numbers)).isEqualTo(size(new ArrayList<>()) + 2 + 100);
  }

  @Test
  void veryDeepListsArrive() {
    for (var collection : COLLECTIONS) {
      Object deep = collection.apply(List.of(1, 2));
      for (int level = 0; level < 400; level++) {
        deep = new ArrayList<>(Collections.singletonList(deep));
      }
      Object inner = copy(deep);
      for (int level = 0; level < 400; level++) {
        inner = ((List<?>) inner).getFirst();
      }
      assertThat((Collection<?>) inner)
          .hasSameClassAs(collection.apply(List.of(1, 2)))
          .map(Object::toString)
          .containsExactlyInAnyOrder("1", "2");
    }
  }
}
