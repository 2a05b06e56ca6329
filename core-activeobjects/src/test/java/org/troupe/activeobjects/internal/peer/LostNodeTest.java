package org.troupe.activeobjects.internal.peer;

import static java.lang.System.Logger.Level.ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.until;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.testing.LogRecords;

@Timeout(60)
class LostNodeTest {

  private final FaultyTransport transport = new FaultyTransport();
  private final InProcessGrid grid = InProcessGrid.start(2, transport);
  private final Cell cell = ActiveObjects.on(grid.get(0)).create(Cell.class);
  private final ConcurrentLinkedQueue<FailureHandler.CallFailure> told =
      new ConcurrentLinkedQueue<>();

  LostNodeTest() {
    ActiveObjects.onFailure(told::add);
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    grid.close();
  }

  @Test
  void refusedOneWayCallsAreToldOnceAndWaitedForNoMore() {
    var busy = ActiveObjects.on(grid.get(0)).create(Cell.class);
    var ref = ActiveObjects.ref(busy);
    busy.waitAt("refusal");
    Waits.await(Cell.gate("at refusal"), "the object being busy");
    busy.add(1); // refused in the queue
    ref.terminateNow();
    assertThat(cell.sum()).as("an answer, behind what was sent before").isZero();
    Cell.gate("refusal").countDown();
    Waits.valueOf(ref.end(), "its end");
    busy.add(2); // refused on arrival
    until(() -> toldOfOneWayCalls().size() >= 2, "both being told");

    grid.coordinator().settle(Duration.ofSeconds(Long.MAX_VALUE));
    kill();
    until(() -> peer().openCount() == 0, "nothing being kept for the dead");

    assertThat(toldOfOneWayCalls())
        .hasOnlyElementsOfType(ObjectTerminatedException.class)
        .hasSize(2);
  }

  /** Others may be told of results of earlier tests, which are only now found to be unclaimed. */
  private List<Throwable> toldOfOneWayCalls() {
    return told.stream()
        .filter(each -> each.call().contains("Cell.add") || each.call().contains("one-way"))
        .map(FailureHandler.CallFailure::cause)
        .toList();
  }

  @Test
  void endsEveryCallToItWithAnErrorThatNamesAll() {
    var ref = ActiveObjects.ref(cell);
    var end = ref.end();
    cell.waitAt("death");
    Waits.await(Cell.gate("at death"), "the cell being busy");
    List<CompletableFuture<?>> calls = new ArrayList<>();
    calls.add(onPlatformThread(cell::sum));
    calls.add(onVirtualThread(cell::sum));
    calls.add(ref.ask(c -> c.textOf(null)));
    calls.add(ref.tell(c -> c.add(1)));
    var ordered = ref.terminate();
    var peer = peer();
    until(() -> peer.openCount() == 6, "all calls being under way"); // the order to end is none

    kill();

    for (var call : calls) {
      assertThat(failureOf(call, "a call to the dead"))
          .isInstanceOf(NodeLostException.class)
          .hasMessageContaining("node 'node-1' is gone: it was killed")
          .hasMessageContaining("calls to it are lost")
          .hasMessageContaining("Cell.sum() x2")
          .hasMessageContaining("Cell.textOf");
    }
    for (var known : List.of(end, ordered, ref.end())) {
      var its = Waits.valueOf(known, "the end of the object");
      assertThat(its.how()).isEqualTo(End.How.LOST);
      assertThat(its.why()).startsWith("node 'node-1' is gone: it was killed");
      assertThat(its.exitReport()).isPresent();
    }
    assertThatThrownBy(cell::sum)
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("Cell.sum() on node 'node-1' was not sent");
    until(() -> peer.openCount() == 0, "nothing being kept for the dead");
    assertThat(grid.get(0).isAlive()).isFalse();
    assertThat(grid.get(1).isAlive()).isTrue();
  }

  /** Kills node-1, and has it noticed at once rather than at the next heartbeat. */
  private void kill() {
    grid.kill(0);
    peer().ping();
  }

  private Peer peer() {
    return Peer.of(
        ((Reference.Target.Elsewhere) ((Reference<Cell>) ActiveObjects.ref(cell)).target()).home());
  }

  @Test
  void isAlsoLostToThoseWhoHearOfItLate() {
    var second = ActiveObjects.on(grid.get(1)).create(Cell.class);
    kill();
    until(() -> !grid.get(0).isAlive(), "the death");

    second.setOther(cell); // node-2 has never heard of node-1's object before

    assertThat(failureOf(ActiveObjects.ref(second).ask(Cell::sumOfOther), "the call to the dead"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("node-1");
  }

  @Test
  void leavesAnAccountOfItsOneWayCalls() {
    cell.add(1);
    cell.add(2);
    assertThat(cell.sum()).isEqualTo(3);
    transport.cut(0, 1); // nothing arrives any more, but nobody is declared dead yet
    cell.add(3);
    cell.add(4);

    grid.coordinator().ended("node-1", "it was decided");

    until(() -> told.size() >= 2, "the failure handler being told");
    assertThat(told)
        .hasSize(2)
        .allSatisfy(
            failure -> {
              assertThat(failure.call()).isEqualTo("Cell.add(int) on node 'node-1'");
              assertThat(failure.cause())
                  .isInstanceOf(NodeLostException.class)
                  .hasMessage(
                      "node 'node-1' is gone: it was decided; of 4 one-way calls to it, 2 are known"
                          + " to have been served, of 2 nothing is known; to know that a call is"
                          + " served, await it by ref.tell(..).join()");
            });
    assertThatThrownBy(() -> cell.add(5))
        .isInstanceOf(NodeLostException.class)
        .hasMessage(
            "node 'node-1' is gone: it was decided; Cell.add(int) on node 'node-1' was not sent");
  }

  @Test
  void releasesSendersThatWaitForRoomInAQueue() {
    var bounded =
        ActiveObjects.on(grid.get(0)).with(Options.STANDARD.withQueueBound(1)).create(Cell.class);
    bounded.waitAt("room");
    Waits.await(Cell.gate("at room"), "the cell being busy");
    bounded.add(1);
    var sender =
        onPlatformThread(
            () -> {
              bounded.add(2);
              return "sent";
            });

    kill();

    assertThat(failureOf(sender, "the sender"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageEndingWith("Cell.add(int) on node 'node-1' was not sent");
  }

  @Test
  void isDeclaredDeadWhenItTalksNonsense(LogRecords records) throws Exception {
    var sum = ActiveObjects.ref(cell).ask(c -> c.waitAndGive("nonsense", 1));
    var next = peer().nextFrameTaken();

    var nonsense = new org.troupe.serialization.ByteOutput();
    nonsense.writeLong(grid.get(0).id().incarnation());
    nonsense.writeVarLong(next);
    nonsense.writeVarLong(0);
    nonsense.writeVarLong(0);
    nonsense.writeVarInt(0);
    nonsense.writeByte(99);
    transport.inject(0, new Frame(nonsense.toByteArray()));

    assertThat(failureOf(sum, "the call"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("cannot be read");
    records.expect(ERROR, "node 'node-1' sent a frame that cannot be read", "truncated");
  }

  /** Notes what failed. */
  public static class Careful implements FailureHandler {
    private final List<String> failures = new ArrayList<>();

    @Override
    public void failed(CallFailure failure) {
      failures.add(failure.call() + ": " + failure.cause());
    }

    public void tell(Cell cell, String message) {
      cell.fail(message);
    }

    public void tellUnspeakably(Cell cell, String message) {
      cell.failUnspeakably(message);
    }

    public List<String> failures() {
      return List.copyOf(failures);
    }
  }

  @Test
  void failuresOfOneWayCallsReachTheSendersBody() {
    var careful = ActiveObjects.on(grid.get(1)).create(Careful.class);

    careful.tell(cell, "one way");
    careful.tellUnspeakably(cell, "no words");

    until(() -> careful.failures().size() == 2, "the handler of the body being told");
    assertThat(careful.failures()) // each is opened by itself, so they come in any order
        .anySatisfy(
            failure ->
                assertThat(failure)
                    .contains("Cell.fail(")
                    .contains("node-1")
                    .endsWith("java.lang.IllegalStateException: one way"))
        .anySatisfy(failure -> assertThat(failure).contains(RemoteFailure.class.getName()));
    assertThat(told).isEmpty();
  }

  @Test
  void failuresOfOneWayCallsOfNobodyReachTheJvm() {
    cell.fail("one way");

    until(() -> !told.isEmpty(), "the handler of the JVM being told");
    assertThat(told).singleElement().extracting(f -> f.cause().getMessage()).isEqualTo("one way");
  }
}
