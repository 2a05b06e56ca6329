package org.troupe.tasks;

import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What the workers of a {@link Tasks} have done. The numbers are read while they change, so they
 * may differ by some tasks from each other.
 *
 * @param shares one for each node
 */
public record TaskReport(List<Share> shares) {

  /** Copies the list. */
  public TaskReport {
    shares = List.copyOf(shares);
  }

  /**
   * What the workers of one node have done.
   *
   * @param node its name
   * @param workers how many workers it has
   * @param forks how many tasks it has forked
   * @param stealAttempts how often a worker has looked for tasks of others
   * @param stolenHere how many tasks its workers have stolen within its JVM
   * @param cancelled how many tasks were cancelled before they ended
   * @param idle how long its workers have slept, in all
   */
  public record Share(
      String node,
      int workers,
      long forks,
      long stealAttempts,
      long stolenHere,
      long cancelled,
      Duration idle) {}

  /** Returns the sums over all nodes, as a share of no node. */
  public Share total() {
    return new Share(
        "all",
        (int) sum(Share::workers),
        sum(Share::forks),
        sum(Share::stealAttempts),
        sum(Share::stolenHere),
        sum(Share::cancelled),
        Duration.ofNanos(sum(share -> share.idle().toNanos())));
  }

  private long sum(ToLongFunction<Share> number) {
    return shares.stream().mapToLong(number).sum();
  }
}
