package org.troupe.deployment.runs;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.deployment.watch.ActivityRows;
import org.troupe.deployment.watch.WatchRecord.Wait;

/**
 * The activity of one active object of a deployment, as other processes on the same machine see it.
 * Immutable.
 *
 * @param object its identity: the node of its birth and its number there
 * @param type the name of its class
 * @param node the node that hosts it
 * @param queued the approximate number of requests in its queue
 * @param serving the requests that it serves, 20 at most
 * @param queue the oldest waiting requests, 20 at most
 * @param waiting what it waits for; {@code null} if it does not wait
 * @param groups the groups that it is in
 * @param names the names under which its node has registered it
 * @param key its name in the grid; empty if it has none
 * @param moves how often it has moved
 * @param restarts how often it was restarted on its node, and how often on another one
 * @param options its options that differ from the standard
 * @param parallelism how many requests it serves at a time, at most
 * @param threads which threads serve it, in words; {@code null} if a program of an older version
 *     does not tell
 * @param holders the other nodes that have references to it, 20 at most; {@code null} if that is
 *     not known
 */
public record GridObject(
    String object,
    String type,
    String node,
    int queued,
    List<Request> serving,
    List<Request> queue,
    @Nullable Wait waiting,
    List<Group> groups,
    List<String> names,
    String key,
    int moves,
    int restarts,
    String options,
    int parallelism,
    @Nullable String threads,
    @Nullable List<String> holders) {

  /** Copies the lists. */
  public GridObject {
    serving = List.copyOf(serving);
    queue = List.copyOf(queue);
    groups = List.copyOf(groups);
    names = List.copyOf(names);
    holders = holders == null ? null : List.copyOf(holders);
  }

  /**
   * A request.
   *
   * @param caller who has called: an object, or a node
   * @param seconds for how long it is served, at most; negative if it is not, or that is not known
   */
  public record Request(String method, String caller, double seconds) {}

  /** A group that the object is in. */
  public record Group(String group, int rank, int size) {}

  /** Returns what a node says of an object. */
  static GridObject of(String node, ObjectDetail detail) {
    var line = detail.line();
    var waiting = detail.waiting();
    return new GridObject(
        line.identity(),
        line.type(),
        node,
        line.queued(),
        requests(detail.serving()),
        requests(detail.queue()),
        waiting == null ? null : ActivityRows.wait(waiting),
        detail.groups().stream()
            .map(each -> new Group(each.group(), each.rank(), each.size()))
            .toList(),
        line.names(),
        line.key(),
        line.moves(),
        line.restarts(),
        line.options(),
        detail.parallelism(),
        detail.threads(),
        detail.holders());
  }

  private static List<Request> requests(List<ObjectDetail.RequestLine> lines) {
    return lines.stream()
        .map(each -> new Request(each.method(), each.caller(), each.seconds()))
        .toList();
  }
}
