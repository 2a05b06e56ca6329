package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.FutureReport.PendingLine;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** A node lists the results that it awaits from others, and the values that it owes to them. */
@Timeout(60)
class FutureListingTest {

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Computes behind a gate, or lets another object do so. */
  public static class Counter {

    public int countBehind(String gate) {
      Cell.gate("at " + gate).countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
      return 1;
    }

    public int countOf(Counter other, String gate) {
      return other.countBehind(gate);
    }
  }

  private Counter counter(int node) {
    return ActiveObjects.on(grid.get(node)).create(Counter.class);
  }

  private FutureReport futures(int node, int most) throws Exception {
    return grid.member(0).futures(grid.get(node), most).get(30, TimeUnit.SECONDS);
  }

  private int pending(int node) {
    return Waits.reportOf(grid.member(0).report(grid.get(node), Duration.ofMillis(2))).pending();
  }

  private List<String> hosts(int node) {
    try {
      return futures(node, 10).pending().stream().map(PendingLine::node).toList();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aResultNamesItsMakerItsObjectAndTheNodeThatComputesIt() throws Exception {
    var maker = counter(0);
    var busy = counter(1);
    CompletableFuture<Integer> answer =
        ActiveObjects.ref(maker).ask(each -> each.countOf(busy, "result of listing"));
    Waits.await(Cell.gate("at result of listing"), "the request at the gate");

    var listed = futures(0, 10);

    assertThat(listed.morePending()).isZero();
    assertThat(listed.pending())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.method()).isEqualTo("Counter.countBehind(String)");
              assertThat(each.type()).isEqualTo(Counter.class.getName());
              assertThat(each.object()).startsWith(grid.get(1).name() + "/");
              assertThat(each.node()).isEqualTo(grid.get(1).name());
              assertThat(each.madeBy()).startsWith(grid.get(0).name() + "/");
              assertThat(each.isAwaited()).isTrue();
              assertThat(each.seconds()).isBetween(0.0, 60.0);
            });
    assertThat(futures(1, 10).pending()).isEmpty();
    assertThat(List.of(pending(0), pending(1))).as("in their reports").containsExactly(1, 0);
    Cell.gate("result of listing").countDown();
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(futures(0, 10).pending()).isEmpty();
    assertThat(pending(0)).isZero();
  }

  @Test
  void aResultOfAnObjectThatHasMovedNamesItsHost() throws Exception {
    var maker = counter(0);
    var busy = counter(1);
    var moved = ActiveObjects.ref(busy).move(grid.get(2).id());
    Waits.valueOf(moved, "the move");
    CompletableFuture<Integer> answer =
        ActiveObjects.ref(maker).ask(each -> each.countOf(busy, "moved of listing"));
    Waits.await(Cell.gate("at moved of listing"), "the request at the gate");

    Waits.until( // the call may have reached the object by way of its former host
        () -> hosts(0).equals(List.of(grid.get(2).name())), "the news that the object has moved");
    assertThat(futures(0, 10).pending())
        .singleElement()
        .satisfies(each -> assertThat(each.object()).startsWith(grid.get(1).name() + "/"));
    assertThat(pending(0)).isEqualTo(1);
    Cell.gate("moved of listing").countDown();
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(futures(0, 10).pending()).isEmpty();
  }

  @Test
  void theOldestAreListedAndTheOthersCounted() throws Exception {
    var busy = counter(1);
    var maker = counter(0);
    var first = ActiveObjects.ref(maker).ask(each -> each.countOf(busy, "oldest of listing"));
    Waits.await(Cell.gate("at oldest of listing"), "the request at the gate");
    var other = counter(0);
    var second = ActiveObjects.ref(other).ask(each -> each.countOf(busy, "oldest of listing"));
    Waits.until(
        () -> {
          try {
            return futures(0, 1).morePending() == 1;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        },
        "the second call");

    var all = futures(0, 2).pending();

    assertThat(futures(0, 1).pending().getFirst().madeBy()).isEqualTo(all.getFirst().madeBy());
    assertThat(all.getFirst().seconds()).isGreaterThanOrEqualTo(all.getLast().seconds());
    Cell.gate("oldest of listing").countDown();
    assertThat(first.thenCombine(second, Integer::sum).get(30, TimeUnit.SECONDS)).isEqualTo(2);
  }
}
