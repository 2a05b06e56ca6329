package org.troupe.deployment.watch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of the stream that shows what a grid does. A stream consists of rounds: a {@link Begin},
 * then in each round the rows that have changed, and a {@link Round} at its end. A row replaces the
 * earlier row with the same {@link #key}. All records are immutable.
 *
 * <p>Times are in seconds; times of the day in milliseconds since 1970, by the clock of the machine
 * of the program.
 */
public sealed interface WatchRecord {

  /** The version of the records. A client ignores fields and records that it does not know. */
  int VERSION = 1;

  /** Returns what the row is about: a later row with this key replaces it. */
  String key();

  /**
   * The beginning of a stream.
   *
   * @param version of the records
   * @param id the id of the deployment
   * @param run the id of the run
   * @param program the command of the program
   * @param intervalSeconds the time between two rounds
   * @param isWhole whether the first round has all rows, because the client gave no cursor of this
   *     stream
   */
  record Begin(
      int version, String id, String run, String program, double intervalSeconds, boolean isWhole)
      implements WatchRecord {

    @Override
    public String key() {
      return "begin";
    }
  }

  /**
   * The end of a round.
   *
   * @param cursor with which a client can continue after this round
   * @param timeMillis when it ended
   * @param nodes how many nodes were asked
   * @param silent how many of them did not answer in time
   * @param tookSeconds how long asking and collecting took
   * @param rows how many rows the program keeps for clients
   * @param dropped how many rows it has dropped, because there were too many
   */
  record Round(
      String cursor,
      long timeMillis,
      int nodes,
      int silent,
      double tookSeconds,
      int rows,
      long dropped)
      implements WatchRecord {

    @Override
    public String key() {
      return "round";
    }
  }

  /**
   * A node.
   *
   * @param element the position of its infrastructure element; empty for the program itself
   * @param cluster the cluster of its host; empty if it has not joined
   * @param state {@code starting}, {@code joined} or {@code ended}
   * @param detail the event that its start waits for, the obstacle to its service, or the reason
   *     for its end; empty if there is none
   * @param pid its process id on its host; 0 if it is not known
   * @param isSilent whether it has joined and did not answer in time; the rest is then the last
   *     answer
   * @param load its last answer; {@code null} if there is none
   */
  record Node(
      String node,
      String element,
      String host,
      String cluster,
      List<String> virtualNodes,
      String state,
      String detail,
      long pid,
      boolean isSilent,
      @Nullable Load load)
      implements WatchRecord {

    /** Copies the list. */
    public Node {
      virtualNodes = List.copyOf(virtualNodes);
    }

    @Override
    public String key() {
      return "node\t" + node;
    }
  }

  /**
   * The state of a node.
   *
   * @param observed what the node records of requests: {@code off}, {@code counts}, {@code times}
   *     or {@code trace}
   * @param cpuSeconds the processor time since its start
   * @param collectionSeconds the time of garbage collections
   * @param objects the number of active objects that other nodes know
   * @param queued the number of requests in the queues of the objects that it has looked at
   * @param waiting the number of those objects that wait without a time limit
   * @param served how many requests of the program have ended
   * @param failed how many of them have ended with an exception
   * @param unvisited how many objects it has not looked at
   * @param leftOut how many rows of its report did not fit
   * @param clockOffsetSeconds by how much its clock of intervals is ahead of that of the program
   * @param clockErrorSeconds the largest error of that
   */
  record Load(
      String observed,
      long heapUsedBytes,
      long heapMostBytes,
      long residentBytes,
      int threads,
      double cpuSeconds,
      double collectionSeconds,
      double upSeconds,
      int objects,
      int queued,
      int waiting,
      long served,
      long failed,
      long unvisited,
      long leftOut,
      double clockOffsetSeconds,
      double clockErrorSeconds) {}

  /**
   * A method, as the objects of one class serve it on a node.
   *
   * @param type the name of the class
   * @param method its name with the types of its parameters
   * @param accepted how many requests were accepted
   * @param served how many have ended
   * @param failed how many of them have ended with an exception
   * @param waits how long requests were in the queue; {@code null} if that is not measured
   * @param services how long their services took; {@code null} if that is not measured
   */
  record Method(
      String node,
      String type,
      String method,
      long accepted,
      long served,
      long failed,
      @Nullable Times waits,
      @Nullable Times services)
      implements WatchRecord {

    @Override
    public String key() {
      return "method\t" + node + "\t" + type + "\t" + method;
    }
  }

  /** A distribution of durations, each known within an eighth, in seconds. */
  record Times(long samples, double median, double p99, double most) {}

  /** The objects of a node with the longest queues or services. */
  record Queues(String node, List<Queue> queues) implements WatchRecord {

    /** Copies the list. */
    public Queues {
      queues = List.copyOf(queues);
    }

    @Override
    public String key() {
      return "queues\t" + node;
    }
  }

  /**
   * An object with requests.
   *
   * @param object its identity: the node of its birth and its number there
   * @param type the name of its class
   * @param queued the approximate number of requests in its queue
   * @param serving the method that it serves; empty if it serves none
   * @param caller who called that method; empty if it serves none
   * @param servingSeconds for how long it serves that request, at most; negative if not known
   */
  record Queue(
      String object,
      String type,
      int queued,
      String serving,
      String caller,
      double servingSeconds) {}

  /** The objects of a node that serve nothing because they wait, the longest first. */
  record Waits(String node, List<Wait> waits) implements WatchRecord {

    /** Copies the list. */
    public Waits {
      waits = List.copyOf(waits);
    }

    @Override
    public String key() {
      return "waits\t" + node;
    }
  }

  /**
   * An object that waits.
   *
   * @param serving the method in which it waits; empty if it is not known
   * @param awaited the call or future that it waits for
   * @param waitingSeconds for how long, at most; negative if not known
   */
  record Wait(String object, String type, String serving, String awaited, double waitingSeconds) {}

  /**
   * The traffic from a node to another one.
   *
   * @param peer the name of the other node
   * @param driver the mechanism that carries the frames
   * @param messages how many messages were sent
   * @param bytes their encoded size
   * @param resets how often a connection broke
   * @param roundTripSeconds the shortest of the last round trips; 0 if none was measured
   */
  record Pair(
      String node,
      String peer,
      String driver,
      long messages,
      long bytes,
      long resets,
      double roundTripSeconds)
      implements WatchRecord {

    @Override
    public String key() {
      return "pair\t" + node + "\t" + peer;
    }
  }

  /**
   * A group of failures of one kind and place.
   *
   * @param cause {@code one-way}, {@code unclaimed}, {@code unserved}, {@code background}, {@code
   *     refused-type}, {@code reset} or {@code death}
   * @param call the method that was called, or what else has failed
   * @param exception the name of the exception's class; empty if there was none
   * @param frame the first line of the program in its trace; empty if there is none
   * @param count how often it has failed so
   * @param firstMillis when it first has, by the clock of the node
   * @param lastMillis when it last has
   * @param example the message of the last one
   */
  record Failure(
      String node,
      String cause,
      String call,
      String exception,
      String frame,
      long count,
      long firstMillis,
      long lastMillis,
      String example)
      implements WatchRecord {

    @Override
    public String key() {
      return "failure\t" + node + "\t" + cause + "\t" + call + "\t" + exception + "\t" + frame;
    }
  }

  /**
   * An event of the grid.
   *
   * @param number its place among the events
   * @param timeMillis when the program has heard of it
   * @param event {@code joined}, {@code leaving} or {@code left}
   * @param node the name of the node
   * @param text the reason, such as the exit report of a lost node; empty if there is none
   */
  record Event(long number, long timeMillis, String event, String node, String text)
      implements WatchRecord {

    @Override
    public String key() {
      return "event\t" + number;
    }
  }
}
