package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/**
 * Where a skeleton is within the one of a flow.
 *
 * @param stepsBefore how many steps are to the left of it
 * @param flow the flow, whose farms have states of their own on each worker
 */
record Position(int stepsBefore, FlowId flow) {

  Position behind(Skeleton<?, ?> left) {
    return behindSteps(left.steps());
  }

  Position next() {
    return behindSteps(1);
  }

  Position behindSteps(int count) {
    return new Position(stepsBefore + count, flow);
  }

  /** Calls the function of the step that is here. */
  <R extends @Nullable Object> R run(StepCall<? extends R> step) throws StepException {
    try {
      return step.run();
    } catch (Exception | AssertionError | LinkageError | VirtualMachineError failure) {
      // Any other error unwinds a task that was cancelled.
      throw new StepException(stepsBefore + 1, failure);
    }
  }

  /** The function of a step with its arguments. */
  @FunctionalInterface
  interface StepCall<R extends @Nullable Object> {
    R run() throws Exception;
  }
}
