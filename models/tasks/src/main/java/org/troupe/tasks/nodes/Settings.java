package org.troupe.tasks.nodes;

import java.time.Duration;
import org.troupe.tasks.engine.EngineSettings;

/**
 * How nodes execute tasks. Travels from the program to its nodes.
 *
 * @param workers the number of workers of each node; 0 for its processors
 * @param stackBytes the size of a worker's stack
 * @param strategy from which nodes a node takes tasks
 * @param retries how often a task is repeated whose node is lost
 * @param keepsOrphans whether results of tasks whose forking node was lost are kept
 * @param leave how long a leaving node may go on with the tasks that it has
 */
public record Settings(
    int workers,
    long stackBytes,
    Strategy strategy,
    int retries,
    boolean keepsOrphans,
    Duration leave) {

  private static final int USUAL_RETRIES = 2;
  private static final Duration USUAL_LEAVE = Duration.ofSeconds(5);

  /**
   * Returns the settings of the properties {@code troupe.tasks.*} of this JVM.
   *
   * @throws IllegalArgumentException if one has no valid value; the message says which it may have
   */
  public static Settings ofProperties() {
    var engine = EngineSettings.ofProperties();
    var orphans = System.getProperty("troupe.tasks.orphans", "keep");
    if (!orphans.equals("keep") && !orphans.equals("drop")) {
      throw new IllegalArgumentException(
          "-Dtroupe.tasks.orphans=" + orphans + " is unknown; give keep or drop");
    }
    return new Settings(
        System.getProperty("troupe.tasks.workers") == null ? 0 : engine.workers(),
        engine.stackBytes(),
        Strategy.ofProperties(),
        EngineSettings.number("troupe.tasks.retries", USUAL_RETRIES, 0),
        orphans.equals("keep"),
        Duration.ofMillis(
            EngineSettings.number("troupe.tasks.leave", (int) USUAL_LEAVE.toMillis(), 0)));
  }

  /** Returns these settings with another number of workers for each node. */
  public Settings withWorkers(int number) {
    return new Settings(number, stackBytes, strategy, retries, keepsOrphans, leave);
  }

  /** Returns these settings with another strategy. */
  public Settings withStrategy(Strategy other) {
    return new Settings(workers, stackBytes, other, retries, keepsOrphans, leave);
  }

  EngineSettings engine() {
    int number = workers > 0 ? workers : Runtime.getRuntime().availableProcessors();
    return new EngineSettings(number, stackBytes);
  }
}
