package org.troupe.activeobjects.internal.capacity;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.body.FailureReporter;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** The wait of one call for capacity in the queues of its targets. */
public final class CapacityWait extends DerivedResult<Object> {

  private static final Outcome<Object> GRANTED = new Outcome.Success<>("capacity");

  /** The number by which other nodes know the wait. */
  public final long id;

  /**
   * Creates the wait.
   *
   * @param waiting the actions of a thread that waits
   * @param caller the body that makes the call, or {@code null}
   * @param id the number by which other nodes know the wait
   * @param call the call, for messages
   * @param full returns the {@linkplain QueueVacancy full queues} that hold the call back
   */
  CapacityWait(
      FutureRuntime waiting,
      FailureReporter failures,
      @Nullable Body caller,
      long id,
      String call,
      Supplier<ResultSources> full) {
    super(waiting, failures, caller, () -> "room in a full queue for " + call, full);
    this.id = id;
  }

  /** Ends the wait with success; returns whether it had not ended before. */
  boolean grant() {
    return settle(GRANTED);
  }
}
