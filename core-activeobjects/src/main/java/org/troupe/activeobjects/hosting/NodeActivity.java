package org.troupe.activeobjects.hosting;

import java.util.List;
import java.util.Locale;

/**
 * The activity of a node: its busiest methods, longest queues and waits, its traffic and failures.
 * Bounded: the rows that matter most, and the number of those left out. Immutable.
 *
 * @param tier what the node records
 * @param clockNanos the time of {@link System#nanoTime} on the node at which it made the report
 * @param served how many requests of the program's objects have ended since they are counted
 * @param failed how many of them have ended with an exception
 * @param methods the methods that were served most lately, the busiest first
 * @param queues the objects with the longest queues, or else the longest services, the longest
 *     first
 * @param waits the objects that wait for a call or future without a time limit, or for other
 *     members of a group, the longest first
 * @param classes the classes with the longest queues or most objects
 * @param peers the traffic with other nodes, the most bytes first
 * @param failures groups of failures, the last one first
 * @param operations the collective operations of the groups of its objects, the most bytes first
 * @param leftOut how many rows the bound of a report has left out
 * @param unvisited how many objects the node has not looked at; a later report looks at them
 * @param lastEvent the number of the last {@link NodeEvent} of the node; 0 if there was none
 */
public record NodeActivity(
    ObservationTier tier,
    long clockNanos,
    long served,
    long failed,
    List<MethodLine> methods,
    List<QueueLine> queues,
    List<WaitLine> waits,
    List<ClassLine> classes,
    List<PeerLine> peers,
    List<FailureGroup> failures,
    List<OperationLine> operations,
    long leftOut,
    long unvisited,
    long lastEvent) {

  /** The most rows of a kind. */
  public static final int MOST_ROWS = 20;

  /** A node that has done nothing. */
  public static final NodeActivity NONE =
      new NodeActivity(
          ObservationTier.OFF,
          0,
          0,
          0,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          0,
          0,
          0);

  /** Copies the lists. */
  public NodeActivity {
    methods = List.copyOf(methods);
    queues = List.copyOf(queues);
    waits = List.copyOf(waits);
    classes = List.copyOf(classes);
    peers = List.copyOf(peers);
    failures = List.copyOf(failures);
    operations = List.copyOf(operations);
  }

  /**
   * A method, as the objects of one class serve it.
   *
   * @param type the name of the class
   * @param method its name with the types of its parameters, such as {@code step(double)}
   * @param accepted how many requests were accepted: those that have ended, that are being served,
   *     and that wait in the queues of the objects that were looked at
   * @param served how many have ended
   * @param failed how many of them have ended with an exception
   * @param waits how long requests were in the queue
   * @param services how long their services took
   */
  public record MethodLine(
      String type,
      String method,
      long accepted,
      long served,
      long failed,
      Times waits,
      Times services) {}

  /**
   * A distribution of durations, each known within an eighth.
   *
   * @param samples how many durations it stands for; 0 if none was measured
   * @param medianNanos half of them are at most as long
   * @param p99Nanos of a hundred, 99 are at most as long
   * @param mostNanos none of those that were measured is longer
   */
  public record Times(long samples, long medianNanos, long p99Nanos, long mostNanos) {

    /** No durations. */
    public static final Times NONE = new Times(0, 0, 0, 0);
  }

  /**
   * An object with requests.
   *
   * @param object its identity: the node of its birth and its number there
   * @param type the name of its class
   * @param queued the approximate number of requests in its queue
   * @param serving the method that it serves; empty if it serves none
   * @param caller who called that method; empty if it serves none
   * @param servingMicros for how long it serves that request, at most; negative if it is not known
   * @param leastMicros for how long it serves that request, at least: as long as reports have seen
   *     it; 0 if the last one has not
   */
  public record QueueLine(
      String object,
      String type,
      int queued,
      String serving,
      String caller,
      long servingMicros,
      long leastMicros) {}

  /** What an object waits for. */
  public enum WaitKind {
    /** The value of a transparent future that it uses. */
    BY_NECESSITY,
    /** The answer of a call. */
    REPLY,
    /** Another future. */
    FUTURE,
    /** Space in the full queue of an object that it calls. */
    QUEUE,
    /** Space on the link to a node. */
    CREDIT,
    /** The end of an object. */
    END,
    /** Other members of a group, before a barrier. */
    BARRIER,
    /** Other members of a group, in an operation of all. */
    COLLECTIVE,
    /** A message of another member of a group. */
    RECEIVE;

    /** Returns the name as users read it, such as {@code by-necessity}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * An object that serves nothing because it waits.
   *
   * @param object its identity
   * @param type the name of its class
   * @param serving the method in which it waits; empty if it is not known
   * @param awaited the call, future or operation that it waits for
   * @param awaitedObject the identity of the object that it waits for; empty if it is not known
   * @param awaitedNode the node that hosts that object; empty if it is not known
   * @param awaitedMethod the called method; empty if there is none
   * @param waitingMicros for how long, at most; negative if it is not known
   * @param leastMicros for how long, at least, as of a {@link QueueLine}
   * @param line the line of the program that waits; empty if it is not known
   * @param group its place in the group in which it waits
   */
  public record WaitLine(
      String object,
      String type,
      String serving,
      WaitKind kind,
      String awaited,
      String awaitedObject,
      String awaitedNode,
      String awaitedMethod,
      long waitingMicros,
      long leastMicros,
      String line,
      GroupPlace group) {}

  /**
   * The place of a waiting object in a group.
   *
   * @param group the id of the group; empty if it waits in none
   * @param rank its rank; negative if it waits in no group
   * @param size the number of members
   * @param missing the first ranks that it waits for
   */
  public record GroupPlace(String group, int rank, int size, List<Integer> missing) {

    /** How many ranks are listed at most. */
    public static final int MOST_MISSING = 16;

    /** Of a wait in no group. */
    public static final GroupPlace NONE = new GroupPlace("", -1, 0, List.of());

    /** Copies the list. */
    public GroupPlace {
      missing = List.copyOf(missing);
    }
  }

  /**
   * The objects of one class.
   *
   * @param type the name of the class
   * @param objects their number
   * @param queued the number of requests in their queues
   * @param serving how many of them serve a request
   * @param longestQueue the number of requests in the longest queue
   * @param longestObject the identity of the object with that queue; empty if all are empty
   * @param isWhole whether the node has looked at all its objects since it began to count
   */
  public record ClassLine(
      String type,
      long objects,
      long queued,
      long serving,
      int longestQueue,
      String longestObject,
      boolean isWhole) {}

  /**
   * The traffic from the node to another one.
   *
   * @param node the name of the other node
   * @param driver the mechanism that carries the frames; empty if the transport has only one, or no
   *     connection
   * @param messages how many messages were sent, without heartbeats and repetitions
   * @param bytes their encoded size
   * @param resets how often a connection broke
   * @param roundTripNanos the shortest of the last round trips of a small call; 0 if none was
   *     measured
   */
  public record PeerLine(
      String node, String driver, long messages, long bytes, long resets, long roundTripNanos) {}

  /**
   * The parts of the node's members of a group in collective operations of one kind.
   *
   * @param group the id of the group
   * @param type the name of the class of its members
   * @param size the number of its members
   * @param operation such as {@code allReduce}
   * @param algorithm such as {@code ring}; empty if there is only one
   * @param parts how many parts have ended: in each operation one of each member on the node
   * @param bytes the size of the numbers that these members have given to others; objects are not
   *     included
   */
  public record OperationLine(
      String group,
      String type,
      int size,
      String operation,
      String algorithm,
      long parts,
      long bytes) {}
}
