package org.troupe.deployment.runs;

import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.watch.GridActivity;

/**
 * The status of a deployment, as other processes on the same machine see it. Immutable.
 *
 * @param id the id that {@code --of} takes
 * @param run the id of the run, which {@code ps} and {@code clean} use
 * @param pid the process id of the program that deployed it
 * @param program the command of that program
 * @param upSeconds the time since the deployment
 * @param transport the name of the transport between the nodes
 * @param drivers the drivers that carry calls between the program and its nodes
 * @param nodes the nodes, in the order of their names
 * @param distances the distances between its clusters that the program has measured
 * @param activity what the nodes and the program do, as far as they have answered
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
    List<DistanceLine> distances,
    GridActivity activity) {

  /** Copies the lists. */
  public GridStatus {
    nodes = List.copyOf(nodes);
    distances = List.copyOf(distances);
  }

  /**
   * A node.
   *
   * @param element the position of its infrastructure element
   * @param cluster the cluster of its host; empty if it has not joined
   * @param state {@code starting}, {@code joined} or {@code ended}
   * @param detail the event that its start waits for, the obstacle to its service, or the reason
   *     for its end; empty if there is none
   * @param pid its process id on its host; 0 if it is not known
   * @param load the load that the node reports; {@code null} if it does not answer, or has not
   *     joined
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
      @Nullable Load load) {}

  /** The network distance between two clusters. */
  public record DistanceLine(
      String from, String to, double roundTripSeconds, double bytesPerSecond) {}

  /**
   * The load of a node, as it reports it.
   *
   * @param cpuSeconds the processor time since its start
   * @param collectionSeconds the time of garbage collections
   * @param activeObjects the number of active objects that other JVMs know
   * @param queued the number of requests in their queues
   * @param waiting the number of active objects that wait for a reply without a time limit
   * @param pending the number of results of its calls to other nodes that have not arrived
   * @param observed what the node records of requests, such as {@code counts}
   * @param served the number of requests that have ended
   * @param failed how many of them have ended with an exception
   */
  public record Load(
      long heapUsedBytes,
      long heapMostBytes,
      long residentBytes,
      int threads,
      double cpuSeconds,
      double collectionSeconds,
      int activeObjects,
      int queued,
      int waiting,
      int pending,
      String observed,
      long served,
      long failed) {}
}
