package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.graph.GraphReader;
import org.troupe.serialization.graph.GraphWriter;
import org.troupe.serialization.graph.Serializer;

/** A stream of graphs needs nothing beside it, and keeps what its graphs share until reset. */
class GraphStreamTest {

  static class Person {
    String name;
    Person friend;
    Object more;

    Person(String name) {
      this.name = name;
    }
  }

  record Pair(Object left, Object right) {}

  private static Serializer serializer() {
    return Serializer.builder()
        .allow(TypeFilter.platform().or(TypeFilter.patterns("org.troupe.serialization.*")))
        .build();
  }

  private final ByteOutput out = new ByteOutput();
  private final ByteInput in = new ByteInput(new byte[0]);
  private final GraphWriter writer = serializer().writer(out);
  private final GraphReader reader = serializer().reader(in);

  /** Carries over what was written since the last time. */
  private GraphReader carried() {
    byte[] bytes = out.toByteArray();
    out.clear();
    in.refill(bytes, 0, bytes.length);
    return reader;
  }

  private Object sent(Object graph) {
    writer.write(graph);
    return carried().read();
  }

  @Test
  void graphsArriveInTheOrderInWhichTheyWereWritten() {
    writer.write(new Person("a"));
    writer.write(null);
    writer.write(Map.of(1, List.of(2)));
    writer.write(new double[] {1.5});
    carried();

    assertThat(((Person) reader.read()).name).isEqualTo("a");
    assertThat(reader.read()).isNull();
    assertThat(reader.read()).isEqualTo(Map.of(1, List.of(2)));
    assertThat((double[]) reader.read()).containsExactly(1.5);
    assertThat(in.remaining()).isZero();
  }

  @Test
  void whatSeveralGraphsHoldStaysOneObject() {
    Person eve = new Person("Eve");
    Person ada = new Person("Ada");
    eve.friend = ada;
    ada.friend = eve;

    Person first = (Person) sent(eve);
    Person second = (Person) sent(ada);
    Pair pair = (Pair) sent(new Pair(ada, new Pair(eve, "x")));

    assertThat(first.friend).isSameAs(second);
    assertThat(second.friend).isSameAs(first);
    assertThat(pair.left()).isSameAs(second);
    assertThat(((Pair) pair.right()).left()).isSameAs(first);
  }

  @Test
  void anObjectStaysAsItWasWhenFirstWritten() {
    Person eve = new Person("Eve");
    Person first = (Person) sent(eve);
    eve.name = "Eva";

    assertThat(sent(eve)).isSameAs(first);
    assertThat(first.name).isEqualTo("Eve");
  }

  @Test
  void afterAResetObjectsAreWrittenAnew() {
    Person eve = new Person("Eve");
    Person first = (Person) sent(eve);
    eve.name = "Eva";
    writer.reset();
    Person second = (Person) sent(eve);

    assertThat(second).isNotSameAs(first);
    assertThat(second.name).isEqualTo("Eva");
    assertThat(sent(new Pair(eve, 1))).isEqualTo(new Pair(second, 1));
  }

  @Test
  void aTypeIsDefinedOnceForAllResets() {
    writer.write(new Person("a"));
    int first = out.size();
    out.clear();
    writer.reset();
    writer.write(new Person("a"));

    assertThat(first).isGreaterThan(100);
    assertThat(out.size()).isLessThan(20);
  }

  @Test
  void aGraphThatCannotTravelLeavesNoTrace() {
    Person eve = new Person("Eve");
    Person first = (Person) sent(eve);
    Person ada = new Person("Ada");
    Object refused = new Object[] {ada, new Pair(eve, new Thread())};

    assertThatThrownBy(() -> writer.write(refused))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("cannot encode 'Object[][1].right'")
        .hasMessageContaining("a thread runs in its own JVM");
    assertThat(out.size()).isZero();

    // Ada and the Pair were written before the Thread was met.
    Pair pair = (Pair) sent(new Pair(ada, eve));
    assertThat(((Person) pair.left()).name).isEqualTo("Ada");
    assertThat(pair.right()).isSameAs(first);
  }

  @Test
  void aFullOutputDropsTheGraphAndItsDefinitions() {
    ByteOutput small = new ByteOutput(16, 60);
    GraphWriter narrow = serializer().writer(small);

    assertThatThrownBy(() -> narrow.write(new Person("x".repeat(30))))
        .hasMessageContaining("more than 60 bytes");
    assertThatThrownBy(() -> narrow.write(new Person("definitions of more than 60")))
        .hasMessageContaining("more than 60 bytes");
    assertThat(small.size()).isZero();
    narrow.write("fits");
    assertThat(serializer().reader(new ByteInput(small.toByteArray())).read()).isEqualTo("fits");
  }

  @Test
  void aGraphThatCannotBeReadIsPassedOverAndReadingGoesOnAfterAReset() {
    GraphReader strict = Serializer.builder().build().reader(in);
    writer.write(new ArrayList<>(List.of("a", new Person("b"))));
    writer.write("no reset yet");
    writer.reset();
    writer.write(List.of("fresh"));
    carried();

    assertThatThrownBy(strict::read).hasMessageContaining("Person' is not allowed here");
    assertThatThrownBy(strict::read)
        .hasMessageContaining("an earlier graph of this stream was skipped or could not be read");
    assertThat(strict.read()).isEqualTo(List.of("fresh"));
  }

  @Test
  void theDefinitionsInASkippedGraphCount() {
    writer.write(new Person("a"));
    carried().skip();
    writer.reset();

    assertThat(((Person) sent(new Person("b"))).name).isEqualTo("b");
  }

  @Test
  void tokensTravelInTheirPlacesAndAreResolvedOnce() {
    Thread thread = Thread.currentThread();
    Serializer sender =
        Serializer.builder()
            .substitution(
                value -> value instanceof Thread ? new ArrayList<>(List.of("thread")) : null)
            .build();
    List<Object> asked = new ArrayList<>();
    Serializer receiver =
        Serializer.builder()
            .resolver(
                token -> {
                  asked.add(token);
                  return Thread.currentThread();
                })
            .build();
    GraphWriter threads = sender.writer(out);
    threads.write(List.of(thread, thread));
    threads.write(thread);
    GraphReader there = receiver.reader(new ByteInput(out.toByteArray()));

    assertThat(there.read()).isEqualTo(List.of(thread, thread));
    assertThat(there.read()).isSameAs(thread);
    assertThat(asked).containsExactly(List.of("thread"));
  }

  @Test
  void aDeepListIsNoTrouble() {
    Person last = new Person("last");
    Person first = last;
    for (int i = 0; i < 100_000; i++) {
      Person before = new Person("p");
      before.friend = first;
      first = before;
    }

    Person there = (Person) sent(first);
    Person thereLast = (Person) sent(last);

    while (there.friend != null) {
      there = there.friend;
    }
    assertThat(there).isSameAs(thereLast);
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void damagedStreamsGiveGraphsOrTheOneException() {
    Person eve = new Person("Eve");
    eve.friend = new Person("Ada");
    eve.more = new Pair(eve, new int[] {1, 2, 3});
    writer.write(eve);
    writer.write(eve.friend);
    writer.reset();
    writer.write(new ArrayList<>(Arrays.asList(eve, null, Map.of("k", eve))));
    byte[] stream = out.toByteArray();
    Random random = new Random(7);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = Mutations.of(stream, random);
      GraphReader there = serializer().reader(new ByteInput(damaged));
      try {
        for (int graph = 0; graph < 3; graph++) {
          there.read();
        }
      } catch (SerializationException expected) {
        refused++;
      } catch (Throwable t) {
        throw new AssertionError("stream " + i + ": " + Arrays.toString(damaged), t);
      }
    }
    assertThat(refused).isBetween(5_000, 19_999);
  }

  private static GraphWriter reentered;

  static class Meddler implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      reentered.write("inner");
    }
  }

  @Test
  void aHookCannotWriteToTheStreamThatItsObjectIsWrittenTo() {
    reentered = writer;

    assertThatThrownBy(() -> writer.write(new Object[] {new Meddler()}))
        .hasMessageContaining("write to what the hook is given");

    assertThat(sent("afterwards")).isEqualTo("afterwards");
  }
}
