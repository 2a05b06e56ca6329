package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.Node;

/** Real processes, by their ids. */
final class Processes {

  static final long SECONDS = 20;

  private Processes() {}

  static long pid(Node node) {
    return Long.parseLong(node.attributes().get("pid"));
  }

  static void kill(Node node) {
    assertThat(ProcessHandle.of(pid(node)).orElseThrow().destroyForcibly()).isTrue();
  }

  /** Sends a signal by its name. */
  static void signal(String name, long pid) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  static void assertGone(long pid) throws InterruptedException, ExecutionException {
    var process = ProcessHandle.of(pid);
    if (process.isEmpty()) {
      return;
    }
    try {
      process.get().onExit().get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      process.get().destroyForcibly();
      throw new AssertionError("process " + pid + " is still there after " + SECONDS + " s");
    }
  }
}
