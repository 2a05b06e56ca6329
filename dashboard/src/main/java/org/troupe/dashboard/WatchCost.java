package org.troupe.dashboard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;

/** What watching costs, as far as this process knows. Thread-safe. */
final class WatchCost {

  private final long began = System.nanoTime();
  private final AtomicLong rounds = new AtomicLong();
  private volatile double tookSeconds;
  private volatile long dropped;
  private volatile long rows;

  /** Counts a round, and notes what its end says. */
  void addRound(String line) {
    rounds.incrementAndGet();
    if (WatchCodec.record(line).orElse(null) instanceof WatchRecord.Round round) {
      tookSeconds = round.tookSeconds();
      dropped = round.dropped();
      rows = round.rows();
    }
  }

  /**
   * Returns the costs.
   *
   * @param requests of the page
   * @param sentBytes to the page
   */
  About about(long requests, long sentBytes) {
    var cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    var memory = Runtime.getRuntime();
    return new About(
        (System.nanoTime() - began) / 1e9,
        requests,
        sentBytes,
        cpu.toMillis() / 1e3,
        memory.totalMemory() - memory.freeMemory(),
        rounds.get(),
        tookSeconds,
        rows,
        dropped);
  }

  /**
   * The costs.
   *
   * @param upSeconds since the page was opened
   * @param requests of browsers since then
   * @param sentBytes to browsers since then
   * @param cpuSeconds of this process, since its start
   * @param heapUsedBytes of this process
   * @param rounds that were passed on to browsers
   * @param roundSeconds how long the program has collected the last of them
   * @param rows that the program keeps for its clients
   * @param dropped rows that the program has dropped
   */
  record About(
      double upSeconds,
      long requests,
      long sentBytes,
      double cpuSeconds,
      long heapUsedBytes,
      long rounds,
      double roundSeconds,
      long rows,
      long dropped) {}
}
