package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.descriptors.SourcePosition;
import org.troupe.testing.Polling;

/** The output of a process, which prints what the test gives it. */
@Timeout(60)
class FollowedOutputTest {

  private Process process;
  private NodeProcess node;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("cat").start();
    var plan = new PlannedNode("n-1", List.of(), "h", "", new SourcePosition("grid.xml", 1, 1));
    node = new NodeProcess(plan, StartedProcess.local(process), _ -> {});
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private static FollowedOutput output(Duration last) {
    return new FollowedOutput((name, line) -> name + ": " + line.text(), last);
  }

  private void print(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  private static List<String> rest(FollowedOutput output) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    while (output.await()) {
      lines.add(output.poll());
    }
    return lines;
  }

  @Test
  void hasWhatNodesPrintWhileTheGridEnds() throws Exception {
    var output = output(Duration.ofHours(1));
    output.follow(node);
    output.follow(node); // as one that has joined meanwhile

    output.gridEnds();
    print("the last line");
    process.getOutputStream().close();

    assertThat(rest(output)).containsExactly("n-1: the last line");
  }

  @Test
  void doesNotWaitForANodeThatDoesNotEnd() throws InterruptedException {
    var output = output(Duration.ofMillis(1));
    output.follow(node);

    output.gridEnds();

    assertThat(rest(output)).isEmpty();
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void letsItsReaderSleepUntilALineOrTheEnd() throws Exception {
    var output = output(Duration.ofHours(1));
    output.follow(node);
    var lines = new CompletableFuture<List<String>>();
    var reader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    lines.complete(rest(output));
                  } catch (InterruptedException e) {
                    lines.completeExceptionally(e);
                  }
                });
    Polling.until("it sleeps", () -> reader.getState() == Thread.State.WAITING);
    print("a line");
    Polling.until("it sleeps again", () -> reader.getState() == Thread.State.WAITING);

    process.getOutputStream().close();
    output.gridEnds();

    assertThat(lines.get(30, TimeUnit.SECONDS)).containsExactly("n-1: a line");
  }

  @Test
  void followsNothingOnceItIsForgotten() throws Exception {
    var output = output(Duration.ofHours(1));
    output.follow(node);
    output.forget();

    print("a line");
    process.getOutputStream().close();
    node.onEnd().get(30, TimeUnit.SECONDS);

    assertThat(node.printed().last(1)).hasSize(1);
    assertThat(output.poll()).isNull();
  }
}
