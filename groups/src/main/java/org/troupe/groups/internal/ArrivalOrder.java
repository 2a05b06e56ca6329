package org.troupe.groups.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Records the order in which answers arrive. May be shared between threads. */
public final class ArrivalOrder {

  /*
   * The order is recorded as answers arrive, so that a caller may ask for it at any time. A thread
   * that waits for some of them waits for a result of its own, which settles when that many have
   * arrived.
   */

  // Guarded by this
  private final int[] order; // ranks
  private int arrived;
  private final Map<Integer, FutureResult<Void>> wanted = new HashMap<>(2);

  public ArrivalOrder(int size) {
    order = new int[size];
  }

  /** Records the order of existing results, some of which may be settled. */
  public static ArrivalOrder of(List<? extends FutureResult<?>> answers) {
    var arrivals = new ArrivalOrder(answers.size());
    for (var rank = 0; rank < answers.size(); rank++) {
      var its = rank;
      answers.get(rank).onSettled(outcome -> arrivals.arrives(its));
    }
    return arrivals;
  }

  /** Records that an answer has arrived; on any thread, once for each rank. */
  public void arrives(int rank) {
    FutureResult<Void> complete;
    synchronized (this) {
      order[arrived++] = rank;
      complete = wanted.remove(arrived);
    }
    if (complete != null) {
      complete.settle(Outcome.withoutValue());
    }
  }

  /** Returns the rank of the answer that arrived in this place, which must have arrived. */
  public synchronized int rank(int place) {
    return order[place];
  }

  /**
   * Returns a result that settles when a number of answers have arrived.
   *
   * @param made creates the result for a number of answers
   */
  public FutureResult<Void> when(int count, Function<Integer, FutureResult<Void>> made) {
    FutureResult<Void> result;
    synchronized (this) {
      if (arrived < count) {
        return wanted.computeIfAbsent(count, made);
      }
      result = made.apply(count);
    }
    result.settle(Outcome.withoutValue());
    return result;
  }
}
