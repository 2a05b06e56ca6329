package org.troupe.tasks.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job whose result is a number. It needs no field for it: while the job is active, the engine
 * keeps its own numbers there.
 */
public abstract class NumberSpawn extends Spawn {

  /** Creates a job that is not forked. */
  protected NumberSpawn() {}

  /** Stores the result, when all jobs that this one has forked have been joined. */
  protected final void end(long number) {
    if (outstanding() > 0) {
      joinForks();
    }
    word = number;
  }

  /** Returns the number, of a job that is done. */
  protected final long doneNumber() {
    if (status != DONE) {
      requireDone();
    }
    return word;
  }

  @Override
  protected final Object outcome() {
    return word;
  }

  @Override
  protected final void setOutcome(@Nullable Object result) {
    word = (Long) Objects.requireNonNull(result, "a job with a number has a number as its outcome");
  }
}
