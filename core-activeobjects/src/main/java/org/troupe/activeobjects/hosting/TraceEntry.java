package org.troupe.activeobjects.hosting;

/**
 * A step of an active object that its node has recorded. Times are those of {@link System#nanoTime}
 * of the node.
 */
public sealed interface TraceEntry {

  /** Returns its place among all entries of the node. */
  long number();

  /**
   * The service of a request.
   *
   * @param callId the id by which the caller's node knows the call; 0 if it has none, as a call
   *     within a JVM, or a one-way call
   * @param type the name of the object's class
   * @param method the class and method that were called
   * @param object the number of the object on its node
   * @param caller the number of the calling object on its node; 0 if no object called
   * @param callerType the name of the class of the calling object; empty if no object called
   * @param callerNode the name of that node; empty if it is not known
   * @param acceptedNanos when the request was accepted
   * @param beganNanos when its service began
   * @param endedNanos when its method had ended
   */
  record Service(
      long number,
      long callId,
      String type,
      String method,
      long object,
      long caller,
      String callerType,
      String callerNode,
      long acceptedNanos,
      long beganNanos,
      long endedNanos,
      boolean hasFailed,
      boolean isOneWay)
      implements TraceEntry {}

  /**
   * A wait of an object that served a request.
   *
   * @param type the name of the object's class
   * @param awaited what it waited for
   * @param object the number of the object on its node
   */
  record Wait(
      long number, String type, String awaited, long object, long beganNanos, long endedNanos)
      implements TraceEntry {}
}
