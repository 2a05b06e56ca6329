package org.troupe.activeobjects.hosting;

import java.util.List;

/**
 * Some of the entries of a node's trace.
 *
 * @param entries in the order in which the steps ended
 * @param dropped how many entries before the last one were overwritten
 * @param next the number after the last one
 */
public record TracePart(List<TraceEntry> entries, long dropped, long next) {

  /** The most entries of a part, of some 64 bytes each. */
  public static final int MOST = 8_192;
}
