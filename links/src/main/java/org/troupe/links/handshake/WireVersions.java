package org.troupe.links.handshake;

import java.util.OptionalInt;

/** The range of wire versions that a side supports, inclusive; each fits into 16 bits. */
public record WireVersions(int lowest, int highest) {

  public static final WireVersions OURS = new WireVersions(8, 8);

  OptionalInt highestCommon(WireVersions other) {
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
