package org.troupe.groups.spmd;

import java.util.Locale;

/** The kinds of collective operations. */
enum OperationKind {
  BROADCAST,
  SCATTER,
  GATHER,
  ALL_GATHER,
  ALL_TO_ALL,
  REDUCE,
  ALL_REDUCE,
  SCAN,
  RECONFIGURE,
  SURVIVORS,
  // Combined calls, by the treatment of the answer
  COMBINED_DISCARD,
  COMBINED_RETURNED,
  COMBINED_GATHER,
  COMBINED_COMBINE,
  COMBINED_FORWARD,
  COMBINED_PERSONALISED;

  boolean hasRoot() {
    return this == BROADCAST || this == SCATTER || this == GATHER || this == REDUCE;
  }

  @Override
  public String toString() {
    var words = name().toLowerCase(Locale.ROOT).split("_");
    var text = new StringBuilder(words[0]);
    for (var i = 1; i < words.length; i++) {
      text.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return text.toString();
  }
}
