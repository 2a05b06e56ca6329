package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The order of writes under random deliveries, joins and losses. {@code -Dtroupe.replicas.runs}
 * sets the number of schedules of each kind.
 */
@Timeout(600)
class WriteOrderTest {

  private static final int RUNS = Integer.getInteger("troupe.replicas.runs", 1_000);
  private static final int STEPS = 400;

  private static void explore(int count, int losses) {
    for (var seed = 1; seed <= RUNS; seed++) {
      var run = new OrderExplorer(seed, count, OrderFault.NONE);
      run.explore(STEPS, losses);
      assertThat(run.problems()).as(count + " members, seed " + seed).isEmpty();
    }
  }

  @Test
  void isOneWithoutLosses() {
    explore(3, 0);
  }

  @Test
  void isOneWithLossesOfAnyMember() {
    explore(3, 3);
    explore(4, 8);
  }

  @Test
  void isOneWhenFewAreLeft() {
    explore(2, 12);
  }

  @Test
  void isOneWhereverTheSequencerIsLost() {
    for (var killed = 1; killed < STEPS; killed++) {
      for (var seed = 1; seed <= Math.max(1, RUNS / 250); seed++) {
        var run = new OrderExplorer(seed, 3, OrderFault.NONE);
        run.explore(killed, 0);
        run.loseSequencer();
        run.explore(STEPS - killed, 0);
        assertThat(run.problems()).as("lost at step " + killed + ", seed " + seed).isEmpty();
      }
    }
  }

  @Test
  void endsOnAllNodesWhereverItIsClosed() {
    for (var closed = 1; closed < STEPS; closed++) {
      for (var seed = 1; seed <= Math.max(1, RUNS / 250); seed++) {
        var run = new OrderExplorer(seed, 1 + seed % 4, OrderFault.NONE);
        run.explore(closed, seed % 3);
        run.close();
        run.explore(STEPS - closed, seed % 3 == 0 ? 0 : 6);
        assertThat(run.problems()).as("closed at step " + closed + ", seed " + seed).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2"}) // seeds with two and three clusters
  void sendsWritesToEachOtherClusterOnce(int seed, int others) {
    var run = new OrderExplorer(seed, 7, OrderFault.NONE);

    assertThat(run.crossings())
        .hasSize(7)
        .allSatisfy((write, count) -> assertThat(count).isEqualTo(others));
  }

  /** A check of the explorer: it finds each way in which the protocol can be broken. */
  @ParameterizedTest
  @EnumSource(value = OrderFault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void wouldNotBeOneWith(OrderFault fault) {
    for (var seed = 1; seed <= 50_000; seed++) {
      if (!isOneWith(fault, seed)) {
        assertThat(isOneWith(OrderFault.NONE, seed)).isTrue();
        return;
      }
    }
    fail("no schedule has shown the fault");
  }

  private static boolean isOneWith(OrderFault fault, int seed) {
    var run = new OrderExplorer(seed, 2 + seed % 3, fault);
    run.explore(STEPS, 4);
    return run.problems().isEmpty();
  }
}
