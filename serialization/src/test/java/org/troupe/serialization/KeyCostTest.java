package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.graph.GraphReader;
import org.troupe.serialization.graph.GraphWriter;
import org.troupe.serialization.graph.Serializer;

/** What hashing and comparing keys costs is bounded before it is done. */
@Timeout(60)
class KeyCostTest {

  private static final Serializer SERIALIZER =
      Serializer.builder()
          .allow(TypeFilter.platform().or(TypeFilter.patterns("org.troupe.**")))
          .build();

  private static final Map<String, byte[]> MESSAGES = new DearMessages(SERIALIZER).all();

  static Stream<String> dear() {
    return MESSAGES.keySet().stream();
  }

  private static Object decode(byte[] message) {
    return SERIALIZER
        .decode(new EncodedGraph(message, new int[0], List.of()), SERIALIZER.ownTypes(), t -> t)[0];
  }

  @ParameterizedTest
  @MethodSource("dear")
  void aMessageWhoseKeysAreDearIsRefused(String name) {
    assertThatThrownBy(() -> decode(MESSAGES.get(name)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("its keys would take too long");
  }

  /** How long each takes, for the table in the documentation. */
  @Test
  @EnabledIfSystemProperty(
      named = "troupe.long",
      matches = "true",
      disabledReason = "prints a table; run with -Dtroupe.long=true")
  void tableOfTheDearest() {
    Map<String, String> outcomes = new HashMap<>();
    for (int round = 0; round < 3; round++) {
      MESSAGES.forEach(
          (name, message) -> {
            long start = System.nanoTime();
            String how;
            try {
              decode(message);
              how = "decoded";
            } catch (SerializationException e) {
              how = "refused";
            }
            System.out.printf(
                Locale.ROOT,
                "| %s | %d | %.2f | %s |%n",
                name,
                message.length,
                (System.nanoTime() - start) / 1e6,
                how);
            assertThat(outcomes.merge(name, how, (before, now) -> before)).isEqualTo(how);
          });
    }
  }

  /** Its hash is that of its number; its field leads to the whole graph. */
  static class Vertex implements Comparable<Vertex>, Serializable {
    final int number;
    final List<Vertex> neighbours = new ArrayList<>();
    Graph graph;

    Vertex(int number) {
      this.number = number;
    }

    @Override
    public int hashCode() {
      return Integer.hashCode(number);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Vertex vertex && same(vertex);
    }

    private boolean same(Vertex other) {
      return number == other.number && Objects.equals(name(), other.name());
    }

    String name() {
      return "v" + number;
    }

    @Override
    public int compareTo(Vertex other) {
      return Integer.compare(number, other.number);
    }
  }

  static class Graph {
    final Map<Vertex, Double> weights = new HashMap<>();
    final Set<Vertex> ordered = new TreeSet<>();
  }

  @Test
  void theVerticesOfAGraphMayBeKeys() {
    Graph graph = new Graph();
    Random random = new Random(1);
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Vertex vertex = new Vertex(i);
      vertex.graph = graph;
      vertices.add(vertex);
      graph.weights.put(vertex, (double) i);
      graph.ordered.add(vertex);
    }
    for (Vertex vertex : vertices) {
      for (int i = 0; i < 10; i++) {
        vertex.neighbours.add(vertices.get(random.nextInt(vertices.size())));
      }
    }

    Graph copy = SERIALIZER.copy(graph);

    assertThat(copy.weights.get(new Vertex(7))).isEqualTo(7.0);
    assertThat(copy.ordered).containsExactlyElementsOf(vertices);
  }

  /** A child knows its parent, whose children are a set. */
  static class Parent {
    final String name;
    final Set<Child> children = new HashSet<>();

    Parent(String name) {
      this.name = name;
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Parent parent && name.equals(parent.name);
    }
  }

  record Label(String text) {}

  static class Child {
    final Parent parent;
    final Label label;

    Child(Parent parent, Label label) {
      this.parent = parent;
      this.label = label;
    }

    @Override
    public int hashCode() {
      return Objects.hash(parent, label);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Child child
          && parent.equals(child.parent)
          && label.equals(child.label);
    }
  }

  @Test
  void childrenThatKnowTheirParentMayBeElements() {
    Parent parent = new Parent("p");
    for (int i = 0; i < 100; i++) {
      parent.children.add(new Child(parent, new Label("c" + i)));
    }

    Parent copy = SERIALIZER.copy(parent);

    assertThat(copy.children).hasSize(100).contains(new Child(copy, new Label("c7")));
  }

  @Test
  void manyKeysOfEverydayKindsArrive() {
    Map<Object, Object> all = new HashMap<>();
    TreeMap<Label, Integer> ordered =
        new TreeMap<>(
            ((Comparator<Label> & Serializable) KeyCostTest::byText)
                .thenComparing((Comparator<Label> & Serializable) KeyCostTest::byText)
                .reversed());
    for (int i = 0; i < 20_000; i++) {
      all.put(i, "i");
      all.put("s" + i, i);
      all.put(new Label("label" + i), (long) i);
      all.put(List.of(i, "e"), Map.of(i, i));
      ordered.put(new Label("label" + i), i);
    }
    all.put("ordered", ordered);
    all.put("table", new java.util.Hashtable<>(Map.of(1, 2, "three", 4)));

    assertThat(SERIALIZER.copy(all)).isEqualTo(all);
  }

  static int byText(Label one, Label other) {
    return one.text.compareTo(other.text);
  }

  @Test
  void aBombOfAnEarlierGraphOfAStreamIsSeen() {
    Object bomb = "x";
    for (int i = 0; i < 45; i++) {
      bomb = Arrays.asList(bomb, bomb);
    }
    ByteOutput out = new ByteOutput();
    GraphWriter writer = SERIALIZER.writer(out);
    writer.write(bomb);
    int second = out.size();
    writer.write(new ArrayList<>(Arrays.asList(bomb, 1)));
    byte[] bytes = out.toByteArray();
    bytes[second + 5] = SERIALIZER.encode(new HashSet<>()).bytes()[2];
    GraphReader reader = SERIALIZER.reader(new ByteInput(bytes));
    reader.read();

    assertThatThrownBy(reader::read).hasMessageContaining("its keys would take too long");
  }

  @Test
  void fieldsInTheMiddleOfAQueueAreRefused() {
    EncodedGraph queue = SERIALIZER.encode(new java.util.concurrent.ConcurrentLinkedQueue<>());
    byte[] bytes = queue.bytes();
    assertThat(bytes[bytes.length - 1]).isZero();
    bytes[bytes.length - 1] = 3;

    assertThatThrownBy(() -> decode(bytes)).isInstanceOf(SerializationException.class);
  }
}
