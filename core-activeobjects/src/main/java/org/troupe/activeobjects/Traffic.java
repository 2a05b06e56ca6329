package org.troupe.activeobjects;

/**
 * What a node has sent to other nodes: calls, answers, and what keeps track of both; not the signs
 * of life, and nothing twice that was sent again.
 *
 * @param messages a call on several objects of one node is one, and so is one with large arrays
 * @param bytes as encoded, before a transport adds its own
 */
public record Traffic(long messages, long bytes) {

  /** Nothing yet. */
  public static final Traffic NONE = new Traffic(0, 0);

  /** Returns what two nodes have sent together. */
  public Traffic plus(Traffic other) {
    return new Traffic(messages + other.messages, bytes + other.bytes);
  }

  /** Returns what was sent since an earlier reading. */
  public Traffic since(Traffic earlier) {
    return new Traffic(messages - earlier.messages, bytes - earlier.bytes);
  }
}
