package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.troupe.activeobjects.Node;

/** Real processes, by their ids. */
public final class Processes {

  static final long SECONDS = 20;

  private static final long SIGINT = 1 << 1; // the bit of SIGINT in a set of signals

  private Processes() {}

  static long pid(Node node) {
    return Long.parseLong(node.attributes().get("pid"));
  }

  public static void kill(Node node) {
    assertThat(ProcessHandle.of(pid(node)).orElseThrow().destroyForcibly()).isTrue();
  }

  /** Sends a signal by its name. */
  public static void signal(String name, long pid) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  /**
   * Skips a test where Ctrl-C has no effect: in background processes of a script, and their
   * children.
   */
  static void assumeInterruptsAreHeard() throws IOException {
    var status = Files.readString(Path.of("/proc/self/status"));
    var ignored = Pattern.compile("SigIgn:\\s*(\\p{XDigit}+)").matcher(status);
    assumeThat(ignored.find()).isTrue();
    assumeThat(Long.parseUnsignedLong(ignored.group(1), 16) & SIGINT)
        .as("signals that this process ignores; start the tests in the foreground")
        .isZero();
  }

  public static void assertGone(long pid) throws InterruptedException, ExecutionException {
    var process = ProcessHandle.of(pid);
    if (process.isPresent()) {
      assertGone(process.get());
    }
  }

  static void assertGone(ProcessHandle process) throws InterruptedException, ExecutionException {
    try {
      process.onExit().get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      process.destroyForcibly();
      throw new AssertionError(
          "process " + process.pid() + " is still there after " + SECONDS + " s");
    }
  }
}
