package org.troupe.tasks;

import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The work of all workers of a {@link Tasks}. The numbers are read while they change, so they may
 * differ by some tasks from each other.
 *
 * @param shares one for each node
 */
public record TaskReport(List<Share> shares) {

  /** Copies the list. */
  public TaskReport {
    shares = List.copyOf(shares);
  }

  /**
   * The work of the workers of one node.
   *
   * @param node its name
   * @param workers how many workers it has
   * @param forks how many tasks it has forked
   * @param stealAttempts how often a worker has looked, or its node has asked, for tasks of others
   * @param stolenHere how many tasks its workers have stolen within its JVM
   * @param stolenInCluster how many times its node has taken tasks from nodes of its cluster
   * @param stolenBeyond how many times its node has taken tasks from nodes of other clusters
   * @param cancelled how many tasks were cancelled before they ended
   * @param repeated how many tasks it has let run again because the node that had taken them was
   *     lost
   * @param saved how many results it has used that were computed for a node that was lost
   * @param idle how long its workers have slept, in all
   */
  public record Share(
      String node,
      int workers,
      long forks,
      long stealAttempts,
      long stolenHere,
      long stolenInCluster,
      long stolenBeyond,
      long cancelled,
      long repeated,
      long saved,
      Duration idle) {}

  /** Returns the sums over all nodes, as a share of no node. */
  public Share total() {
    return new Share(
        "all",
        (int) sum(Share::workers),
        sum(Share::forks),
        sum(Share::stealAttempts),
        sum(Share::stolenHere),
        sum(Share::stolenInCluster),
        sum(Share::stolenBeyond),
        sum(Share::cancelled),
        sum(Share::repeated),
        sum(Share::saved),
        Duration.ofNanos(sum(share -> share.idle().toNanos())));
  }

  private long sum(ToLongFunction<Share> number) {
    return shares.stream().mapToLong(number).sum();
  }
}
