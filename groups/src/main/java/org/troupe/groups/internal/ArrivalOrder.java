package org.troupe.groups.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** In which order answers come, and who waits for how many. May be shared between threads. */
public final class ArrivalOrder {

  /*
   * The order is noted as the answers come, whoever asks for it later. Who waits for some of them waits for a result of
   * its own, which is settled when so many are here.
   */

  // Under this
  private final int[] order; // ranks
  private int arrived;
  private final Map<Integer, FutureResult<Void>> wanted = new HashMap<>(2);

  public ArrivalOrder(int size) {
    order = new int[size];
  }

  /** Those of results that are there already, and some of which may be settled. */
  public static ArrivalOrder of(List<? extends FutureResult<?>> answers) {
    var arrivals = new ArrivalOrder(answers.size());
    for (var rank = 0; rank < answers.size(); rank++) {
      var its = rank;
      answers.get(rank).onSettled(outcome -> arrivals.arrives(its));
    }
    return arrivals;
  }

  /** An answer is here. On any thread; to be called once for each rank. */
  public void arrives(int rank) {
    FutureResult<Void> complete;
    synchronized (this) {
      order[arrived++] = rank;
      complete = wanted.remove(arrived);
    }
    if (complete != null) {
      complete.settle(new Outcome.Success<>(null));
    }
  }

  /** Returns the rank of the answer that came in this place; it must be here. */
  public synchronized int rank(int place) {
    return order[place];
  }

  /**
   * Returns what settles when so many are here.
   *
   * @param made makes such a result, by their number
   */
  public FutureResult<Void> when(int count, Function<Integer, FutureResult<Void>> made) {
    FutureResult<Void> result;
    synchronized (this) {
      if (arrived < count) {
        return wanted.computeIfAbsent(count, made);
      }
      result = made.apply(count);
    }
    result.settle(new Outcome.Success<>(null));
    return result;
  }
}
