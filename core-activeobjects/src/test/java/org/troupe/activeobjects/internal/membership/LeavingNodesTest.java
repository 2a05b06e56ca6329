package org.troupe.activeobjects.internal.membership;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Tests requested and released nodes, and the exit reports of dead ones. */
@Timeout(60)
class LeavingNodesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final InProcessGrid grid = InProcessGrid.start(2);

  @AfterEach
  void close() {
    grid.close();
  }

  /** An object whose answers can be withheld. */
  public static class Guest {

    public int count() {
      return 1;
    }

    public CompletableFuture<Integer> never() {
      return new CompletableFuture<>();
    }

    /** Waits for the answer of another object. */
    public int await(Guest other) {
      return other.never().join();
    }
  }

  private Guest guest(int node) {
    return ActiveObjects.on(grid.get(node)).create(Guest.class);
  }

  @Test
  void requestedNodesJoin() throws Exception {
    var joined = new LinkedBlockingQueue<String>();
    grid.nodes().onJoin(node -> joined.add(node.name()));

    grid.nodes().request(2);

    assertThat(grid.nodes().await(Nodes.atLeast(4), PATIENCE).list()).hasSize(4);
    assertThat(joined.poll(40, TimeUnit.SECONDS)).isEqualTo("node-1");
    assertThat(joined.poll(40, TimeUnit.SECONDS)).isEqualTo("node-2");
    assertThat(joined.poll(40, TimeUnit.SECONDS)).isEqualTo("node-3");
    assertThat(joined.poll(40, TimeUnit.SECONDS)).isEqualTo("node-4");
    assertThatThrownBy(() -> grid.nodes().request(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aReleasedNodeServesUntilAllListenersAreNotified() throws Exception {
    var events = new LinkedBlockingQueue<String>();
    var mayLeave = new CountDownLatch(1);
    var leaver = grid.get(1);
    var guest = guest(1);
    var pending = guest.never();
    grid.nodes()
        .onLeaving(
            (node, reason) -> {
              events.add(node.name() + " leaves: " + reason + ", here " + grid.nodes().size());
              await(mayLeave);
            });
    grid.nodes().onLeave((node, reason) -> events.add(node.name() + " left: " + reason));

    var released = grid.nodes().release(leaver);

    assertThat(events.poll(40, TimeUnit.SECONDS))
        .isEqualTo("node-2 leaves: it was released, here 1");
    assertThat(guest.count()).isEqualTo(1);
    assertThat(leaver.isAlive()).isTrue();
    assertThat(released.isDone()).isFalse();
    assertThatThrownBy(() -> grid.nodes().release(leaver))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not one of the nodes");

    mayLeave.countDown();

    released.get(40, TimeUnit.SECONDS);
    assertThat(events.poll(40, TimeUnit.SECONDS)).isEqualTo("node-2 left: it was released");
    assertThatThrownBy(() -> pending.get(40, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            NodeLostException.class, lost -> assertThat(lost.exitReport()).isEmpty())
        .hasMessageContaining("it was released; 1 call to it is lost: Guest.never() x1");
  }

  /**
   * The report of the process may overtake the node's answer, as both come on threads of their own.
   */
  @Test
  void aReleasedNodeWhoseProcessHasEndedHasLeft() throws Exception {
    var left = new LinkedBlockingQueue<String>();
    var leaving = new LinkedBlockingQueue<String>();
    var mayLeave = new CountDownLatch(1);
    var pending = guest(1).never();
    grid.nodes()
        .onLeaving(
            (node, reason) -> {
              leaving.add(node.name());
              await(mayLeave);
            });
    grid.nodes().onLeave((node, reason) -> left.add(node.name() + ": " + reason));

    var released = grid.nodes().release(grid.get(1));
    assertThat(leaving.poll(40, TimeUnit.SECONDS)).isEqualTo("node-2");
    grid.coordinator()
        .ended(
            "node-2",
            new ExitReport(
                "its process ended", 0, ExitReport.UNKNOWN, false, "", List.of(), 0, 0, 0));
    mayLeave.countDown();

    assertThat(left.poll(40, TimeUnit.SECONDS)).isEqualTo("node-2: it was released");
    released.get(40, TimeUnit.SECONDS);
    assertThatThrownBy(() -> pending.get(40, TimeUnit.SECONDS))
        .hasMessageContaining("it was released; 1 call to it is lost: Guest.never() x1");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aListenerMayReleaseTheNodeThatJoinsAndWaitForItsEnd() throws Exception {
    var left = new CompletableFuture<String>();
    grid.nodes().onLeave((node, reason) -> left.complete(node.name() + ": " + reason));
    grid.nodes()
        .onJoin(
            node -> {
              if (node.name().equals("node-3")) {
                grid.nodes().release(node).join();
              }
            });

    var joined = grid.join();

    assertThat(left.get(40, TimeUnit.SECONDS)).isEqualTo("node-3: it was released");
    assertThat(grid.nodes().list()).doesNotContain(joined).hasSize(2);
    assertThat(grid.get(2)).isEqualTo(joined);
  }

  @Test
  void aListenerThatFailsLeavesTheOthersTheirNews(LogRecords records) throws Exception {
    var joined = new CompletableFuture<String>();
    grid.nodes()
        .onJoin(
            node -> {
              throw new AssertionError("on purpose");
            });
    grid.nodes().onJoin(node -> joined.complete(node.name()));

    assertThat(joined.get(40, TimeUnit.SECONDS)).isEqualTo("node-1");
    records.expect(WARNING, "a listener of joining and leaving nodes failed", "on purpose");
  }

  @Test
  void indexesWithoutNodeAreRefused() {
    for (var index : List.of(-1, 2)) {
      assertThatThrownBy(() -> grid.get(index))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "2 nodes were started, so there is none at "
                  + index
                  + "; count from 0, or start more with join()");
      assertThatThrownBy(() -> grid.kill(index)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> grid.leave(index)).isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> LocalNodes.start(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("start(-1) cannot start so many nodes; give 0 or more");
    try (var empty = LocalNodes.start(0)) {
      assertThatThrownBy(() -> empty.get(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> empty.nodes().first()).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aNodeMayAskToLeave() throws Exception {
    var leaving = new CompletableFuture<String>();
    var left = new CompletableFuture<String>();
    var mayEnd = new CompletableFuture<String>();
    grid.nodes().onLeaving((node, reason) -> leaving.complete(node.name() + ": " + reason));
    grid.nodes().onLeave((node, reason) -> left.complete(reason));
    grid.member(0).onEnd(mayEnd::complete);

    grid.member(0).askToLeave("its time is over").get(40, TimeUnit.SECONDS);

    assertThat(leaving.get(40, TimeUnit.SECONDS)).isEqualTo("node-1: its time is over");
    assertThat(mayEnd.get(40, TimeUnit.SECONDS)).isEqualTo("its time is over");
    assertThat(left.get(40, TimeUnit.SECONDS)).isEqualTo("its time is over");
  }

  @Test
  void onlyTheDeployingProgramRequestsNodes() throws Exception {
    var nodes = grid.member(0).nodes("local");
    var _ = nodes.await(Nodes.atLeast(2), Duration.ofSeconds(40)); // the other may come later
    assertThatThrownBy(() -> nodes.request(1))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("only the program that has deployed");
    assertThatThrownBy(() -> nodes.release(nodes.get(0)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(nodes.list()).hasSize(2);
  }

  @Test
  void everyLostCallCarriesTheExitReport() {
    var exitReport = new ExitReport("it fell", 3, -1, true, "FAILED", List.of("a", "b"), 0, 0, 0);
    var doomed = guest(0);
    var here = doomed.never();
    var there = ActiveObjects.ref(guest(1)).ask(other -> other.await(doomed));
    assertThat(doomed.count()).isEqualTo(1);

    grid.coordinator().ended("node-1", exitReport);

    for (var call : List.of(here, there)) {
      assertThat(lost(call).exitReport().orElseThrow())
          .usingRecursiveComparison()
          .ignoringFields("heapUsedBytes", "heapMostBytes", "residentBytes")
          .isEqualTo(exitReport);
    }
    assertThat(lost(here))
        .hasMessageContaining("is gone: it fell")
        .hasMessageContaining("last line: b");
    assertThat(lost(ActiveObjects.ref(doomed).ask(Guest::count)).exitReport()).isPresent();
  }

  @Test
  void theExitReportHasTheLastReportedMemoryUsage() {
    var call = guest(0).never();
    var coordinator = grid.coordinator();
    var peer = coordinator.node().peers().known(grid.get(0).id());

    grid.member(0).beat();
    Waits.until(() -> peer.memoryUsage().heapUsedBytes() > 0, "the heartbeat's arrival");
    coordinator.ended("node-1", "it was decided");

    var exitReport = lost(call).exitReport().orElseThrow();
    assertThat(exitReport.heapMostBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(exitReport.heapUsedBytes()).isBetween(1L, exitReport.heapMostBytes());
    assertThat(exitReport.toString()).isEqualTo("it was decided");
    var hungry =
        new ExitReport("it starved", 3, -1, true, "", List.of("a"), 0, 0, 0)
            .withMemory(62 << 20, 64 << 20, 130 << 20);
    assertThat(hungry)
        .hasToString(
            "it starved (in its last report the heap was 62 of 64 MiB, the process 130 MiB);"
                + " its last line: a");
  }

  private static NodeLostException lost(CompletableFuture<?> call) {
    try {
      call.join();
      throw new AssertionError("it was answered");
    } catch (CompletionException failure) {
      Throwable cause = failure.getCause();
      while (!(cause instanceof NodeLostException)) {
        cause = cause.getCause();
      }
      return (NodeLostException) cause;
    }
  }
}
