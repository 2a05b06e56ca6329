package org.troupe.skeletons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.testing.LogRecords;

@Timeout(60)
class FlowOnNodesTest {

  private static final Set<Counting> counters = ConcurrentHashMap.newKeySet();

  /** The state of a worker. */
  static final class Counting {
    private int calls;

    Counting() {
      counters.add(this);
    }

    String count(int number) {
      calls++;
      return number + " by " + ActiveObjects.node().name();
    }
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void nodesTakeInputsAndKeepStates() {
    counters.clear();
    try (var nodes = LocalNodes.start(2);
        var flow =
            Skeletons.farm(Counting::new, (Counting state, Integer i) -> state.count(i))
                .on(nodes.nodes())) {
      var results = flow.all(numbers(3_000));
      assertThat(results).hasSize(3_000);
      for (var i = 0; i < results.size(); i++) {
        assertThat(results.get(i)).startsWith(i + " by ");
      }
      assertThat(counters.stream().mapToInt(each -> each.calls).sum()).isEqualTo(3_000);
    }
  }

  @Test
  void inputsOfALostNodeAreRepeated(LogRecords records) {
    records.allow(Level.WARNING, "");
    try (var nodes = LocalNodes.start(3);
        var flow = Skeletons.<Integer, Integer>step(i -> i * 2).on(nodes.nodes())) {
      Set<Integer> results = new HashSet<>();
      List<Integer> twice = new ArrayList<>();
      flow.each(
          numbers(20_000),
          result -> {
            if (!results.add(result)) {
              twice.add(result);
            }
            if (results.size() == 200) {
              nodes.kill(0);
            } else if (results.size() == 1_000) {
              nodes.join();
              nodes.kill(1);
            }
          });
      assertThat(results).hasSize(20_000);
      assertThat(twice).isEmpty();
    }
  }

  @Test
  void failuresAndPartsTravel() {
    var skeleton =
        Skeletons.<Integer, Long, Long, Long>map(
                i -> LongStream.range(0, i % 5).boxed().toList(),
                Skeletons.step(part -> part * part),
                squares -> squares.stream().mapToLong(Long::longValue).sum())
            .then(
                Skeletons.<Long, Long>step(
                    sum -> {
                      if (sum == 14) {
                        throw new IOException("fourteen");
                      }
                      return sum;
                    }));
    try (var nodes = LocalNodes.start(2);
        var flow = skeleton.on(nodes.nodes())) {
      assertThat(flow.all(List.of(0, 1, 2, 3, 6))).containsExactly(0L, 0L, 1L, 5L, 0L);
      assertThatThrownBy(() -> flow.all(numbers(10)))
          .isInstanceOf(InputFailedException.class)
          .hasMessageContaining("input 4 (4) failed in step 4: java.io.IOException: fourteen")
          .hasCauseInstanceOf(IOException.class);
    }
  }
}
