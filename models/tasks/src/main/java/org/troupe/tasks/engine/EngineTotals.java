package org.troupe.tasks.engine;

/**
 * The work of the workers of an engine so far.
 *
 * @param workers how many work at a time
 * @param forks how many jobs they have forked
 * @param attempts how often one has looked for jobs of others
 * @param stolen how many they have stolen from each other
 * @param cancelled how many were cancelled before they ended
 * @param idleNanos how long they have slept, in nanoseconds
 */
public record EngineTotals(
    int workers, long forks, long attempts, long stolen, long cancelled, long idleNanos) {

  /** Those of no worker. */
  public static final EngineTotals NONE = new EngineTotals(0, 0, 0, 0, 0, 0);

  EngineTotals plus(EngineTotals other) {
    return new EngineTotals(
        workers + other.workers,
        forks + other.forks,
        attempts + other.attempts,
        stolen + other.stolen,
        cancelled + other.cancelled,
        idleNanos + other.idleNanos);
  }

  EngineTotals withWorkers(int number) {
    return new EngineTotals(number, forks, attempts, stolen, cancelled, idleNanos);
  }
}
