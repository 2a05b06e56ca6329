package org.troupe.activeobjects.internal.capacity;

import java.util.function.Supplier;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.body.FailureReporter;
import org.troupe.futures.FutureRuntime;

/** The wait of one call for capacity in the queues of its targets. */
public final class CapacityWait extends DerivedResult<Object> {

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
      Body caller,
      long id,
      String call,
      Supplier<ResultSources> full) {
    super(waiting, failures, caller, () -> "room in a full queue for " + call, full);
    this.id = id;
  }
}
