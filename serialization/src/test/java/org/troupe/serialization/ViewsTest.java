package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/** A view of a collection travels as a plain copy of what it shows. */
class ViewsTest {

  private static final List<Integer> LIST = List.of(1, 2, 3, 4);

  private static Object sent(Object value) {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode(value);
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(new TypeDefinition(id, sender.ownTypes().definition(id).encoded()));
    }
    return Serializer.builder().build().decode(body, table, t -> t)[0];
  }

  private static Map<String, Integer> linked() {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", null);
    return map;
  }

  static Stream<Arguments> views() {
    Map<TimeUnit, Integer> units = new EnumMap<>(Map.of(TimeUnit.DAYS, 1));
    return Stream.of(
        Arguments.of(new ArrayList<>(LIST).subList(1, 3), ArrayList.class),
        Arguments.of(new ArrayList<>(LIST).subList(0, 4).subList(1, 2), ArrayList.class),
        Arguments.of(LIST.subList(1, 3), ArrayList.class),
        Arguments.of(Arrays.asList(1, null, 3).subList(1, 3), ArrayList.class),
        Arguments.of(new Vector<>(LIST).subList(1, 3), null),
        Arguments.of(new CopyOnWriteArrayList<>(LIST).subList(1, 3), ArrayList.class),
        Arguments.of(new ArrayList<>(LIST).reversed(), ArrayList.class),
        Arguments.of(LIST.reversed(), ArrayList.class),
        Arguments.of(new LinkedList<>(LIST).reversed(), LinkedList.class),
        Arguments.of(linked().keySet(), LinkedHashSet.class),
        Arguments.of(linked().entrySet(), LinkedHashSet.class),
        Arguments.of(((LinkedHashMap<String, Integer>) linked()).reversed(), LinkedHashMap.class),
        Arguments.of(new LinkedHashSet<>(LIST).reversed(), LinkedHashSet.class),
        Arguments.of(Map.of("k", 1).keySet(), LinkedHashSet.class),
        Arguments.of(Map.of("k", 1).entrySet(), null),
        Arguments.of(new Hashtable<>(Map.of("k", 1)).entrySet(), null),
        Arguments.of(new ConcurrentHashMap<>(Map.of("k", 1)).entrySet(), LinkedHashSet.class),
        Arguments.of(new TreeMap<>(Map.of("k", 1, "l", 2)).keySet(), TreeSet.class),
        Arguments.of(new TreeMap<>(Map.of("k", 1, "l", 2)).descendingKeySet(), TreeSet.class),
        Arguments.of(new TreeMap<>(Map.of("k", 1)).entrySet(), LinkedHashSet.class),
        Arguments.of(new ConcurrentSkipListMap<>(Map.of("k", 1)).keySet(), TreeSet.class),
        Arguments.of(new TreeSet<>(LIST).reversed(), null),
        Arguments.of(units.keySet(), LinkedHashSet.class),
        Arguments.of(units.entrySet(), LinkedHashSet.class),
        Arguments.of(new Properties().keySet(), null),
        Arguments.of(linked().entrySet().iterator().next(), AbstractMap.SimpleEntry.class),
        Arguments.of(new TreeMap<>(Map.of("k", 1)).firstEntry(), null),
        Arguments.of(Collections.unmodifiableList(new ArrayList<>(LIST).subList(1, 3)), null),
        Arguments.of(Collections.unmodifiableSet(linked().keySet()), null),
        Arguments.of(Collections.unmodifiableMap(linked()).entrySet(), null),
        Arguments.of(Collections.synchronizedList(new ArrayList<>(LIST).subList(1, 3)), null),
        Arguments.of(Collections.synchronizedMap(linked()).keySet(), null),
        Arguments.of(
            Collections.checkedList(new ArrayList<>(LIST).subList(1, 3), Integer.class), null),
        Arguments.of(Collections.singletonList(1).subList(0, 1), null),
        Arguments.of(Collections.nCopies(3, 1).subList(0, 2), null));
  }

  @ParameterizedTest
  @MethodSource("views")
  void travelAsWhatTheyShow(Object view, Class<?> expected) {
    Object there = sent(view);

    assertThat(there).isEqualTo(view).hasToString(view.toString());
    if (expected != null) {
      assertThat(there.getClass()).isSameAs(expected);
    }
  }

  @Test
  void collectionsWithoutEqualsKeepTheirOrder() {
    assertThat(sent(linked().values())).isInstanceOf(ArrayList.class).hasToString("[1, null]");
    assertThat(sent(Map.of(1, 2).values())).hasToString("[2]");
    assertThat(sent(new ArrayDeque<>(LIST).reversed())).hasToString("[4, 3, 2, 1]");
    assertThat(sent(new ConcurrentHashMap<>(Map.of(1, 2)).values())).hasToString("[2]");
  }

  static class Holder {
    List<Integer> part;
    Object same;
    SortedSet<String> keys;
    Set<Map.Entry<String, Integer>> entries;
  }

  @Test
  void aViewInAFieldStaysOneObject() {
    Holder holder = new Holder();
    holder.part = new ArrayList<>(LIST).subList(1, 3);
    holder.same = holder.part;
    holder.keys = new TreeMap<>(Map.of("k", 1)).navigableKeySet();
    holder.entries = new HashMap<>(Map.of("k", 1)).entrySet();

    Holder copy = Serializer.builder().build().copy(holder);

    assertThat(copy.part).containsExactly(2, 3).isSameAs(copy.same);
    assertThat(copy.keys).containsExactly("k");
    assertThat(copy.entries).containsExactly(Map.entry("k", 1));
  }
}
