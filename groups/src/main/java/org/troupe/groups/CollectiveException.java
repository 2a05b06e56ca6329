package org.troupe.groups;

import org.troupe.activeobjects.CallException;

/**
 * What the members of a group were to do together failed: they do not agree about what it is, it
 * failed at one of them, or some have not come in time. Or what one was to receive from another was
 * something else, or has not come in time.
 */
public final class CollectiveException extends CallException {

  private static final long serialVersionUID = 1;

  public CollectiveException(String message) {
    super(message);
  }
}
