package org.troupe.mpj.matching;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;

/** A wait until one of several operations has ended. */
final class OperationWait extends RankWait {

  private static final int MOST_DESCRIBED = 4;

  private final MessageEngine engine;
  private final @Nullable MessageOperation[] operations; // may contain null, but not only
  private final @Nullable Runnable delayed;

  OperationWait(
      MessageEngine engine, @Nullable MessageOperation[] operations, @Nullable Runnable delayed) {
    this.engine = engine;
    this.operations = operations;
    this.delayed = delayed;
  }

  /** Announces the wait to its operations. */
  void enter() {
    for (var each : operations) {
      if (each != null && !each.enter(this)) {
        throw MessagingError.of(
            ErrorClass.PENDING,
            "another thread waits for " + each.describe() + "; let one thread wait for a request");
      }
    }
  }

  void leave() {
    for (var each : operations) {
      if (each != null) {
        each.leave(this);
      }
    }
  }

  @Override
  protected boolean isOver() {
    for (var each : operations) {
      if (each != null && each.isDone()) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void help() {
    for (var each : operations) {
      if (each != null) {
        each.help();
      }
    }
  }

  @Override
  protected boolean isStuck() {
    for (var each : operations) {
      if (each != null && !each.isStuck()) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected void addAwaited(BitSet ranks) {
    for (var each : operations) {
      if (each != null) {
        each.addAwaited(ranks);
      }
    }
  }

  @Override
  protected String describe() {
    List<String> all = new ArrayList<>();
    for (var each : operations) {
      if (each != null && !each.isDone() && all.size() < MOST_DESCRIBED) {
        all.add(each.describe());
      }
    }
    return String.join(", ", all);
  }

  @Override
  protected int context() {
    for (var each : operations) {
      if (each != null) {
        return each.context();
      }
    }
    return 0;
  }

  @Override
  protected void fail(Failure why) {
    for (var each : operations) {
      if (each != null) {
        engine.fail(each, why);
      }
    }
  }

  @Override
  protected void delayed(long waitedNanos) {
    if (delayed != null) {
      delayed.run();
    }
  }

  @Override
  protected boolean isOverLink() {
    for (var each : operations) {
      if (each != null && each.isOverLink()) {
        return true;
      }
    }
    return false;
  }
}
