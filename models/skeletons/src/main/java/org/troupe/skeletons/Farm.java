package org.troupe.skeletons;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One function of an input and of a state that its worker keeps. */
final class Farm<S, I extends @Nullable Object, O extends @Nullable Object> extends Skeleton<I, O> {

  /*
   * Design: the states of a worker
   *
   * A worker is a thread, and its states end with it: workers that a flow has started end with the flow. While the
   * function waits for tasks that it has forked, its worker may run it for another input. That one gets another state,
   * since the first is in use, so no state is ever used by two calls at a time. Free states are used again, the last one
   * first.
   */

  private static final ThreadLocal<Map<Key, Deque<Object>>> FREE =
      ThreadLocal.withInitial(HashMap::new);

  private final Skeletons.StateMaker<? extends S> maker;
  private final Skeletons.StateStep<? super S, ? super I, ? extends O> function;

  /** A farm of a flow. */
  private record Key(FlowId flow, int step) {}

  Farm(
      Skeletons.StateMaker<? extends S> maker,
      Skeletons.StateStep<? super S, ? super I, ? extends O> function) {
    this.maker = maker;
    this.function = function;
  }

  @Override
  O apply(I input, Position position) throws StepException {
    var free =
        FREE.get()
            .computeIfAbsent(
                new Key(position.flow(), position.stepsBefore()), each -> new ArrayDeque<>());
    return position.<O>run(
        () -> {
          @SuppressWarnings("unchecked") // the states of this step of this flow are made here
          var known = (S) free.poll();
          var state = known == null ? maker.make() : known;
          try {
            return function.apply(state, input);
          } finally {
            free.push(state);
          }
        });
  }

  @Override
  int steps() {
    return 1;
  }
}
