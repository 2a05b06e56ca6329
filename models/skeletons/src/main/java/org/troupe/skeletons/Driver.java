package org.troupe.skeletons;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.Fork;
import org.troupe.tasks.Scope;
import org.troupe.tasks.Tasks;

/** One run of a flow, within a task. */
final class Driver<I extends @Nullable Object, O extends @Nullable Object> {

  /*
   * Design: bounds without a queue
   *
   * Batches of inputs are forks of one scope. Their handlers run on this thread, one at a time, hand outcomes over, and draw
   * further inputs into the places that have become free. So source, sink and all state below belong to one thread.
   *
   * The owner of a deque takes its youngest task first. An input that no other worker takes would be overtaken for ever by new
   * ones. So nothing is drawn while the oldest input under way is more than OVERTAKING bounds behind the newest.
   *
   * In order, an outcome that comes early keeps its place until those before it have come, so their number is bounded,
   * too.
   *
   * A batch whose nodes were lost more often than the tasks allow has no report. It is seen after the scope has synced,
   * which it does when the other batches have ended and nothing more was drawn into their places.
   */

  private static final int BATCHES_PER_WORKER = 4;
  private static final int OVERTAKING = 4;

  private final Skeleton<I, O> skeleton;
  private final Flow.Settings settings;
  private final Tasks tasks;
  private final Iterator<? extends I> source;
  private final Consumer<? super Outcome<I, O>> sink;
  private final @Nullable ProgressLines progress;
  private final FlowId flow = FlowId.random();
  private final BatchSize size = new BatchSize();

  /** Batches without a report, by the numbers of their first inputs. */
  private final TreeMap<Long, Begun<I, O>> begun = new TreeMap<>();

  /** Outcomes that wait for those before them, by numbers. */
  private final Map<Long, Outcome<I, O>> early = new HashMap<>();

  private long drawn;
  private long handedOver;

  /** A batch under way. */
  private record Begun<I extends @Nullable Object, O extends @Nullable Object>(
      List<I> inputs, Fork<Batch.Report<O>> fork) {}

  Driver(
      Skeleton<I, O> skeleton,
      Flow.Settings settings,
      Tasks tasks,
      Iterable<? extends I> inputs,
      Consumer<? super Outcome<I, O>> sink) {
    this.skeleton = skeleton;
    this.settings = settings;
    this.tasks = tasks;
    this.source = inputs.iterator();
    this.sink = sink;
    var lines = settings.progress();
    this.progress =
        lines == null
            ? null
            : new ProgressLines(inputs instanceof Collection<?> all ? all.size() : -1, lines);
  }

  void run() {
    try (var scope = Scope.open()) {
      try {
        do {
          draw(scope);
          scope.sync(Scope.Failures.KEEP);
          for (var lost = begun.pollFirstEntry(); lost != null; lost = begun.pollFirstEntry()) {
            lose(lost.getKey(), lost.getValue());
          }
        } while (source.hasNext());
      } catch (RuntimeException | Error failure) {
        scope.cancel();
        throw failure;
      }
    }
    if (progress != null) {
      progress.end();
    }
  }

  /** Draws inputs while there are places for them. */
  private void draw(Scope scope) {
    var workers = Math.max(1, tasks.report().total().workers());
    var most =
        settings.underWay() > 0 ? settings.underWay() : BATCHES_PER_WORKER * workers * size.get();
    var batch = Math.clamp(most / (2L * workers), 1, size.get());
    while (drawn - handedOver < most && !isTooFar(most) && source.hasNext()) {
      List<I> inputs = new ArrayList<>(batch);
      var places = Math.min(batch, most - (drawn - handedOver));
      while (inputs.size() < places && source.hasNext()) {
        inputs.add(source.next());
      }
      var first = drawn;
      drawn += inputs.size();
      var fork =
          scope.<Batch.Report<O>>fork(
              new Batch<>(skeleton, flow, inputs), report -> take(scope, first, report));
      begun.put(first, new Begun<>(inputs, fork));
    }
  }

  private boolean isTooFar(int most) {
    return !begun.isEmpty() && drawn - begun.firstKey() > (long) OVERTAKING * most;
  }

  private void take(Scope scope, long first, Batch.Report<O> report) {
    try {
      var inputs = begun.remove(first).inputs();
      size.add(report.nanos(), inputs.size());
      for (var i = 0; i < inputs.size(); i++) {
        handOver(outcome(first + i, inputs.get(i), report.attempts().get(i)));
      }
      draw(scope);
    } catch (RuntimeException | Error failure) {
      scope.cancel();
      throw failure;
    }
  }

  private Outcome<I, O> outcome(long number, I input, Attempt<O> attempt) {
    return switch (attempt) {
      case Attempt.Done<O>(var value) -> new Outcome.Result<>(number, input, value);
      case Attempt.Failed<O>(var step, var cause) ->
          new Outcome.Failure<>(number, input, step, cause);
    };
  }

  private void lose(long first, Begun<I, O> batch) {
    var cause = batch.fork().failure().orElseThrow(); // it would have been taken otherwise
    for (var i = 0; i < batch.inputs().size(); i++) {
      handOver(new Outcome.Failure<>(first + i, batch.inputs().get(i), 0, cause));
    }
  }

  private void handOver(Outcome<I, O> outcome) {
    if (settings.isFailingFast() && outcome instanceof Outcome.Failure<I, O> failure) {
      throw new InputFailedException(failure);
    }
    if (!settings.isInOrder()) {
      accept(outcome);
      return;
    }
    early.put(outcome.number(), outcome);
    for (var next = early.remove(handedOver); next != null; next = early.remove(handedOver)) {
      accept(next);
    }
  }

  private void accept(Outcome<I, O> outcome) {
    handedOver++;
    sink.accept(outcome);
    if (progress != null) {
      progress.add(outcome instanceof Outcome.Failure);
    }
  }
}
