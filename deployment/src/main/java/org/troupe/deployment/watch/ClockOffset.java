package org.troupe.deployment.watch;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * By how much the clock of intervals of a node is ahead of that of this JVM, as far as round trips
 * tell.
 */
public final class ClockOffset {

  /*
   * A node reads its clock between the question and its answer. Half the round trip bounds the error, so the shortest of the
   * last round trips counts, as in D. Mills, Internet time synchronization: the network time protocol, IEEE Trans. Comm. 39(10),
   * 1991. Older ones are forgotten, since clocks drift.
   */
  private static final int KEPT = 16;

  private final Deque<Estimate> last = new ArrayDeque<>();

  /** An offset, and its largest error. */
  public record Estimate(long offsetNanos, long errorNanos) {}

  /**
   * Adds a round trip.
   *
   * @param askedNanos when the node was asked, by the clock of this JVM
   * @param clockNanos the clock of the node
   * @param answeredNanos when the answer was there
   */
  public void add(long askedNanos, long clockNanos, long answeredNanos) {
    var error = (answeredNanos - askedNanos + 1) / 2;
    last.addLast(new Estimate(clockNanos - (askedNanos + error), error));
    if (last.size() > KEPT) {
      last.removeFirst();
    }
  }

  /** Returns the best of the last estimates; {@code null} if there is none. */
  public @Nullable Estimate best() {
    return last.stream().min(Comparator.comparingLong(Estimate::errorNanos)).orElse(null);
  }
}
