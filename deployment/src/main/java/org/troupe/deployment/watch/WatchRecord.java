package org.troupe.deployment.watch;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PanelItem;

/**
 * A record of the stream that shows what a grid does. A stream consists of rounds: a {@link Begin},
 * then in each round the rows that have changed, and a {@link Round} at its end. A row replaces the
 * earlier row with the same {@link #key}; only {@link Vitals} add to it. All records are immutable.
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

    /** Returns this end with a longer cursor. */
    Round behind(String more) {
      return new Round(cursor + more, timeMillis, nodes, silent, tookSeconds, rows, dropped);
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
   * @param heapKeptBytes the heap in use after the last collection; 0 if there was none
   * @param cpuSeconds the processor time since its start
   * @param collectionSeconds the time of garbage collections
   * @param objects the number of active objects that other nodes know
   * @param queued the number of requests in the queues of the objects that it has looked at
   * @param waiting the number of those objects that wait without a time limit
   * @param pending how many results of its calls to other nodes have not arrived
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
      long heapKeptBytes,
      long residentBytes,
      int threads,
      double cpuSeconds,
      double collectionSeconds,
      double upSeconds,
      int objects,
      int queued,
      int waiting,
      int pending,
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
   * @param leastSeconds for how long it serves that request, at least: as long as reports have seen
   *     it; 0 if the last one has not
   */
  record Queue(
      String object,
      String type,
      int queued,
      String serving,
      String caller,
      double servingSeconds,
      double leastSeconds) {}

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
   * An object that waits: an edge of the wait graph.
   *
   * @param serving the method in which it waits; empty if it is not known
   * @param kind what it waits for: {@code by-necessity}, {@code reply}, {@code queue}, {@code
   *     credit}, {@code end}, {@code barrier}, {@code collective}, {@code receive} or {@code
   *     future}
   * @param awaited what it waits for, in words
   * @param awaitedObject the identity of the object at the other end; empty if it is not known
   * @param awaitedNode the node that hosts that object; empty if it is not known
   * @param awaitedMethod the called method; empty if there is none
   * @param waitingSeconds for how long, at most; negative if not known
   * @param leastSeconds for how long, at least, as of a {@link Queue}
   * @param line the line of the program that waits; empty if not known
   * @param group the id of the group in which it waits; empty if it waits in none
   * @param rank its rank in the group; negative if it waits in none
   * @param size the number of members
   * @param missing the first ranks that it waits for
   */
  record Wait(
      String object,
      String type,
      String serving,
      String kind,
      String awaited,
      String awaitedObject,
      String awaitedNode,
      String awaitedMethod,
      double waitingSeconds,
      double leastSeconds,
      String line,
      String group,
      int rank,
      int size,
      List<Integer> missing) {

    /** Copies the list. */
    public Wait {
      missing = missing == null ? List.of() : List.copyOf(missing); // of an older program
    }
  }

  /**
   * A group of which members wait for each other.
   *
   * @param type the class of its members
   * @param operation what they wait in, such as {@code barrier()}; empty if none waits any longer
   * @param arrived the ranks that wait
   * @param missing the ranks for which they wait, and which do not wait themselves
   * @param waitingSeconds for how long the first waits, at most
   */
  record Collective(
      String group,
      String type,
      int size,
      String operation,
      List<Integer> arrived,
      List<Integer> missing,
      double waitingSeconds)
      implements WatchRecord {

    /** Copies the lists. */
    public Collective {
      arrived = List.copyOf(arrived);
      missing = List.copyOf(missing);
    }

    @Override
    public String key() {
      return "collective\t" + group;
    }
  }

  /**
   * The collective operations of a group, of one kind and algorithm, as far as the members on a
   * node have taken part.
   *
   * @param type the class of its members
   * @param size the number of all its members
   * @param operation such as {@code allReduce}
   * @param algorithm such as {@code ring}; empty if there is only one
   * @param parts how many parts have ended: in each operation one of each member on the node
   * @param bytes the size of the numbers that these members have given to others
   */
  record Operation(
      String node,
      String group,
      String type,
      int size,
      String operation,
      String algorithm,
      long parts,
      long bytes)
      implements WatchRecord {

    @Override
    public String key() {
      return "operation\t" + node + "\t" + group + "\t" + operation + "\t" + algorithm;
    }
  }

  /**
   * A proved cycle of waits, which has ended with an error.
   *
   * @param node the node that has found it
   * @param number its place among the events of that node
   * @param text the text of the error
   */
  record Cycle(String node, long number, long timeMillis, String text) implements WatchRecord {

    @Override
    public String key() {
      return "cycle\t" + node + "\t" + number;
    }
  }

  /**
   * The objects of a class on a node.
   *
   * @param serving how many of them serve a request
   * @param longestObject the identity of the object with the longest queue; empty if no object has
   *     requests
   * @param isWhole whether the node has looked at all its objects
   */
  record Class(
      String node,
      String type,
      long objects,
      long queued,
      long serving,
      int longestQueue,
      String longestObject,
      boolean isWhole)
      implements WatchRecord {

    @Override
    public String key() {
      return "class\t" + node + "\t" + type;
    }
  }

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
   * @param call the method that was called, or another operation that failed
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
   * @param event {@code joined}, {@code leaving}, {@code left}, {@code reset}, {@code restarted},
   *     {@code moved}, {@code archive}, {@code job}, or the name of an action of a user
   * @param node the name of the node; empty if the event is of none
   * @param text the reason, such as the whole exit report of a lost node; empty if there is none
   */
  record Event(long number, long timeMillis, String event, String node, String text)
      implements WatchRecord {

    @Override
    public String key() {
      return "event\t" + number;
    }
  }

  /**
   * The JVMs that an element of the descriptor starts together: those of a batch job, or all of an
   * element without jobs.
   *
   * @param element the position of the element
   * @param first the number of the first of these JVMs within the element
   * @param id the id of the element
   * @param system the name of the batch system; else {@code ssh} or {@code local}
   * @param command the command or script that starts them, without the values of properties and
   *     secrets of the program and the descriptor
   * @param jvmOptions the options of the JVMs from the program and the descriptor, without the same
   *     values
   * @param job the id of the job at the batch system; empty if there is none
   * @param state {@code planned}, {@code submitting}, {@code queued}, {@code held}, {@code
   *     running}, {@code suspended}, {@code ended} or {@code failed}
   * @param reason the state and its reason in the words of the batch system
   * @param submitMillis when the job was submitted; 0 if it was not
   * @param startMillis when the job began; 0 if it has not
   * @param endMillis when the job ended; 0 if it has not
   * @param limitSeconds the limit of its time; 0 if there is none
   * @param nodesAsked the number of machines that were asked for
   * @param nodesGranted the number of machines that it has got; negative if not known
   * @param jvms the number of JVMs
   * @param joined how many of them are members
   * @param stagedBytes the size of the files that were copied for the element
   * @param stagedFiles the number of files that were copied
   * @param cachedFiles the number of files that were there before
   * @param stagingSeconds how long that took
   * @param output the last lines that the script itself has printed
   */
  record Job(
      String element,
      int first,
      String id,
      String system,
      String command,
      List<String> jvmOptions,
      String job,
      String state,
      String reason,
      long submitMillis,
      long startMillis,
      long endMillis,
      long limitSeconds,
      int nodesAsked,
      int nodesGranted,
      int jvms,
      int joined,
      long stagedBytes,
      int stagedFiles,
      int cachedFiles,
      double stagingSeconds,
      List<String> output)
      implements WatchRecord {

    /** Copies the lists. */
    public Job {
      jvmOptions = List.copyOf(jvmOptions);
      output = List.copyOf(output);
    }

    @Override
    public String key() {
      return "job\t" + element + "\t" + first;
    }
  }

  /**
   * A panel that the program shows, as it was filled last.
   *
   * @param panel its name
   * @param lines lines of text
   * @param buttons the names of buttons
   * @param failure why it could not be filled; empty if it was
   * @param isLate whether the program has left a request to fill it unanswered for seconds
   */
  record Panel(
      String panel,
      List<PanelItem.Fact> facts,
      List<PanelItem.Curve> curves,
      List<PanelItem.Picture> pictures,
      List<String> lines,
      List<String> buttons,
      String failure,
      boolean isLate)
      implements WatchRecord {

    /** Copies the lists. */
    public Panel {
      facts = List.copyOf(facts);
      curves = List.copyOf(curves);
      pictures = List.copyOf(pictures);
      lines = List.copyOf(lines);
      buttons = List.copyOf(buttons);
    }

    /** Returns this row of a panel that is late. */
    public Panel late() {
      return new Panel(panel, facts, curves, pictures, lines, buttons, failure, true);
    }

    @Override
    public String key() {
      return "panel\t" + panel;
    }
  }

  /**
   * Points of the past of a node, as columns of equal length. They are added to those that a client
   * has.
   *
   * @param timeMillis when a point ends
   * @param spanSeconds its length
   * @param cores the processors that were used on average
   * @param collecting the share of garbage collection
   * @param served the requests that ended, per second
   * @param failed those of them that ended with an exception, per second
   * @param bytesOut the bytes sent to other nodes, per second
   */
  record Vitals(
      String node,
      List<Long> timeMillis,
      List<Float> spanSeconds,
      List<Float> cores,
      List<Float> collecting,
      List<Long> heapUsedBytes,
      List<Long> residentBytes,
      List<Integer> queued,
      List<Integer> waiting,
      List<Float> served,
      List<Float> failed,
      List<Float> bytesOut)
      implements WatchRecord {

    @Override
    public String key() {
      return "vitals\t" + node;
    }
  }
}
