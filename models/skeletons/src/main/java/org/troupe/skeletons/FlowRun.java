package org.troupe.skeletons;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.Tasks;

/** One run of a flow, on the thread of its caller. */
final class FlowRun<I extends @Nullable Object, O extends @Nullable Object> {

  /*
   * Design: bounds by places
   *
   * The caller's thread draws inputs, hands batches of them to the workers, and hands over the outcomes that come. So source,
   * sink and all state below belong to one thread, and the launcher of a grid, which has no worker, can drive one. The workers take
   * batches in the order in which they were drawn, so none is overtaken for ever.
   *
   * An input has a place from when it is drawn until its outcome is handed over. In order, an outcome that comes early keeps its
   * place until those before it have come, so their number is bounded, too.
   *
   * A batch may have two attempts, of which the first that reports counts, and both have the limit of time. The caller's thread looks
   * at the clock whenever it waits for outcomes, so no timer is needed. Time counts from when the batch was handed to
   * the workers, since only that is known here; the median of past batches is counted alike.
   */

  private static final int BATCHES_PER_WORKER = 4;
  private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A batch that takes so many times the median is begun a second time. */
  private static final int SLOW = 3;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Skeleton<I, O> skeleton;
  private final Flow.Settings settings;
  private final Tasks tasks;
  private final Iterator<? extends I> source;
  private final Consumer<? super Outcome<I, O>> sink;
  private final @Nullable ProgressLines progress;
  private final FlowId flow = FlowId.random();
  private final BatchSize size = new BatchSize();
  private final BlockingQueue<Ended<I, O>> ended = new LinkedBlockingQueue<>();

  /** The batches that workers have, oldest first. */
  private final Set<UnderWay<I, O>> underWay = new LinkedHashSet<>();

  private final MedianTime median = new MedianTime();

  /** Outcomes that wait for those before them, by numbers. */
  private final Map<Long, Outcome<I, O>> early = new HashMap<>();

  private boolean isExhausted;
  private int workers;
  private long counted;
  private long drawn;
  private long handedOver;

  /** A batch that workers have. */
  private static final class UnderWay<I extends @Nullable Object, O extends @Nullable Object> {
    final long first; // the number of its first input
    final List<I> inputs;
    final long begun = System.nanoTime();
    final List<CompletableFuture<Batch.Report<O>>> attempts = new ArrayList<>(2);
    int failedAttempts; // without a report

    UnderWay(long first, List<I> inputs) {
      this.first = first;
      this.inputs = inputs;
    }

    void cancel() {
      attempts.forEach(each -> each.cancel(true));
    }
  }

  /**
   * An attempt of a batch that has ended: with a report of its worker, or without, for a reason.
   */
  private record Ended<I extends @Nullable Object, O extends @Nullable Object>(
      UnderWay<I, O> batch, Batch.@Nullable Report<O> report, @Nullable Throwable failure) {

    Outcome<I, O> outcome(int at) {
      var number = batch.first + at;
      var input = batch.inputs.get(at);
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

  FlowRun(
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
        var next = next();
        if (next != null) {
          ended(next);
        }
        keepTime();
        draw();
      }
    } finally {
      underWay.forEach(UnderWay::cancel); // if the flow ends early
    }
    if (progress != null) {
      progress.end();
    }
  }

  /** Returns an attempt that has ended; {@code null} if it is time to look at the clock. */
  private @Nullable Ended<I, O> next() throws InterruptedException {
    var oldest = underWay.isEmpty() ? null : underWay.iterator().next();
    var limit = settings.limitNanos();
    if (oldest != null && limit > 0) {
      var left = oldest.begun + limit - System.nanoTime();
      var wait = hasBackupsNow() ? Math.min(left, LOOK_NANOS) : left;
      return ended.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
    }
    return hasBackupsNow() ? ended.poll(LOOK_NANOS, TimeUnit.NANOSECONDS) : ended.take();
  }

  private boolean hasBackupsNow() {
    return settings.hasBackups() && isExhausted && median.isKnown();
  }

  private void ended(Ended<I, O> attempt) {
    var batch = attempt.batch();
    if (!underWay.contains(batch)) {
      return; // the other attempt was first, or it was too late
    }
    if (attempt.report() == null && ++batch.failedAttempts < batch.attempts.size()) {
      return; // the other attempt decides
    }
    underWay.remove(batch);
    batch.cancel();
    median.add(System.nanoTime() - batch.begun);
    handOver(attempt);
  }

  /** Gives up batches that are beyond the limit, and begins slow ones once more. */
  private void keepTime() {
    var limit = settings.limitNanos();
    var now = System.nanoTime();
    while (limit > 0 && !underWay.isEmpty()) {
      var oldest = underWay.iterator().next();
      if (now - oldest.begun < limit) {
        break;
      }
      underWay.remove(oldest);
      oldest.cancel();
      handOver(new Ended<>(oldest, null, new TimeoutException(limitText())));
    }
    if (hasBackupsNow()) {
      var slow = SLOW * median.nanos();
      for (var batch : underWay) {
        if (batch.attempts.size() == 1 && now - batch.begun > slow) {
          attempt(batch);
        }
      }
    }
  }

  private String limitText() {
    return "no outcome within " + Duration.ofNanos(settings.limitNanos()).toString().substring(2);
  }

  /** Draws inputs while there are places for them. */
  private void draw() {
    var workers = workers();
    var most =
        settings.underWay() > 0 ? settings.underWay() : BATCHES_PER_WORKER * workers * size.get();
    var batch = settings.isTimed() ? 1 : Math.clamp(most / (2L * workers), 1, size.get());
    while (drawn - handedOver < most && source.hasNext()) {
      List<I> inputs = new ArrayList<>(batch);
      var places = Math.min(batch, most - (drawn - handedOver));
      while (inputs.size() < places && source.hasNext()) {
        inputs.add(source.next());
      }
      var drawnNow = new UnderWay<I, O>(drawn, inputs);
      drawn += inputs.size();
      underWay.add(drawnNow);
      attempt(drawnNow);
    }
    isExhausted = drawn - handedOver < most; // else it was not asked
  }

  private void attempt(UnderWay<I, O> batch) {
    var attempt = tasks.submit(new Batch<>(skeleton, flow, batch.inputs));
    batch.attempts.add(attempt);
    attempt.whenComplete((report, failure) -> ended.add(new Ended<>(batch, report, failure)));
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

  private void handOver(Ended<I, O> attempt) {
    var inputs = attempt.batch().inputs.size();
    if (attempt.report() != null) {
      size.add(attempt.report().nanos(), inputs);
    }
    for (var i = 0; i < inputs; i++) {
      handOver(attempt.outcome(i));
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
