package org.troupe.deployment.trace;

import java.util.List;

/**
 * A record of the stream of a trace: a {@link Begin}, then nodes and the activity of their objects,
 * and an {@link End}. All records are immutable.
 *
 * <p>Times are in nanoseconds since the beginning of the trace, by the clock of the program, as far
 * as the offsets of the nodes' clocks are known.
 */
public sealed interface TraceRecord {

  /** The version of the records. A client ignores fields and records that it does not know. */
  int VERSION = 1;

  /**
   * The beginning of a trace.
   *
   * @param version of the records
   * @param id the id of the deployment
   * @param run the id of the run
   * @param program the command of the program
   * @param timeMillis the time of the day, in milliseconds since 1970
   * @param seconds how long it is to last
   */
  record Begin(int version, String id, String run, String program, long timeMillis, double seconds)
      implements TraceRecord {}

  /**
   * A node, before its other records.
   *
   * @param element the element of the descriptor that has it; empty for the program
   * @param pid of its process; 0 if it is not known
   * @param clockOffsetNanos by how much its clock is ahead of that of the program, which the times
   *     of its records have been reduced by
   * @param clockErrorNanos the most by which that is wrong
   */
  record Node(
      String node,
      String element,
      String host,
      long pid,
      long clockOffsetNanos,
      long clockErrorNanos)
      implements TraceRecord {}

  /**
   * The service of a request.
   *
   * @param object the number of the object on its node
   * @param type the name of the object's class
   * @param method the class and method that were called
   * @param caller the number of the calling object on its node; 0 if no object called
   * @param callerType the name of its class
   * @param callerNode the name of its node; empty if it is not known
   * @param callId the id by which the caller's node knows the call; 0 if it has none
   * @param acceptedNanos when the request was accepted
   * @param beganNanos when its service began
   * @param endedNanos when its method had ended
   */
  record Call(
      String node,
      long object,
      String type,
      String method,
      long caller,
      String callerType,
      String callerNode,
      long callId,
      long acceptedNanos,
      long beganNanos,
      long endedNanos,
      boolean hasFailed,
      boolean isOneWay)
      implements TraceRecord {}

  /**
   * A wait of an object within a service.
   *
   * @param awaited what it waited for
   */
  record Wait(
      String node, long object, String type, String awaited, long beganNanos, long endedNanos)
      implements TraceRecord {}

  /**
   * The state of a node at a time.
   *
   * @param queued requests in the queues of its objects
   * @param waiting objects that wait
   * @param served requests since the start of its JVM
   */
  record Sample(String node, long nanos, long heapUsedBytes, long queued, long waiting, long served)
      implements TraceRecord {}

  /**
   * The end of a trace; it is missing if the deployment has ended before.
   *
   * @param entries how many calls and waits were sent
   * @param dropped how many were overwritten on their nodes before they could be sent
   * @param isFull whether the trace ended early, since it had as many entries as were asked for
   * @param silent the nodes that did not answer at some time
   */
  record End(long entries, long dropped, boolean isFull, List<String> silent)
      implements TraceRecord {}
}
