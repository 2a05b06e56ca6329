package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.program.Quick;
import org.troupe.testing.Polling;

/** The output of nodes, from a client's request to the end of the grid. */
@Timeout(120)
class FollowedLogsTest {

  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private Grid grid;

  /** Prints its argument. */
  public static class Speaker {
    public boolean say(String what) {
      System.out.println(what);
      return true;
    }
  }

  @BeforeEach
  void deploy() {
    grid = Grid.local(1, Quick.GRID);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  private static void say(Node node, String what) {
    assertThat(ActiveObjects.on(node).create(Speaker.class).say(what)).isTrue();
  }

  /** Follows the output of all nodes; completes at its end. */
  private CompletableFuture<Void> following() throws IOException {
    var ours = RunningGrid.ofThisProgram(grid.run()).orElseThrow();
    return CompletableFuture.runAsync(
        () -> {
          try {
            ours.logs("", true, lines::add);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> Thread.ofPlatform().daemon().start(task));
  }

  private void awaitLine(String wanted) throws InterruptedException {
    var line = "";
    while (!line.equals(wanted)) {
      line = lines.poll(60, TimeUnit.SECONDS);
      assertThat(line).as("a line before '%s'", wanted).isNotNull();
    }
  }

  private static boolean isServedByASleepingThread() {
    return Thread.getAllStackTraces().entrySet().stream()
        .anyMatch(
            each ->
                each.getKey().getState() == Thread.State.WAITING
                    && Arrays.stream(each.getValue())
                        .anyMatch(
                            frame ->
                                frame.getClassName().equals(GridController.class.getName())
                                    && frame.getMethodName().equals("logs")));
  }

  @Test
  void costNothingUntilALineOrTheEndOfTheGridComes() throws Exception {
    say(grid.nodes().first(), "before");
    var following = following();
    awaitLine("[local-1] before");
    Polling.until("its thread sleeps without a limit", FollowedLogsTest::isServedByASleepingThread);

    grid.close();

    following.get(60, TimeUnit.SECONDS);
  }

  @Test
  void haveTheLinesOfNodesThatJoinLater() throws Exception {
    say(grid.nodes().first(), "before");
    following();
    awaitLine("[local-1] before");

    var ours = RunningGrid.ofThisProgram(grid.run()).orElseThrow();
    ours.act(new RunAction.Request("", 1));
    grid.nodes().await(Nodes.atLeast(2), Duration.ofSeconds(60));
    say(grid.nodes().get(1), "later");

    awaitLine("[local-2] later");
  }
}
