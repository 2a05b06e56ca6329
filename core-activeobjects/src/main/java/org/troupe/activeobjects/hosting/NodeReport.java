package org.troupe.activeobjects.hosting;

import java.util.List;

/**
 * The state of a node at one moment. Immutable and serializable.
 *
 * @param heapUsedBytes the heap in use, garbage included
 * @param heapMostBytes the maximum size of the heap
 * @param residentBytes the process's resident memory; 0 if unknown
 * @param threads the number of platform threads
 * @param cpuNanos processor time since the start of the process; 0 if unknown
 * @param upNanos time since the start of the JVM
 * @param bodies the active objects that other JVMs refer to, by number
 * @param trouble what prevents the node from serving requests; empty if nothing does
 */
public record NodeReport(
    long heapUsedBytes,
    long heapMostBytes,
    long residentBytes,
    int threads,
    long cpuNanos,
    long upNanos,
    List<BodyReport> bodies,
    String trouble) {

  /** Copies the list. */
  public NodeReport {
    bodies = List.copyOf(bodies);
  }

  /**
   * The state of an active object.
   *
   * @param type its class
   * @param number its number, unique on its node
   * @param queued the approximate number of queued requests
   * @param waitingFor the call or future that it waits for without a time limit, so that it serves
   *     nothing meanwhile; empty if there is none
   */
  public record BodyReport(String type, long number, int queued, String waitingFor) {}
}
