package org.troupe.activeobjects.hosting;

import java.util.List;

/**
 * How a node is doing at one moment. Immutable; travels.
 *
 * @param heapUsedBytes what its objects take, garbage included
 * @param heapMostBytes what they may take
 * @param residentBytes what the process takes of the machine's memory; 0 if that is not known
 * @param threads platform threads
 * @param cpuNanos processor time since the start of the process; 0 if that is not known
 * @param upNanos since the start of the JVM
 * @param bodies those active objects that other JVMs know, by number
 * @param trouble what keeps requests from being served; empty if nothing does
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
   * An active object.
   *
   * @param type its class
   * @param number unique on its node
   * @param queued how many requests wait, about
   * @param waitingFor the call or future that it waits for without bound, so that it serves nothing
   *     meanwhile; empty if there is none
   */
  public record BodyReport(String type, long number, int queued, String waitingFor) {}
}
