package org.troupe.mpj.matching;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many packets, other than notices, went between a rank and each other. Thread-safe. */
final class PacketCounts {

  private final AtomicLongArray sent;
  private final AtomicLongArray received;

  PacketCounts(int ranks) {
    sent = new AtomicLongArray(ranks);
    received = new AtomicLongArray(ranks);
  }

  /** Counts a packet that is about to leave. */
  void sends(int to) {
    sent.getAndIncrement(to);
  }

  /** Takes that back, as the packet has not left. */
  void hasNotSent(int to) {
    sent.getAndDecrement(to);
  }

  /** Counts a packet that has had its effect. */
  void hasReceived(int from) {
    received.getAndIncrement(from);
  }

  long[] sent(int[] ranks) {
    return numbers(sent, ranks);
  }

  long[] received(int[] ranks) {
    return numbers(received, ranks);
  }

  private static long[] numbers(AtomicLongArray of, int[] ranks) {
    var all = new long[ranks.length];
    for (var i = 0; i < all.length; i++) {
      all[i] = ranks[i] >= 0 && ranks[i] < of.length() ? of.get(ranks[i]) : 0;
    }
    return all;
  }
}
