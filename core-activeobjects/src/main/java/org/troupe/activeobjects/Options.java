package org.troupe.activeobjects;

/**
 * How an active object is made, where the class itself does not say it.
 *
 * @param queueBound how many requests from one JVM may wait. Beyond it, one-way calls and calls
 *     that wait for their answer wait until one was taken; all others return at once, and are sent
 *     then. Calls of {@link Immediate} methods pass the queue. 0 for no bound
 * @param parallelism how many requests of {@link Concurrent} methods may be served at a time
 */
public record Options(int queueBound, int parallelism) {

  /** No bound on the queue, and as many concurrent requests as the machine has processors. */
  public static final Options STANDARD = new Options(0, Runtime.getRuntime().availableProcessors());

  /** Refuses what cannot work. */
  public Options {
    if (queueBound < 0) {
      throw new IllegalArgumentException(
          "a queue bound of " + queueBound + " lets no request in; give 0 for none, or at least 1");
    }
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "a parallelism of " + parallelism + " serves no request; give at least 1");
    }
  }

  /** Returns these options with another bound on the queue. */
  public Options withQueueBound(int bound) {
    return new Options(bound, parallelism);
  }

  /** Returns these options with another bound on concurrent service. */
  public Options withParallelism(int limit) {
    return new Options(queueBound, limit);
  }
}
