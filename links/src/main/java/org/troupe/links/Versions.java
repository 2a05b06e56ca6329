package org.troupe.links;

import java.util.OptionalInt;

/** The wire versions that a side speaks, both ends included; each fits into 16 bits. */
record Versions(int lowest, int highest) {

  static final Versions OURS = new Versions(1, 1);

  OptionalInt highestCommon(Versions other) {
    int candidate = Math.min(highest, other.highest);
    return candidate >= Math.max(lowest, other.lowest)
        ? OptionalInt.of(candidate)
        : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return lowest == highest ? "version " + lowest : "versions " + lowest + " to " + highest;
  }
}
