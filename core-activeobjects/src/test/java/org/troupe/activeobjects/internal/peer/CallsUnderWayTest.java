package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Waiting for one-way calls of a node, and for the reports of their failures. */
@Timeout(60)
class CallsUnderWayTest {

  private final FaultyTransport transport = new FaultyTransport();
  private final InProcessGrid grid = InProcessGrid.start(2, transport);
  private final GridMember coordinator = grid.coordinator();
  private final Node main = coordinator.self();
  private final Cell cell = ActiveObjects.on(grid.get(0)).create(Cell.class);
  private final ConcurrentLinkedQueue<CallFailure> told = new ConcurrentLinkedQueue<>();

  CallsUnderWayTest() {
    ActiveObjects.onFailure(told::add);
  }

  /** An exception whose decoding waits at a gate. */
  static class SlowFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    SlowFailure(String message) {
      super(message);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Cell.gate("at decoding").countDown();
      Waits.await(Cell.gate("decoding"), "the gate of the decoding");
    }
  }

  /** An active object that fails. */
  static class Stumbler {

    Stumbler() {}

    public void stumble() {
      throw new SlowFailure("slow");
    }
  }

  @AfterEach
  void end() {
    transport.letThrough();
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  /**
   * Returns the failures of this test: results of earlier ones may be found unclaimed meanwhile.
   */
  private List<Throwable> failuresOf(String call) {
    return told.stream()
        .filter(each -> each.call().contains(call))
        .map(CallFailure::cause)
        .toList();
  }

  private void waitAt(String gate) {
    cell.waitAt(gate);
    Waits.await(Cell.gate("at " + gate), "the cell being busy");
  }

  @Test
  void areAwaitedUntilTheyHaveBeenServed() {
    waitAt("service");
    cell.add(1);

    var served = coordinator.callsServed(main);
    assertThat(served).isNotDone();

    Cell.gate("service").countDown();
    assertThat(valueOf(served, "the calls being served")).isEqualTo(2);
  }

  @Test
  void ofAnotherNodeAreAwaitedFromHere() {
    var caller = ActiveObjects.on(grid.get(1)).create(Cell.class);
    waitAt("service");
    caller.setOther(cell);
    caller.tellOther(1);
    assertThat(caller.sum()).as("an answer, behind the call").isZero();

    var served = coordinator.callsServed(grid.get(1));
    assertThat(served).isNotDone();

    Cell.gate("service").countDown();
    assertThat(valueOf(served, "the call being served")).isEqualTo(1);
  }

  @Test
  void haveTheirFailuresKnownWhenTheyCountAsServed() {
    transport.keep(1, 0);
    cell.fail("late");

    var served = coordinator.callsServed(main);
    assertThat(served).isNotDone();

    transport.letThrough();
    valueOf(served, "the call being served");
    valueOf(coordinator.failuresReported(main), "the report");
    assertThat(failuresOf("Cell.fail")).singleElement().asString().endsWith("late");
  }

  @Test
  void haveFailuresThatAreReportedWhenTheyAreDecoded() {
    ActiveObjects.on(grid.get(0)).create(Stumbler.class).stumble();
    Waits.await(Cell.gate("at decoding"), "the failure being decoded");

    var reported = coordinator.failuresReported(main);
    assertThat(reported).isNotDone();

    Cell.gate("decoding").countDown();
    valueOf(reported, "the report");
    assertThat(failuresOf("Stumbler.stumble")).singleElement().isInstanceOf(SlowFailure.class);
  }

  @Test
  void haveFailuresThatAreReportedWhenTheHandlerHasReturned() {
    ActiveObjects.onFailure(
        failure -> {
          Cell.gate("at handler").countDown();
          Waits.await(Cell.gate("handler"), "the gate of the handler");
          told.add(failure);
        });
    cell.fail("handled");
    Waits.await(Cell.gate("at handler"), "the handler being called");

    var reported = coordinator.failuresReported(main);
    assertThat(reported).isNotDone();

    Cell.gate("handler").countDown();
    valueOf(reported, "the report");
    assertThat(failuresOf("Cell.fail")).hasSize(1);
  }

  @Test
  void areReportedAsLostBeforeTheyAreAwaitedNoMore() {
    waitAt("death");
    cell.add(1);
    var served = coordinator.callsServed(main);
    assertThat(served).isNotDone();

    grid.kill(0);
    assertThat(valueOf(served, "the calls being lost")).isEqualTo(2);
    valueOf(coordinator.failuresReported(main), "the report");
    assertThat(told) // each call that was not acknowledged, or all together
        .map(CallFailure::cause)
        .filteredOn(NodeLostException.class::isInstance)
        .isNotEmpty()
        .allSatisfy(cause -> assertThat(cause).hasMessageContaining("of 2 one-way calls to it"));
  }

  @Test
  void ofALostNodeAreNotKnown() {
    grid.kill(0);

    assertThat(failureOf(coordinator.callsServed(grid.get(0)), "the question"))
        .isInstanceOf(NodeLostException.class);
    assertThat(failureOf(coordinator.failuresReported(grid.get(0)), "the question"))
        .isInstanceOf(NodeLostException.class);
  }

  @Test
  void areAskedForByTheMemberThatKnowsANode() {
    assertThat(GridMember.of(grid.get(1))).isSameAs(coordinator);
  }
}
