package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;
import org.troupe.testing.QuickJvm;

/**
 * Processes are killed under a running tree, and replaced. Each sum is exact. {@code
 * -Dtroupe.long=true} kills 100 processes instead of 2, and {@code -Dtroupe.seed=17} others.
 */
@Timeout(600)
class KilledTaskJvmsTest {

  private static final int KILLS = Boolean.getBoolean("troupe.long") ? 100 : 2;
  private static final int JVMS = 3;
  private static final int N = 36;
  private static final long SUM = 14_930_352;

  @Test
  void changeNoSum(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    var seed = Long.getLong("troupe.seed", System.nanoTime());
    var random = new Random(seed);
    var options =
        GridOptions.standard().withJvmOptions(QuickJvm.OPTIONS).withSilence(Duration.ofSeconds(5));
    try (var grid = Grid.local(JVMS, options);
        var tasks = Tasks.on(grid.nodes().await(Nodes.atLeast(JVMS), Duration.ofSeconds(60)))) {
      for (int kill = 1; kill <= KILLS; kill++) {
        var forks = tasks.report().total().forks();
        var sum = tasks.submit(() -> fib(N));
        // Kills at any time after the first forks, perhaps when the tree is complete.
        long enough = forks + 1 + random.nextInt(12_000);
        Polling.until(
            enough + " forks", () -> sum.isDone() || tasks.report().total().forks() >= enough);
        var victim = grid.nodes().get(random.nextInt(JVMS));
        var gone = ProcessHandle.of(Long.parseLong(victim.attributes().get("pid"))).orElseThrow();
        gone.destroyForcibly();
        assertThat(sum.get(120, TimeUnit.SECONDS))
            .as("kill %d with seed %d", kill, seed)
            .isEqualTo(SUM);
        gone.onExit().get(60, TimeUnit.SECONDS);
        Polling.until("the victim has left", () -> !grid.nodes().list().contains(victim));
        grid.nodes().request(1);
        grid.nodes().await(Nodes.atLeast(JVMS), Duration.ofSeconds(60));
      }
    }
  }

  private static long plain(int n) {
    return n < 2 ? n : plain(n - 1) + plain(n - 2);
  }

  private static long fib(int n) throws Exception {
    if (n < 16) {
      return plain(n);
    }
    try (var scope = Scope.open()) {
      Fork<Long> left = scope.fork(() -> fib(n - 1));
      long right = fib(n - 2);
      scope.sync();
      return left.get() + right;
    }
  }
}
