package org.troupe.activeobjects.store;

import java.io.IOException;

/**
 * Says that the journal of an object is gone for good, since every place that had it is lost. The
 * object cannot be made again anywhere.
 */
public final class LostJournalException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public LostJournalException(String message) {
    super(message);
  }
}
