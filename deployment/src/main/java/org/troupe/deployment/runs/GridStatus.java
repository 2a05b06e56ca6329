package org.troupe.deployment.runs;

import java.util.List;
import java.util.SortedSet;

/**
 * How a whole deployment is doing, as another process on the same machine is told. Immutable.
 *
 * @param id by which the verbs of {@code troupe} speak of it
 * @param run the id by which {@code ps} and {@code clean} speak of it
 * @param pid of the program that deployed
 * @param program what it was started with
 * @param upSeconds since the deployment
 * @param transport between the nodes
 * @param drivers what carries calls between the program and its nodes
 * @param nodes in the order of the descriptor
 * @param distances between its clusters, as far as the program has asked for them
 */
public record GridStatus(
    String id,
    String run,
    long pid,
    String program,
    double upSeconds,
    String transport,
    SortedSet<String> drivers,
    List<NodeLine> nodes,
    List<DistanceLine> distances) {

  /** Copies the lists. */
  public GridStatus {
    nodes = List.copyOf(nodes);
    distances = List.copyOf(distances);
  }

  /**
   * A node.
   *
   * @param element the infrastructure element that it comes from
   * @param cluster that it is in; empty if it has not joined
   * @param state {@code starting}, {@code joined} or {@code ended}
   * @param detail what it waits for, what keeps it from serving, or how it ended; empty if there is
   *     nothing to say
   * @param pid on its host; 0 if it is not known
   * @param load what a node that has joined says of itself; {@code null} if it says nothing
   */
  public record NodeLine(
      String name,
      String element,
      String host,
      String cluster,
      List<String> virtualNodes,
      String state,
      String detail,
      long pid,
      Load load) {}

  /** How far one cluster is from another. */
  public record DistanceLine(
      String from, String to, double roundTripSeconds, double bytesPerSecond) {}

  /**
   * What a node says of itself.
   *
   * @param cpuSeconds processor time since its start
   * @param activeObjects those that other JVMs know
   * @param queued requests that wait in them
   * @param waiting how many of them wait for an answer, without bound
   */
  public record Load(
      long heapUsedBytes,
      long heapMostBytes,
      long residentBytes,
      int threads,
      double cpuSeconds,
      int activeObjects,
      int queued,
      int waiting) {}
}
