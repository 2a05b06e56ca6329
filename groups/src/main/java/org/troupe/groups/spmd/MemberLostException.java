package org.troupe.groups.spmd;

import org.troupe.activeobjects.CallException;

/** A member of the group is lost, so an operation of all members cannot complete. */
public final class MemberLostException extends CallException {

  private static final long serialVersionUID = 1;

  private final int rank;
  private final String node;

  MemberLostException(int rank, String node, String message) {
    super(message);
    this.rank = rank;
    this.node = node;
  }

  /** Returns the rank that the member had. */
  public int rank() {
    return rank;
  }

  /** Returns the name of the node that it was on. */
  public String node() {
    return node;
  }
}
