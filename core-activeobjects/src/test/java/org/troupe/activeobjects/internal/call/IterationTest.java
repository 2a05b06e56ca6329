package org.troupe.activeobjects.internal.call;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.testing.LogRecords;

/** Active objects that are iterated, and those that give what iterates. */
@Timeout(60)
class IterationTest {

  private static LocalNodes nodes;

  @BeforeAll
  static void start() {
    nodes = LocalNodes.start(1);
  }

  @AfterAll
  static void end() {
    nodes.close();
  }

  /** Keeps words. */
  static class Words implements Iterable<String> {
    private final List<String> words = new ArrayList<>();

    void add(String word) {
      words.add(word);
    }

    int size() {
      return words.size();
    }

    @Override
    public Iterator<String> iterator() {
      return words.iterator();
    }
  }

  /** Counts without an end. */
  static class Numbers implements Iterable<Integer> {
    @Override
    public Iterator<Integer> iterator() {
      return Stream.iterate(0, number -> number + 1).iterator();
    }
  }

  /** Gives what cannot travel, and what might. */
  static class Cursors {
    Iterator<String> iterator() {
      return List.of("a").iterator();
    }

    Stream<String> stream() {
      return Stream.of("a");
    }

    Iterable<String> iterable() {
      return List.of("a");
    }

    List<String> list() {
      return List.of("a");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesOverACopyOfTheElements(boolean here) {
    var place = here ? ActiveObjects.here() : ActiveObjects.on(nodes.get(0));
    var words = place.create(Words.class);
    words.add("call");
    words.add("me");

    var seen = new ArrayList<String>();
    for (var word : words) {
      words.add(word + "!"); // of the object: the copy stays as it is
      seen.add(word);
    }
    assertThat(seen).containsExactly("call", "me");
    assertThat(words.size()).isEqualTo(4);

    seen.clear();
    words.forEach(seen::add);
    assertThat(seen).containsExactly("call", "me", "call!", "me!");
    assertThat(StreamSupport.stream(words.spliterator(), false)).hasSize(4);
    var iterator = words.iterator();
    assertThat(iterator.next()).isEqualTo("call");
    assertThatThrownBy(iterator::remove)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("gives a copy of its elements");
  }

  @Test
  void endsWhereAnIteratorDoesNot() {
    var numbers = ActiveObjects.on(nodes.get(0)).create(Numbers.class);
    assertThatThrownBy(() -> numbers.iterator().next())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Numbers.iterator() gives more than 1")
        .hasMessageContaining("add a method that returns a part of them as a List");
  }

  @Test
  void explainWarnsOfResultsThatCannotTravel() {
    assertThat(ActiveObjects.explain(Cursors.class))
        .contains(
            "Iterator iterator()\n      returns at once, with a transparent future\n      warning: of"
                + " the platform's classes no Iterator travels, so calls fail; return a List",
            "warning: of the platform's classes no Stream travels",
            "warning: an Iterable of the platform's classes can be sent if it is a collection")
        .containsSubsequence(
            "List list()\n      returns at once, with a transparent future\n  Stream");
    assertThat(ActiveObjects.explain(Words.class))
        .doesNotContain("warning")
        .contains(
            "Iterator iterator()\n      iterates a copy of the elements, which are fetched together",
            "void forEach(Consumer)\n      iterates a copy of the elements, which iterator() fetches");
  }

  /** Gives a stream. */
  static class Streaming {
    Stream<String> stream() {
      return Stream.of("a");
    }

    Iterator<String> iterator() {
      return new ArrayList<>(List.of("a")).iterator();
    }
  }

  @Test
  void creationWarnsOnceOfResultsThatCannotTravel(LogRecords records) throws Exception {
    assertThat(ActiveType.of(Cursors.class).warn())
        .containsExactlyInAnyOrder("Cursors.iterator()", "Cursors.stream()", "Cursors.iterable()");
    assertThat(ActiveType.of(Cursors.class).warn()).isEmpty();
    records.expect(WARNING, "Cursors.iterable()", "can be sent if it is a collection");
    records.expect(WARNING, "Cursors.iterator()", "no Iterator travels");
    records.expect(WARNING, "Cursors.stream()", "no Stream travels");

    var streaming = ActiveObjects.here().create(Streaming.class);
    assertThat(ActiveType.of(Streaming.class).warn()).as("what was not told yet").isEmpty();
    records.expect(WARNING, "Streaming.iterator()", "no Iterator travels");
    records.expect(WARNING, "Streaming.stream()", "no Stream travels");
    assertThatThrownBy(() -> streaming.iterator().next()).hasMessageContaining("Itr");
  }
}
