package org.troupe.activeobjects.internal.flight;

import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Contextual;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;
import org.troupe.activeobjects.collective.OperationEvent;

/** The types of events, with their names and fields as tools show them. */
final class FlightEventTypes {

  /*
   * A field is set only if the event is recorded, since a threshold or a limit of its rate may drop it. Contextual fields are
   * shown with each event of the same thread within the duration, such as that of a lock.
   */
  private static final int LONGEST_TEXT = 300; // of a text that a program makes

  private static final String CATEGORY = "Troupe";

  static final List<Class<? extends Event>> ALL =
      List.of(
          Serve.class,
          Call.class,
          Wait.class,
          Codec.class,
          Collective.class,
          Queue.class,
          Link.class,
          Node.class,
          Failure.class,
          Archive.class);

  private FlightEventTypes() {}

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  @Name("troupe.Serve")
  @Label("Service of a Request")
  @Category(CATEGORY)
  @StackTrace(false)
  @Threshold("1 ms")
  @Throttle("1000/s")
  static final class Serve extends Event implements FlightSpan.Service {

    @Label("Request")
    @Contextual
    String request = "";

    @Label("Call Id")
    @Description(
        "The node of the caller, and its number of the call; the node alone if it has none")
    @Contextual
    String call = "";

    @Label("Class of the Object")
    String objectClass = "";

    @Label("Number of the Object")
    long object;

    @Label("Time in the Queue")
    @Description("Not known unless the tier of observation has measured it")
    @Timespan(Timespan.NANOSECONDS)
    long queueTime;

    @Label("One-Way")
    boolean oneWay;

    @Label("Failed")
    boolean failed;

    @Override
    public void ended(
        String type,
        long object,
        Object request,
        String callerNode,
        long callId,
        long queuedNanos,
        boolean isOneWay,
        boolean hasFailed) {
      end();
      if (shouldCommit()) {
        this.request = request.toString();
        this.call = callId == 0 ? callerNode : callerNode + " " + callId;
        this.objectClass = type;
        this.object = object;
        this.queueTime = queuedNanos < 0 ? Long.MIN_VALUE : queuedNanos; // shown as N/A
        this.oneWay = isOneWay;
        this.failed = hasFailed;
        commit();
      }
    }
  }

  @Name("troupe.Call")
  @Label("Call of Another Node")
  @Category(CATEGORY)
  @StackTrace(false)
  @Threshold("10 ms")
  @Throttle("200/s")
  static final class Call extends Event implements FlightSpan.Call {

    @Label("Called Node")
    String node = "";

    @Label("Request")
    String request = "";

    @Label("Call Id")
    @Description("The number by which this node knows the call; 0 if it has none")
    long call;

    @Label("Exception")
    String exception = "";

    @Override
    public void ended(String node, Object request, long callId, String exception) {
      end();
      if (shouldCommit()) {
        this.node = node;
        this.request = request.toString();
        this.call = callId;
        this.exception = exception;
        commit();
      }
    }
  }

  @Name("troupe.Wait")
  @Label("Wait")
  @Description("The wait of a thread for the answer of a call, a future, or space in a queue")
  @Category(CATEGORY)
  @Threshold("10 ms")
  static final class Wait extends Event implements FlightSpan.Wait {

    @Label("Class of the Object")
    String objectClass = "";

    @Label("Number of the Object")
    @Description("0 if the thread serves no object")
    long object;

    @Label("Awaited")
    String awaited = "";

    @Override
    public void ended(String type, long object, String awaited) {
      end();
      if (shouldCommit()) {
        this.objectClass = type;
        this.object = object;
        this.awaited = cut(awaited);
        commit();
      }
    }
  }

  @Name("troupe.Codec")
  @Label("Encoding or Decoding")
  @Category(CATEGORY)
  @StackTrace(false)
  @Threshold("1 ms")
  static final class Codec extends Event implements FlightSpan.Codec {

    @Label("Subject")
    String subject = "";

    @Label("Decoding")
    boolean decoding;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Override
    public void ended(Object subject, boolean isDecoding, long bytes) {
      end();
      if (shouldCommit()) {
        this.subject = subject.toString();
        this.decoding = isDecoding;
        this.bytes = bytes;
        commit();
      }
    }
  }

  @Name("troupe.Collective")
  @Label("Collective Operation")
  @Category(CATEGORY)
  @StackTrace(false)
  @Threshold("1 ms")
  static final class Collective extends Event implements OperationEvent {

    @Label("Operation")
    String operation = "";

    @Label("Algorithm")
    String algorithm = "";

    @Label("Members")
    int members;

    @Label("Rank")
    int rank;

    @Override
    public void ended(Object operation, Object algorithm, int members, int rank) {
      end();
      if (shouldCommit()) {
        this.operation = operation.toString();
        this.algorithm = algorithm.toString();
        this.members = members;
        this.rank = rank;
        commit();
      }
    }
  }

  @Name("troupe.Queue")
  @Label("Queues of a Class")
  @Category(CATEGORY)
  @StackTrace(false)
  @Period("1 s")
  static final class Queue extends Event {

    @Label("Node")
    String node = "";

    @Label("Class")
    String objectClass = "";

    @Label("Objects")
    long objects;

    @Label("Requests in Queues")
    long queued;

    @Label("Longest Queue")
    long longest;

    @Label("Object with the Longest Queue")
    long longestObject;
  }

  @Name("troupe.Link")
  @Label("Traffic with a Node")
  @Category(CATEGORY)
  @StackTrace(false)
  @Period("1 s")
  static final class Link extends Event {

    @Label("Node")
    String node = "";

    @Label("Other Node")
    String peer = "";

    @Label("Driver")
    String driver = "";

    @Label("Messages Sent")
    long messages;

    @Label("Bytes Sent")
    @DataAmount
    long bytes;

    @Label("Resets")
    long resets;

    @Label("Round Trip")
    @Timespan(Timespan.NANOSECONDS)
    long roundTripNanos;
  }

  @Name("troupe.Node")
  @Label("Change of the Grid")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class Node extends Event {

    @Label("Node")
    String node = "";

    @Label("Change")
    String change = "";

    @Label("Cause")
    String cause = "";
  }

  @Name("troupe.Failure")
  @Label("Failure Without Observer")
  @Category(CATEGORY)
  @StackTrace(false)
  @Throttle("100/s")
  static final class Failure extends Event {

    @Label("Kind")
    String kind = "";

    @Label("Call")
    String call = "";

    @Label("Exception")
    String exception = "";

    @Label("Example")
    String example = "";
  }

  @Name("troupe.Archive")
  @Label("Archive of a Program")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class Archive extends Event {

    @Label("SHA-256")
    String hash = "";

    @Label("Archive")
    String archive = "";

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("From Node")
    String fromNode = "";
  }
}
