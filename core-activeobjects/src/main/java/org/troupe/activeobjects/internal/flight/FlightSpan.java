package org.troupe.activeobjects.internal.flight;

/** An event with a duration that has begun. It ends on any thread, at most once. */
public interface FlightSpan {

  /** The service of a request. */
  interface Service {

    /**
     * Ends it.
     *
     * @param request the class and method that were called
     * @param callId the id by which the caller's node knows the call; 0 if it has none
     * @param queuedNanos how long the request has been in the queue; negative if it is not known
     */
    void ended(
        String type,
        long object,
        Object request,
        String callerNode,
        long callId,
        long queuedNanos,
        boolean isOneWay,
        boolean hasFailed);
  }

  /** A call, until its answer. */
  interface Call {

    /**
     * Ends it.
     *
     * @param node the name of the node that was called
     * @param callId the id by which this node knows the call; 0 if it has none
     * @param exception the name of the class of its exception; empty if there is none
     */
    void ended(String node, Object request, long callId, String exception);
  }

  /** A wait of a thread. */
  interface Wait {

    /**
     * Ends it.
     *
     * @param object the number of the object that waited; 0 if the thread serves none
     */
    void ended(String type, long object, String awaited);
  }

  /** Encoding or decoding. */
  interface Codec {

    /** Ends it. */
    void ended(Object subject, boolean isDecoding, long bytes);
  }
}
