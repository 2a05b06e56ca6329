package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Objects leave a node together, by themselves when it leaves its grid. */
@Timeout(60)
class EvacuationTest {

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Keeps numbers, and may hold another one. */
  public static class Ledger {
    private final List<Integer> numbers = new ArrayList<>();
    private Ledger inner;

    public int enter(int number) {
      numbers.add(number);
      return number;
    }

    public List<Integer> numbers() {
      return List.copyOf(numbers);
    }

    public String place() {
      return ActiveObjects.node().name();
    }

    public void makeInner() {
      inner = ActiveObjects.here().create(Ledger.class);
      inner.enter(17);
    }

    public String innerPlace() {
      return inner.place() + inner.numbers();
    }
  }

  /** Cannot move. */
  public static class SharedLedger extends Ledger {
    @Concurrent("reads")
    @Override
    public List<Integer> numbers() {
      return super.numbers();
    }
  }

  private Ledger sharedLedger(Options options) {
    return ActiveObjects.on(grid.get(0)).with(options).create(SharedLedger.class);
  }

  private Ledger ledger(Options options) {
    return ActiveObjects.on(grid.get(0)).with(options).create(Ledger.class);
  }

  private void releaseFirst() {
    valueOf(grid.nodes().release(grid.get(0)), "the release");
  }

  @Test
  void allObjectsMoveToTheNodesWithTheFewest() {
    List<Ledger> ledgers = new ArrayList<>();
    for (var i = 0; i < 200; i++) {
      var each = ledger(Options.STANDARD);
      each.enter(i);
      ledgers.add(each);
    }
    var shared = sharedLedger(Options.STANDARD);

    var stayed = valueOf(grid.get(0).evacuate(grid.nodes()), "the evacuation");

    assertThat(stayed).hasSize(1).first().isEqualTo(ActiveObjects.ref(shared));
    assertThat(shared.place()).isEqualTo("node-1");
    var places = ledgers.stream().map(Ledger::place).toList();
    assertThat(places.stream().filter("node-2"::equals)).hasSize(100);
    assertThat(places.stream().filter("node-3"::equals)).hasSize(100);
    for (var i = 0; i < 200; i++) {
      assertThat(ledgers.get(i).numbers()).containsExactly(i);
    }
  }

  @Test
  void objectsThatOnlyTheNodeKnowsMoveWithThoseThatKnowThem() {
    var outer = ledger(Options.STANDARD);
    outer.makeInner();

    assertThat(valueOf(grid.get(0).evacuate(grid.nodes()), "the evacuation")).isEmpty();

    assertThat(outer.place()).isNotEqualTo("node-1");
    assertThat(outer.innerPlace()).doesNotStartWith("node-1").endsWith("[17]");
  }

  @Test
  void objectsMoveToNodesOfWhoseJoinTheirNodeHasNotHeardYet() {
    for (var i = 0; i < 5; i++) { // as the news may be quicker
      var ledger = ledger(Options.STANDARD);
      grid.leave(grid.list().size() - 1);
      grid.leave(grid.list().size() - 2);
      grid.join();
      grid.join();
      assertThat(valueOf(grid.get(0).evacuate(grid.nodes()), "the evacuation")).isEmpty();
      assertThat(ledger.place()).isNotEqualTo("node-1");
    }
  }

  @Test
  void theLastNodeIsNotEvacuated() {
    grid.leave(1);
    grid.leave(2);
    Waits.until(() -> grid.nodes().size() == 1, "the leave of the others");

    assertThatThrownBy(() -> grid.get(0).evacuate(grid.nodes()).join())
        .hasMessageContaining("have no node other than node 'node-1'");
  }

  @Test
  void objectsLeaveAlongWhileTheyAreCalled() {
    var ledger = ledger(Options.STANDARD.leavingAlong());
    var stopped = new AtomicBoolean();
    var near = new CompletableFuture<Integer>();
    Thread.startVirtualThread(
        () -> {
          try {
            var calls = 0;
            while (!stopped.get() || calls < 100) {
              ledger.enter(calls++);
            }
            near.complete(calls);
          } catch (Throwable failure) {
            near.completeExceptionally(failure);
          }
        });

    releaseFirst();
    stopped.set(true);

    assertThat(ledger.place()).isIn("node-2", "node-3");
    var calls = valueOf(near, "the calls");
    assertThat(ledger.numbers()).isEqualTo(IntStream.range(0, calls).boxed().toList());
  }

  @Test
  void anObjectThatHasMovedStillLeavesAlong() {
    var ledger =
        ActiveObjects.on(grid.get(1)).with(Options.STANDARD.leavingAlong()).create(Ledger.class);
    valueOf(ActiveObjects.ref(ledger).move(grid.get(0).id()), "the move");
    ledger.enter(1);

    releaseFirst();

    assertThat(ledger.numbers()).containsExactly(1);
    assertThat(ledger.place()).isIn("node-2", "node-3");
  }

  @Test
  void objectsThatStayEndWithTheirNode(LogRecords records) throws InterruptedException {
    var shared = sharedLedger(Options.STANDARD.leavingAlong());
    var plain = ledger(Options.STANDARD);

    releaseFirst();

    records.expect(
        Level.WARNING,
        "1 object ends with node 'node-1', which leaves",
        "its class has @Concurrent methods, which leave no moment between two requests");
    assertThatThrownBy(shared::place).isInstanceOf(NodeLostException.class);
    assertThatThrownBy(plain::place).isInstanceOf(NodeLostException.class);
  }

  @Test
  void aListenerMovesTheObjectsOfANodeThatLeaves() {
    var plain = ledger(Options.STANDARD);
    plain.enter(5);
    grid.nodes().onLeaving((node, why) -> node.evacuate(grid.nodes()).join());

    releaseFirst();

    assertThat(plain.numbers()).containsExactly(5);
  }
}
