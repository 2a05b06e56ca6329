package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

@Timeout(60)
class BrokenExchangeTest {

  private final FaultyTransport transport = new FaultyTransport();
  private final InProcessGrid grid = InProcessGrid.start(2, transport);
  private final Cell cell = ActiveObjects.on(grid.get(0)).create(Cell.class);

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    grid.close();
  }

  private Peer peer() {
    return NodeRuntime.main().peers().known(grid.get(0).id());
  }

  private <T> T onExchangingThread(java.util.concurrent.Callable<T> call) {
    until(() -> peer().received().hasHeard(), "the link being ready for exchanges");
    return valueOf(onPlatformThread(call), "the call");
  }

  /** For whom the transport reads the reply. */
  private <T> T onVirtualExchangingThread(java.util.concurrent.Callable<T> call) {
    until(() -> peer().received().hasHeard(), "the link being ready for exchanges");
    return valueOf(onVirtualThread(call), "the call");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STACK_OVERFLOWS_BEFORE", "MEMORY_RUNS_OUT_AFTER"}) // the caller hears of those
  void itsCallIsServedOnceAndAnswered(FaultyTransport.Fault fault) {
    cell.add(1);
    var before = transport.exchanges();
    transport.breakNextExchange(fault);

    assertThat(onExchangingThread(() -> cell.addAndCount(2))).isEqualTo(2);
    cell.add(3);

    assertThat(onExchangingThread(cell::received)).isEqualTo(List.of(1, 2, 3));
    assertThat(transport.exchanges()).isGreaterThan(before);
    until(() -> peer().openCount() == 0, "nothing being owed any more");
  }

  @ParameterizedTest
  @EnumSource
  void thatWasBegunIsMendedByOthers(FaultyTransport.Fault fault) {
    cell.add(1);
    onVirtualExchangingThread(cell::sum);
    var before = transport.exchanges();
    transport.breakNextExchange(fault);

    assertThat(onVirtualExchangingThread(() -> cell.addAndCount(2))).isEqualTo(2);
    cell.add(3);

    assertThat(onVirtualExchangingThread(cell::received)).isEqualTo(List.of(1, 2, 3));
    assertThat(transport.exchanges()).isGreaterThan(before);
    until(() -> peer().openCount() == 0, "nothing being owed any more");
  }

  @Test
  void manyBegunAtOnceGoOverTheLinkAsWell() {
    onVirtualExchangingThread(cell::sum);
    cell.waitAt("many");
    Waits.await(Cell.gate("at many"), "the object being busy");
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    for (var i = 0; i < 100; i++) {
      waiting.add(onVirtualThread(() -> cell.addAndCount(1)));
    }
    var there = grid.member(0).node().peers().known(NodeRuntime.main().objects().id());
    until(() -> there.openCount() == 100, "all calls being queued");

    Cell.gate("many").countDown();

    var counts = waiting.stream().map(each -> valueOf(each, "the count"));
    assertThat(counts)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 100).boxed().toList());
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "LANE_BREAKS_AFTER", // with a reply there
        "STACK_OVERFLOWS_BEFORE",
        "MEMORY_RUNS_OUT_AFTER"
      })
  void itsQueuedCallIsServedOnceAndAnswered(FaultyTransport.Fault fault) {
    onExchangingThread(cell::sum);
    cell.waitAt("broken");
    Waits.await(Cell.gate("at broken"), "the object being busy");
    transport.breakNextExchange(fault);
    var before = transport.exchanges();
    var queued = onPlatformThread(() -> cell.addAndCount(1));
    until(() -> transport.exchanges() > before, "the exchange");
    cell.add(2);

    Cell.gate("broken").countDown();

    assertThat(valueOf(queued, "the call")).isEqualTo(1);
    assertThat(cell.received()).isEqualTo(List.of(1, 2));
  }

  @ParameterizedTest
  @EnumSource(names = {"STACK_OVERFLOWS_BEFORE", "MEMORY_RUNS_OUT_AFTER"})
  void anErrorInTheCallersThreadKeepsNothingElseBack(FaultyTransport.Fault fault) {
    cell.add(1);
    onExchangingThread(cell::sum);
    transport.breakNextExchange(fault);

    assertThatThrownBy(() -> onExchangingThread(() -> cell.addAndCount(2)))
        .hasRootCauseInstanceOf(VirtualMachineError.class);
    cell.add(3);

    assertThat(onExchangingThread(cell::received)).isEqualTo(List.of(1, 2, 3));
    until(() -> peer().openCount() == 0, "nothing being owed any more");
  }

  @Test
  void aBrokenLaneLeavesTheLinkAlone() {
    onExchangingThread(cell::sum);
    var way = peer().outbox().connection();
    transport.breakNextExchange(FaultyTransport.Fault.LANE_BREAKS_DURING);

    assertThat(onExchangingThread(() -> cell.addAndCount(1))).isEqualTo(1);

    assertThat(peer().outbox().connection()).isSameAs(way);
  }

  @Test
  void theAnswerOfAQueuedCallComesOnItsLane() {
    onExchangingThread(cell::sum);
    cell.waitAt("lane");
    Waits.await(Cell.gate("at lane"), "the object being busy");
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    var before = transport.exchanges();
    for (var i = 0; i < 5; i++) {
      waiting.add(onPlatformThread(cell::sum));
    }
    until(() -> transport.exchanges() == before + 5, "all callers waiting");
    var there = grid.member(0).node().peers().known(NodeRuntime.main().objects().id());
    until(() -> there.openCount() == 5, "all calls being queued");

    Cell.gate("lane").countDown();

    waiting.forEach(each -> assertThat(valueOf(each, "the sum")).isZero());
  }
}
