package org.troupe.activeobjects.hosting;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeActivity.GroupPlace;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;
import org.troupe.activeobjects.hosting.ObjectReport.ObjectLine;

/**
 * The activity of one active object at one moment. Immutable and serializable.
 *
 * @param line the object as the list of objects has it
 * @param serving the requests that it serves, {@value #MOST_SERVED} at most
 * @param queue its oldest waiting requests, {@value #MOST_QUEUED} at most
 * @param waiting what it waits for; {@code null} if it does not wait
 * @param groups its places in groups, {@value #MOST_GROUPS} at most
 * @param parallelism how many requests it serves at a time, at most
 * @param threads which threads serve it, in words
 * @param holders some of the other nodes that have references to it, {@value #MOST_HOLDERS} at
 *     most; {@code null} if its references are not counted
 */
public record ObjectDetail(
    ObjectLine line,
    List<RequestLine> serving,
    List<RequestLine> queue,
    @Nullable WaitLine waiting,
    List<GroupPlace> groups,
    int parallelism,
    String threads,
    @Nullable List<String> holders) {

  /** How many requests in service are listed. */
  public static final int MOST_SERVED = 20;

  /** How many waiting requests are listed. */
  public static final int MOST_QUEUED = 20;

  /** How many groups are listed. */
  public static final int MOST_GROUPS = 20;

  /** How many nodes with references are listed. */
  public static final int MOST_HOLDERS = 20;

  /** Copies the lists. */
  public ObjectDetail {
    serving = List.copyOf(serving);
    queue = List.copyOf(queue);
    groups = List.copyOf(groups);
    holders = holders == null ? null : List.copyOf(holders);
  }

  /**
   * A request.
   *
   * @param caller who has called: an object, or a node
   * @param seconds for how long it is served, at most; negative if it is not, or that is not known
   */
  public record RequestLine(String method, String caller, double seconds) {}
}
