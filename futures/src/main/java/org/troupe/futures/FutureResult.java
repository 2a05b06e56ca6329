package org.troupe.futures;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.stubs.Stubs;

/**
 * The place where one result arrives: behind every transparent future and every {@link
 * CompletableFuture} that a call gave. May be shared between threads.
 *
 * <p>Made by what performs the calls; users see stubs, completable futures and {@link Futures}.
 *
 * @param <T> the type of the result
 */
public class FutureResult<T extends @Nullable Object> {

  /*
   * One word of state: while awaited, a stack of those to be told (null at first); afterwards the outcome, for
   * good. A result that nobody hangs a stage on costs this object alone; the CompletableFuture is made on demand.
   */
  private static final VarHandle STATE;
  private static final VarHandle VIEW;

  static {
    try {
      var lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(FutureResult.class, "state", Object.class);
      VIEW = lookup.findVarHandle(FutureResult.class, "view", FutureView.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final FutureRuntime waiting;
  private volatile @Nullable Object state;
  private volatile @Nullable FutureView<T> view;
  private volatile boolean claimed;

  /**
   * Makes a place for a result.
   *
   * @param waiting what waiting for it means
   */
  public FutureResult(FutureRuntime waiting) {
    this.waiting = waiting;
  }

  /** Says whether the result is not here yet; never waits. */
  public final boolean isAwaited() {
    return !(state instanceof Outcome);
  }

  /** Returns the outcome as it arrived, or {@code null} while it is awaited; never waits. */
  @SuppressWarnings("unchecked") // only settle writes an outcome
  public final @Nullable Outcome<T> outcomeNow() {
    return state instanceof Outcome<?> outcome ? (Outcome<T>) outcome : null;
  }

  /**
   * Ends the wait. Wakes the waiting threads and runs the listeners; never runs user code. The
   * first outcome stands, a later one is ignored.
   *
   * @return whether this outcome is the one that stands
   */
  public final boolean settle(Outcome<T> outcome) {
    for (; ; ) {
      var seen = state;
      if (seen instanceof Outcome) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, outcome)) {
        if (!(outcome instanceof Outcome.Success)) {
          endedUnseen(outcome);
        }
        tell((Listener) seen, outcome);
        return true;
      }
    }
  }

  /** Called once, when an outcome that may be a failure arrived; does nothing here. */
  protected void endedUnseen(Outcome<T> outcome) {}

  /** Says whether somebody has used the result, or has hung a stage on it. */
  public final boolean isClaimed() {
    return claimed;
  }

  /** Notes that somebody answers for the result, whatever it will be. */
  public void claim() {
    claimed = true;
  }

  /**
   * Tells a listener of the outcome: at once if it is here, otherwise on the thread that settles.
   *
   * @param listener must be short, and run no user code
   */
  public final void onSettled(Consumer<? super Outcome<T>> listener) {
    if (!push(new Callback<>(listener))) {
      listener.accept(arrived());
    }
  }

  /**
   * Waits for the outcome. Not interruptible; an interrupt stays noted for the thread.
   *
   * @return the success or failure
   * @throws RuntimeException if the outcome can never come while this thread waits
   */
  public final Outcome<T> await() {
    claim();
    if (isAwaited()) {
      var ended = waiting.begins(this, false);
      try {
        park(Long.MAX_VALUE, false);
      } catch (InterruptedException e) {
        throw new AssertionError(e); // an uninterruptible wait does not throw it
      } finally {
        ended.run();
      }
    }
    return arrived().settled();
  }

  /**
   * Waits for the outcome for some time.
   *
   * @param nanos how long at most
   * @return the success or failure, or {@code null} if the time is over
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public final @Nullable Outcome<T> await(long nanos) throws InterruptedException {
    claim();
    if (isAwaited()) {
      var ended = waiting.begins(this, nanos != Long.MAX_VALUE);
      try {
        park(nanos, true);
      } finally {
        ended.run();
      }
    }
    var outcome = outcomeNow();
    return outcome == null ? null : outcome.settled();
  }

  /** Waits for the outcome, interruptibly, as long as it takes. */
  final Outcome<T> awaitInterruptibly() throws InterruptedException {
    return Objects.requireNonNull(await(Long.MAX_VALUE), "this wait has no time limit");
  }

  /**
   * Waits for the value, as a use of a transparent future does.
   *
   * @throws WaitInterruptedException if the thread is interrupted while it waits; the call goes on
   * @throws Throwable what the call threw, or the error that ended it
   */
  public final T value() throws Throwable {
    Outcome<T> outcome;
    try {
      outcome = awaitInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException(
          "interrupted while waiting for " + describe() + "; the call goes on");
    }
    return switch (outcome) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failure<T>(Throwable cause) -> throw cause;
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    };
  }

  /** Returns the completable future of this result; always the same one. */
  public final CompletableFuture<T> asCompletableFuture() {
    var known = view;
    if (known != null) {
      return known;
    }
    var made = new FutureView<>(this, waiting);
    if (VIEW.compareAndSet(this, null, made)) {
      onSettled(made::arrived);
      return made;
    }
    return Objects.requireNonNull(view, "another thread has set it");
  }

  /**
   * Returns a transparent future: an object of the given type whose every method waits for the
   * result and is then called on it.
   *
   * @param type a reifiable type
   */
  public final <S> S asTransparent(Class<S> type) {
    var stubs = Stubs.define(type);
    return stubs.newStub(new TransparentFuture(this, stubs));
  }

  /** Describes what is awaited, for messages: {@code Solver.field() on node 'n1'}. */
  public String describe() {
    return "a result";
  }

  /** The caller gave the result up; whoever computes it may stop. Does nothing here. */
  protected void abandoned() {}

  final boolean cancel() {
    var cancelled =
        settle(new Outcome.Failure<>(new CancellationException(describe() + " was cancelled")));
    if (cancelled) {
      claim();
      abandoned();
    }
    return cancelled;
  }

  private Outcome<T> arrived() {
    return Objects.requireNonNull(outcomeNow(), "an outcome that has arrived stays");
  }

  private void park(long nanos, boolean interruptible) throws InterruptedException {
    var waiter = new Waiter(Thread.currentThread());
    if (!push(waiter)) {
      return;
    }
    var deadline = nanos == Long.MAX_VALUE ? 0 : System.nanoTime() + nanos;
    var interrupted = false;
    try {
      while (isAwaited()) {
        if (nanos == Long.MAX_VALUE) {
          LockSupport.park(this);
        } else {
          var left = deadline - System.nanoTime();
          if (left <= 0) {
            return;
          }
          LockSupport.parkNanos(this, left);
        }
        if (Thread.interrupted()) {
          if (interruptible) {
            throw new InterruptedException();
          }
          interrupted = true;
        }
      }
    } finally {
      waiter.thread = null;
      if (isAwaited()) {
        STATE.compareAndSet(this, waiter, waiter.next); // else it stays in the stack, harmlessly
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean push(Listener listener) {
    for (; ; ) {
      var seen = state;
      if (seen instanceof Outcome) {
        return false;
      }
      listener.next = (Listener) seen;
      if (STATE.compareAndSet(this, seen, listener)) {
        return true;
      }
    }
  }

  /** Tells the listeners in the order in which they came. */
  private static void tell(@Nullable Listener newest, Object outcome) {
    Listener oldest = null;
    for (var each = newest; each != null; ) {
      var next = each.next;
      each.next = oldest;
      oldest = each;
      each = next;
    }
    for (var each = oldest; each != null; each = each.next) {
      each.settled(outcome);
    }
  }

  private abstract static sealed class Listener {
    @Nullable Listener next;

    abstract void settled(Object outcome);
  }

  private static final class Waiter extends Listener {
    volatile @Nullable Thread thread;

    Waiter(Thread thread) {
      this.thread = thread;
    }

    @Override
    void settled(Object outcome) {
      LockSupport.unpark(thread);
    }
  }

  private static final class Callback<T extends @Nullable Object> extends Listener {
    final Consumer<? super Outcome<T>> listener;

    Callback(Consumer<? super Outcome<T>> listener) {
      this.listener = listener;
    }

    @Override
    @SuppressWarnings("unchecked") // settle passes an Outcome<T> of the same result
    void settled(Object outcome) {
      listener.accept((Outcome<T>) outcome);
    }
  }
}
