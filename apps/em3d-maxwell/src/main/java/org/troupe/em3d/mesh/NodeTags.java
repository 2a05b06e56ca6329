package org.troupe.em3d.mesh;

import java.util.Arrays;

/**
 * An index of a file's nodes by their tags: a table if the tags are dense, as they nearly always
 * are, otherwise a hash table.
 */
final class NodeTags {

  private static final int ABSENT = -1;

  private final long[] tags;
  private final long lowest;
  private final boolean dense;
  private final int[] table;

  /** The first node with the tag of an earlier node, or ABSENT. */
  private int repeated = ABSENT;

  /** Creates the index of these tags; nodes are numbered in their order. */
  NodeTags(long[] tags) {
    this.tags = tags;
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (long tag : tags) {
      low = Math.min(low, tag);
      high = Math.max(high, tag);
    }
    lowest = low;
    long span = high - low;
    dense = span >= 0 && span < 4L * tags.length;
    table = new int[dense ? (int) span + 1 : Integer.highestOneBit(Math.max(1, tags.length)) << 2];
    Arrays.fill(table, ABSENT);
    for (int node = 0; node < tags.length; node++) {
      int slot = slot(tags[node]);
      if (table[slot] == ABSENT) {
        table[slot] = node;
      } else if (repeated == ABSENT) {
        repeated = node;
      }
    }
  }

  /** Returns the first node with the tag of an earlier node, or -1. */
  int repeated() {
    return repeated;
  }

  /** Returns the node with this tag, or -1. */
  int find(long tag) {
    if (tags.length == 0 || dense && (tag < lowest || tag - lowest >= table.length)) {
      return ABSENT;
    }
    return table[slot(tag)];
  }

  private int slot(long tag) {
    if (dense) {
      return (int) (tag - lowest);
    }
    int mask = table.length - 1;
    int slot = (int) ((tag * 0x9e3779b97f4a7c15L) >>> 33) & mask;
    while (table[slot] != ABSENT && tags[table[slot]] != tag) {
      slot = slot + 1 & mask;
    }
    return slot;
  }
}
