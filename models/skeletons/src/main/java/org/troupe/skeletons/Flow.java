package org.troupe.skeletons;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.Tasks;
import org.troupe.tasks.engine.Engine;

/**
 * Sends inputs through a skeleton. May be shared between threads, and used repeatedly. The methods
 * {@link #inOrder}, {@link #underWay}, {@link #failFast}, {@link #atMost}, {@link #backups} and
 * {@link #withProgress} return a flow with that property on the same workers.
 *
 * <p>Inputs are drawn, and outcomes handed over, by the thread of the caller. No more inputs are
 * under way than keep the workers busy, so there may be any number of them.
 *
 * @param <I> the type of an input
 * @param <O> the type of its result
 */
public final class Flow<I extends @Nullable Object, O extends @Nullable Object>
    implements AutoCloseable {

  private static final int MOST_SUPPRESSED = 10;
  private static final Duration LONGEST_LIMIT = Duration.ofDays(10_000);

  private final Skeleton<I, O> skeleton;
  private final Tasks tasks;
  private final boolean isOwner;
  private final Settings settings;

  /**
   * The properties of a flow.
   *
   * @param underWay how many inputs may be between source and sink; 0 if that depends on the
   *     workers
   * @param limitNanos how long an input may take; 0 if there is no limit
   * @param hasBackups whether slow inputs are begun a second time
   * @param progress takes lines about the progress; {@code null} if there is none
   */
  record Settings(
      boolean isInOrder,
      int underWay,
      boolean isFailingFast,
      long limitNanos,
      boolean hasBackups,
      @Nullable Consumer<? super String> progress) {

    static final Settings USUAL = new Settings(false, 0, false, 0, false, null);

    /** Returns whether each input has a clock of its own. */
    boolean isTimed() {
      return limitNanos > 0 || hasBackups;
    }
  }

  private Flow(Skeleton<I, O> skeleton, Tasks tasks, boolean isOwner, Settings settings) {
    this.skeleton = skeleton;
    this.tasks = tasks;
    this.isOwner = isOwner;
    this.settings = settings;
  }

  static <I extends @Nullable Object, O extends @Nullable Object> Flow<I, O> owning(
      Skeleton<I, O> skeleton, Tasks tasks) {
    return new Flow<>(skeleton, tasks, true, Settings.USUAL);
  }

  static <I extends @Nullable Object, O extends @Nullable Object> Flow<I, O> sharing(
      Skeleton<I, O> skeleton, Tasks tasks) {
    return new Flow<>(skeleton, tasks, false, Settings.USUAL);
  }

  private Flow<I, O> with(Settings changed) {
    return new Flow<>(skeleton, tasks, isOwner, changed);
  }

  /** Hands over outcomes in the order of the inputs. Otherwise they come as they are complete. */
  public Flow<I, O> inOrder() {
    var s = settings;
    return with(
        new Settings(true, s.underWay, s.isFailingFast, s.limitNanos, s.hasBackups, s.progress));
  }

  /**
   * Has at most so many inputs between source and sink. Otherwise there are four batches of small
   * inputs, or four inputs, for each worker.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  public Flow<I, O> underWay(int inputs) {
    if (inputs < 1) {
      throw new IllegalArgumentException(
          "underWay(" + inputs + ") would let no input begin; give 1 or more");
    }
    var s = settings;
    return with(
        new Settings(s.isInOrder, inputs, s.isFailingFast, s.limitNanos, s.hasBackups, s.progress));
  }

  /** Cancels all other inputs when one has failed. Otherwise they go on. */
  public Flow<I, O> failFast() {
    var s = settings;
    return with(
        new Settings(s.isInOrder, s.underWay, true, s.limitNanos, s.hasBackups, s.progress));
  }

  /**
   * Gives each input at most so much time, from when it is drawn until its outcome is there; an
   * input that needs more fails with a {@link java.util.concurrent.TimeoutException}. Its
   * computation ends at its next fork, join or {@link Tasks#checkpoint}, and occupies a worker
   * until then. The time that an input waits for a worker counts, so {@link #underWay} should not
   * be much more than the number of workers. Inputs are sent one by one.
   *
   * @throws IllegalArgumentException if the time is not positive
   */
  public Flow<I, O> atMost(Duration limit) {
    if (!limit.isPositive()) {
      throw new IllegalArgumentException(
          "atMost(" + limit + ") would let every input fail; give a positive time");
    }
    var s = settings;
    var nanos = limit.compareTo(LONGEST_LIMIT) > 0 ? LONGEST_LIMIT.toNanos() : limit.toNanos();
    return with(
        new Settings(s.isInOrder, s.underWay, s.isFailingFast, nanos, s.hasBackups, s.progress));
  }

  /**
   * Begins an input a second time if all inputs have been drawn and it has taken three times the
   * median of the others, so that one slow node does not hold up the end. The first outcome counts,
   * and the other attempt is cancelled. Functions may so be called twice with one input. Inputs are
   * sent one by one.
   */
  public Flow<I, O> backups() {
    var s = settings;
    return with(
        new Settings(s.isInOrder, s.underWay, s.isFailingFast, s.limitNanos, true, s.progress));
  }

  /** Prints a line about the progress on standard error, at most once a second, and at the end. */
  public Flow<I, O> withProgress() {
    return withProgress(System.err::println);
  }

  /** Gives lines about the progress to a consumer, at most once a second, and at the end. */
  public Flow<I, O> withProgress(Consumer<? super String> lines) {
    var s = settings;
    return with(
        new Settings(s.isInOrder, s.underWay, s.isFailingFast, s.limitNanos, s.hasBackups, lines));
  }

  /**
   * Sends inputs, hands over the results, and waits for all of them.
   *
   * @throws InputFailedException when all are done, for the first input that has failed; some
   *     others are suppressed. With {@link #failFast} at once
   */
  public void each(Iterable<? extends I> inputs, Consumer<? super O> results) {
    List<Outcome.Failure<I, O>> failures = new ArrayList<>();
    outcomes(
        inputs,
        outcome -> {
          switch (outcome) {
            case Outcome.Result<I, O> result -> results.accept(result.value());
            case Outcome.Failure<I, O> failure -> {
              if (failures.size() <= MOST_SUPPRESSED) {
                failures.add(failure);
              }
            }
          }
        });
    if (!failures.isEmpty()) {
      var first = new InputFailedException(failures.getFirst());
      failures.stream().skip(1).map(InputFailedException::new).forEach(first::addSuppressed);
      throw first;
    }
  }

  /**
   * Sends inputs, waits for all of them, and returns the results in the order of the inputs.
   *
   * @throws InputFailedException as {@link #each} does
   */
  public List<O> all(Iterable<? extends I> inputs) {
    List<O> results = new ArrayList<>();
    inOrder().each(inputs, results::add);
    return results;
  }

  /**
   * Sends inputs, hands over one outcome for each, and waits for all of them. An exception of the
   * source or the consumer ends the flow, and is thrown.
   *
   * @throws InputFailedException with {@link #failFast}, when an input has failed
   */
  public void outcomes(Iterable<? extends I> inputs, Consumer<? super Outcome<I, O>> outcomes) {
    if (Engine.current() != null) {
      throw new IllegalStateException(
          "a flow waits for tasks, which a worker's thread cannot do; use the skeleton as a part of"
              + " the other one");
    }
    try {
      new FlowRun<I, O>(skeleton, settings, tasks, inputs, outcomes).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the thread was interrupted while it waited for inputs");
    }
  }

  /** Ends the workers, if the flow has started them, and cancels what is under way. */
  @Override
  public void close() {
    if (isOwner) {
      tasks.close();
    }
  }
}
