package org.troupe.activeobjects.hosting;

import org.jspecify.annotations.Nullable;

/**
 * The vital signs of a node, which go with its heartbeats. Counts begin with the JVM. Immutable.
 *
 * @param heapUsedBytes the heap in use, garbage included
 * @param residentBytes the process's resident memory; 0 if unknown
 * @param cpuNanos processor time since the start of the process; 0 if unknown
 * @param collectionNanos the time that garbage collections have taken
 * @param queued the number of requests in the queues of the objects that serve many
 * @param waiting how many of these objects wait
 * @param served how many requests of the program's objects have ended
 * @param failed how many of them have ended with an exception
 * @param bytesOut the encoded size of the messages sent to other nodes
 */
public record NodeVitals(
    long heapUsedBytes,
    long residentBytes,
    long cpuNanos,
    long collectionNanos,
    int queued,
    int waiting,
    long served,
    long failed,
    long bytesOut) {

  private static final int NUMBERS = 9;

  /** Takes the vital signs of nodes; called on threads that must not block. */
  public interface Listener {

    /**
     * Takes vital signs.
     *
     * @param node the name of the node
     * @param nanos when they arrived, in the time of {@link System#nanoTime}
     */
    void arrived(String node, long nanos, NodeVitals vitals);
  }

  /** Returns the vital signs as they travel. */
  public long[] numbers() {
    return new long[] {
      heapUsedBytes,
      residentBytes,
      cpuNanos,
      collectionNanos,
      queued,
      waiting,
      served,
      failed,
      bytesOut
    };
  }

  /** Returns the vital signs that have arrived; {@code null} if there are none. */
  public static @Nullable NodeVitals of(long[] numbers) {
    return numbers.length < NUMBERS
        ? null
        : new NodeVitals(
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            (int) numbers[4],
            (int) numbers[5],
            numbers[6],
            numbers[7],
            numbers[8]);
  }
}
