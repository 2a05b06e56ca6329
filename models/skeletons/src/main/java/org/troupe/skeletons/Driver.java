package org.troupe.skeletons;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.Tasks;

/** One run of a flow, on the thread of its caller. */
final class Driver<I extends @Nullable Object, O extends @Nullable Object> {

  /*
   * Design: bounds by places
   *
   * The caller's thread draws inputs, hands batches of them to the workers, and hands over the outcomes that come. So source,
   * sink and all state below belong to one thread, and the launcher of a grid, which has no worker, can drive one. The workers take
   * batches in the order in which they were drawn, so none is overtaken for ever.
   *
   * An input has a place from when it is drawn until its outcome is handed over. In order, an outcome that comes early keeps its
   * place until those before it have come, so their number is bounded, too.
   */

  private static final int BATCHES_PER_WORKER = 4;
  private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Skeleton<I, O> skeleton;
  private final Flow.Settings settings;
  private final Tasks tasks;
  private final Iterator<? extends I> source;
  private final Consumer<? super Outcome<I, O>> sink;
  private final @Nullable ProgressLines progress;
  private final FlowId flow = FlowId.random();
  private final BatchSize size = new BatchSize();
  private final BlockingQueue<Ended<I, O>> ended = new LinkedBlockingQueue<>();

  private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

  /** Outcomes that wait for those before them, by numbers. */
  private final Map<Long, Outcome<I, O>> early = new HashMap<>();

  private int workers;
  private long counted;
  private long drawn;
  private long handedOver;

  /**
   * A batch that has ended.
   *
   * @param first the number of its first input
   * @param report what its worker has reported; {@code null} if there is none
   * @param failure why there is none
   */
  private record Ended<I extends @Nullable Object, O extends @Nullable Object>(
      long first, List<I> inputs, Batch.@Nullable Report<O> report, @Nullable Throwable failure) {

    Outcome<I, O> outcome(int at) {
      var number = first + at;
      var input = inputs.get(at);
      if (report == null) {
        var cause = failure == null ? new IllegalStateException("without a reason") : failure;
        return new Outcome.Failure<>(number, input, 0, cause);
      }
      return switch (report.attempts().get(at)) {
        case Attempt.Done<O>(var value) -> new Outcome.Result<>(number, input, value);
        case Attempt.Failed<O>(var step, var cause) ->
            new Outcome.Failure<>(number, input, step, cause);
      };
    }
  }

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

  void run() throws InterruptedException {
    try {
      draw();
      while (handedOver < drawn) {
        handOver(ended.take());
        draw();
      }
    } finally {
      List.copyOf(underWay).forEach(each -> each.cancel(true)); // if the flow ends early
    }
    if (progress != null) {
      progress.end();
    }
  }

  /** Draws inputs while there are places for them. */
  private void draw() {
    var workers = workers();
    var most =
        settings.underWay() > 0 ? settings.underWay() : BATCHES_PER_WORKER * workers * size.get();
    var batch = Math.clamp(most / (2L * workers), 1, size.get());
    while (drawn - handedOver < most && source.hasNext()) {
      List<I> inputs = new ArrayList<>(batch);
      var places = Math.min(batch, most - (drawn - handedOver));
      while (inputs.size() < places && source.hasNext()) {
        inputs.add(source.next());
      }
      var first = drawn;
      drawn += inputs.size();
      var batchUnderWay = tasks.submit(new Batch<>(skeleton, flow, inputs));
      underWay.add(batchUnderWay);
      batchUnderWay.whenComplete(
          (report, failure) -> {
            underWay.remove(batchUnderWay);
            ended.add(new Ended<>(first, inputs, report, failure));
          });
    }
  }

  /** Returns how many workers there are, which is asked for now and then. */
  private int workers() {
    var now = System.nanoTime();
    if (workers == 0 || now - counted > COUNT_NANOS) {
      workers = Math.max(1, tasks.report().total().workers());
      counted = now;
    }
    return workers;
  }

  private void handOver(Ended<I, O> batch) {
    if (batch.report() != null) {
      size.add(batch.report().nanos(), batch.inputs().size());
    }
    for (var i = 0; i < batch.inputs().size(); i++) {
      handOver(batch.outcome(i));
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
