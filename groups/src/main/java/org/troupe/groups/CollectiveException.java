package org.troupe.groups;

import org.troupe.activeobjects.CallException;

/**
 * A collective operation of a group failed: its members called different ones, it failed at one of
 * them, or some did not reach it in time. Or a point-to-point message was not of the expected kind,
 * or did not arrive in time.
 */
public final class CollectiveException extends CallException {

  private static final long serialVersionUID = 1;

  public CollectiveException(String message) {
    super(message);
  }
}
