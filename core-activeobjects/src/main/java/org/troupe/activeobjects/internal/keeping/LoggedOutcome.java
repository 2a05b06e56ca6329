package org.troupe.activeobjects.internal.keeping;

import org.troupe.activeobjects.internal.replay.LogCodec;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/**
 * The end of a call in a log.
 *
 * @param content the value or the failure, as {@link LogContent} writes it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LoggedOutcome(byte[] content) {

  /** Writes and reads outcomes. */
  static final class Content implements LogCodec.Content<LoggedOutcome> {
    @Override
    public void write(ByteOutput out, LoggedOutcome value) {
      out.writeBytes(value.content);
    }

    @Override
    public LoggedOutcome read(ByteInput in) {
      return new LoggedOutcome(in.readBytes());
    }
  }
}
