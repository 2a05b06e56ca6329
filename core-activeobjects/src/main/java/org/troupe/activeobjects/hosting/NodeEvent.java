package org.troupe.activeobjects.hosting;

import java.util.Locale;

/**
 * Something that has happened on a node. Immutable and serializable.
 *
 * @param number its place among the events of the node, from 1 on
 * @param millis when it happened, in milliseconds since 1970 by the clock of the node
 * @param text what has happened, cut to {@value #LONGEST_TEXT} characters
 */
public record NodeEvent(long number, long millis, Kind kind, String text) {

  /** The length of a text. */
  public static final int LONGEST_TEXT = 16_000;

  /** What has happened. */
  public enum Kind {
    /** A cycle of waits was proved, and has ended with an error. */
    CYCLE,
    /** A connection to another node broke and was replaced. */
    RESET,
    /** An object was restarted. */
    RESTARTED,
    /** An object has moved to this node. */
    MOVED,
    /** An archive of classes was fetched from another node. */
    ARCHIVE;

    /** Returns the name as users read it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
