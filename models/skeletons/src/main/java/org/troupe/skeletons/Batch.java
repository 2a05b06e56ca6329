package org.troupe.skeletons;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.Task;

/** Successive inputs, which one worker takes through a skeleton. */
record Batch<I extends @Nullable Object, O extends @Nullable Object>(
    Skeleton<I, O> skeleton, FlowId flow, List<I> inputs) implements Task<Batch.Report<O>> {

  /**
   * The report of the worker.
   *
   * @param nanos how long the inputs took in all
   * @param attempts one for each input
   */
  record Report<O extends @Nullable Object>(long nanos, List<Attempt<O>> attempts) {}

  @Override
  public Report<O> run() {
    var begun = System.nanoTime();
    List<Attempt<O>> attempts = new ArrayList<>(inputs.size());
    for (var input : inputs) {
      attempts.add(attempt(input));
    }
    return new Report<>(System.nanoTime() - begun, attempts);
  }

  private Attempt<O> attempt(I input) {
    try {
      return new Attempt.Done<>(skeleton.apply(input, new Position(0, flow)));
    } catch (StepException failure) {
      return new Attempt.Failed<>(failure.step(), failure.reason());
    }
  }
}
