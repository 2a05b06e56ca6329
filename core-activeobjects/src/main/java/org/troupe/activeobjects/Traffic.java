package org.troupe.activeobjects;

/**
 * The messages that a node has sent to other nodes: calls, replies and their acknowledgements.
 * Heartbeats do not count, and a retransmitted message counts once.
 *
 * @param messages the number of messages; a call on several objects of one node is one message
 * @param bytes their encoded size, without the headers of the transport
 */
public record Traffic(long messages, long bytes) {

  /** No traffic. */
  public static final Traffic NONE = new Traffic(0, 0);

  /** Returns the sum of two readings, such as those of two nodes. */
  public Traffic plus(Traffic other) {
    return new Traffic(messages + other.messages, bytes + other.bytes);
  }

  /** Returns the difference to an earlier reading. */
  public Traffic since(Traffic earlier) {
    return new Traffic(messages - earlier.messages, bytes - earlier.bytes);
  }
}
