package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Ref;
import org.troupe.testing.Polling;

/** Writers on all nodes, while nodes are killed and others join. */
@Timeout(120)
class LostReplicasTest {

  private static final int ROUNDS = 4;
  private static final int WRITES = 60;

  static class Journal {
    private final List<String> entries = new ArrayList<>();

    Journal() {}

    public void add(String entry) {
      entries.add(entry);
    }

    public int size() {
      return entries.size();
    }

    @Reads
    public List<String> entries() {
      return entries;
    }
  }

  /** How the writes of a writer ended. */
  record Outcome(List<String> done, List<String> lost) {}

  static class Writer {
    private final Journal journal;

    Writer(Replicated<Journal> journals) {
      journal = journals.here();
    }

    public Outcome write(String name) {
      var outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
      for (var i = 0; i < WRITES; i++) {
        var entry = name + " " + i;
        try {
          journal.add(entry);
          outcome.done().add(entry);
        } catch (WriteLostException e) {
          outcome.lost().add(entry);
        }
      }
      return outcome;
    }

    public int size() {
      return journal.size();
    }

    public List<String> entries() {
      return journal.entries();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void leaveTheOthersWithTheSameWrites(int seed) {
    var random = new Random(seed);
    try (var nodes = LocalNodes.start(3)) {
      var journals = Replicas.on(nodes.nodes()).create(Journal.class);
      Map<Integer, Ref<Writer>> writers = new TreeMap<>();
      for (var node = 0; node < 3; node++) {
        writers.put(node, writer(nodes.get(node), journals));
      }
      List<String> done = new ArrayList<>();
      List<String> lost = new ArrayList<>();
      for (var round = 0; round < ROUNDS; round++) {
        var tag = "round " + round + ", node ";
        var victim = new ArrayList<>(writers.keySet()).get(round % 2 == 0 ? 0 : random.nextInt(3));
        var observer = writer(nodes.get(victim), journals);
        var enough = observer.ask(Writer::size).join() + random.nextInt(2 * WRITES);
        Map<Integer, CompletableFuture<Outcome>> writing = new TreeMap<>();
        writers.forEach((node, each) -> writing.put(node, each.ask(w -> w.write(tag + node))));
        var joining = nodes.join();
        awaitSize(observer, enough);
        nodes.kill(victim);
        writers.remove(victim);
        writers.put(3 + round, writer(joining, journals));
        for (var node : writers.keySet()) {
          if (writing.containsKey(node)) {
            var outcome = writing.get(node).join();
            done.addAll(outcome.done());
            lost.addAll(outcome.lost());
          }
        }
      }
      var last = writers.get(2 + ROUNDS).ask(w -> w.write("at the end")).join();
      done.addAll(last.done());
      var expected = writers.get(2 + ROUNDS).ask(Writer::entries).join();
      assertThat(expected).doesNotHaveDuplicates().doesNotContainAnyElementsOf(lost);
      assertThat(new HashSet<>(expected)).containsAll(done);
      for (var each : writers.values()) {
        awaitSize(each, expected.size());
        assertThat(each.ask(Writer::entries).join()).isEqualTo(expected);
      }
    }
  }

  private static Ref<Writer> writer(Node node, Replicated<Journal> journals) {
    return CreatedClients.of(() -> ActiveObjects.on(node).create(Writer.class, journals));
  }

  private static void awaitSize(Ref<Writer> writer, int size) {
    Polling.until(
        "the replica has " + size + " entries", () -> writer.ask(Writer::size).join() >= size);
  }
}
