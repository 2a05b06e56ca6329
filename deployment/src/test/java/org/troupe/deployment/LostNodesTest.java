package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

/** Every wait for a killed node ends soon, with an error. */
@Timeout(120)
class LostNodesTest {

  private static final long BOUND_SECONDS = 60;

  private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();
  private Grid grid;
  private Node doomed;
  private Worker worker;

  @BeforeEach
  void startGrid() {
    grid =
        Grid.local(
            2,
            Quick.GRID
                .withSilence(Duration.ofSeconds(5))
                .withOutput(line -> printed.add(line.text())));
    doomed = grid.nodes().get(1);
    worker = ActiveObjects.on(doomed).create(Worker.class);
  }

  @AfterEach
  void endGrid() {
    ActiveObjects.onFailure(null);
    if (grid != null) {
      grid.close();
    }
  }

  private void awaitBusy() throws InterruptedException {
    assertThat(printed.poll(20, TimeUnit.SECONDS)).isEqualTo("waiting");
  }

  @Test
  void aWaitingCallEndsWithTheNodeAndTheSignal() throws Exception {
    var waiting = new CompletableFuture<Integer>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                waiting.complete(worker.never());
              } catch (Throwable failure) {
                waiting.completeExceptionally(failure);
              }
            });
    awaitBusy();

    Processes.kill(doomed);

    assertThatThrownBy(() -> waiting.get(BOUND_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            NodeLostException.class,
            lost -> {
              var exitReport = lost.exitReport().orElseThrow();
              assertThat(exitReport.signal()).isEqualTo(9);
              assertThat(exitReport.lastLines()).containsExactly("waiting");
              assertThat(exitReport.outOfMemory()).isFalse();
            })
        .hasMessageContaining("node '" + doomed.name() + "'")
        .hasMessageContaining("Worker.never");
    assertThat(doomed.isAlive()).isFalse();
    assertThat(grid.nodes().list()).hasSize(1).doesNotContain(doomed);
  }

  @Test
  void thousandsOfPendingCallsAllEnd() throws Exception {
    var ref = ActiveObjects.ref(worker);
    var calls = new ArrayList<CompletableFuture<Integer>>();
    calls.add(ref.ask(Worker::never));
    awaitBusy();
    for (var i = 0; i < 5000; i++) {
      calls.add(ref.ask(Worker::count));
    }

    Processes.kill(doomed);

    for (var call : calls) {
      assertThatThrownBy(() -> call.get(BOUND_SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(NodeLostException.class);
    }
  }

  @Test
  void futuresThatWentThroughTheNodeEnd() throws Exception {
    var other = ActiveObjects.on(grid.nodes().first()).create(Relay.class);
    ActiveObjects.ref(worker).ask(Worker::never);
    awaitBusy();
    var text = ActiveObjects.ref(worker).ask(Worker::text); // awaited behind never()
    var continued = other.lengthOf(text);
    var stage = text.thenApply(String::length);

    Processes.kill(doomed);

    assertThatThrownBy(() -> continued.get(BOUND_SECONDS, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(NodeLostException.class);
    assertThatThrownBy(() -> stage.get(BOUND_SECONDS, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(NodeLostException.class);
  }

  /** Passes on its argument. */
  public static class Relay {

    /** Waits for the text. */
    public CompletableFuture<Integer> lengthOf(CompletableFuture<String> text) {
      return text.thenApply(String::length);
    }
  }

  @Test
  void theFailureHandlerGetsTheAccountOfOneWayCalls() throws Exception {
    BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    ActiveObjects.onFailure(failure -> failures.add(failure.cause()));
    ActiveObjects.ref(worker).ask(Worker::never).exceptionally(failure -> null);
    awaitBusy();
    for (var i = 0; i < 10; i++) {
      worker.note();
    }

    Processes.kill(doomed);

    assertThat(failures.poll(BOUND_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("of 10 one-way calls to it, none is known to have been served");
  }

  @Test
  void aStoppedNodeIsDeclaredDeadAndItsProcessKilled() throws Exception {
    worker.count();
    var call = ActiveObjects.ref(worker).ask(Worker::never);
    awaitBusy();

    Processes.signal("STOP", Processes.pid(doomed));

    assertThatThrownBy(() -> call.get(BOUND_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("has not been heard for");
    Processes.assertGone(Processes.pid(doomed));
  }

  @Test
  void aNodeThatExitsSaysHow() throws Exception {
    var call = ActiveObjects.ref(worker).ask(w -> w.exit(3));

    assertThatThrownBy(() -> call.get(BOUND_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            NodeLostException.class,
            lost -> assertThat(lost.exitReport().orElseThrow().exitCode()).isEqualTo(3))
        .hasMessageContaining("exit code 3");
    assertThatThrownBy(() -> grid.nodes().await(Nodes.all(), Duration.ofSeconds(60)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("exit code 3");
  }

  @Test
  void theReasonIsTheSignalThatEndedTheProcess() throws Exception {
    var left = new CompletableFuture<String>();
    grid.nodes().onLeave((node, reason) -> left.complete(reason));

    Processes.kill(doomed);

    assertThat(left.get(BOUND_SECONDS, TimeUnit.SECONDS)).contains("signal 9 (SIGKILL");
  }
}
