package org.troupe.activeobjects.store;

import java.io.IOException;

/**
 * Says that a store, as this process sees it, has no journal of an object that it should keep:
 * usually a directory that other hosts see and this one does not.
 */
public final class MissingJournalException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public MissingJournalException(String message) {
    super(message);
  }
}
