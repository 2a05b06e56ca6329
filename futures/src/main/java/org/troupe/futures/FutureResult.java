package org.troupe.futures;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.stubs.Stubs;

/**
 * One result that may not have arrived yet: the state behind every transparent future and every
 * {@link CompletableFuture} that a call returned. May be shared between threads.
 *
 * <p>The runtime that performs the calls creates it. Users see transparent futures, completable
 * futures and {@link Futures}.
 *
 * @param <T> the type of the result
 */
public class FutureResult<T extends @Nullable Object> {

  /*
   * State. One volatile field holds, while the result is awaited, a Treiber stack of listeners
   * (null at first), and after that the outcome. The first CAS from a stack to an outcome wins; the
   * outcome never changes again. Any thread may settle, listen or wait.
   *
   * Memory. A result without stages costs this object alone; the CompletableFuture is created on
   * demand.
   */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(5);

  private static final int SPINS = 16; // between two looks at the clock

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
   * Creates an awaited result.
   *
   * @param waiting is asked before a thread waits for the result
   */
  public FutureResult(FutureRuntime waiting) {
    this.waiting = waiting;
  }

  /** Returns whether the result has not arrived yet; never waits. */
  public final boolean isAwaited() {
    return !(state instanceof Outcome);
  }

  /** Returns the outcome as it arrived, or {@code null} while it is awaited; never waits. */
  @SuppressWarnings("unchecked") // only settle stores an outcome
  public final @Nullable Outcome<T> outcomeNow() {
    return state instanceof Outcome<?> outcome ? (Outcome<T>) outcome : null;
  }

  /**
   * Completes the result: wakes the waiting threads and runs the listeners, but never user code.
   * The first outcome stands; later ones are ignored.
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

  /** Called once, when an outcome that may be a failure has arrived. Does nothing by default. */
  protected void endedUnseen(Outcome<T> outcome) {}

  /** Returns whether the result has been used, or a stage depends on it. */
  public final boolean isClaimed() {
    return claimed;
  }

  /** Marks the result as observed, so that a failure need not be reported elsewhere. */
  public void claim() {
    claimed = true;
  }

  /**
   * Passes the outcome to a listener: at once if it has arrived, otherwise on the settling thread.
   *
   * @param listener must be short, and run no user code
   */
  public final void onSettled(Consumer<? super Outcome<T>> listener) {
    if (!push(new Callback<>(listener))) {
      listener.accept(arrived());
    }
  }

  /**
   * Returns whether the outcome is expected so soon that a thread should spin before it blocks. By
   * default it is not.
   */
  protected boolean isImminent() {
    return false;
  }

  /**
   * Spins for a short time if the outcome is expected soon.
   *
   * @return whether it is still awaited
   */
  private boolean isAwaitedAfterSpin() {
    if (!isAwaited()) {
      return false;
    }
    if (isImminent()) {
      var until = System.nanoTime() + SPIN_NANOS;
      do {
        for (var i = 0; i < SPINS; i++) {
          Thread.onSpinWait();
          if (!isAwaited()) {
            return false;
          }
        }
      } while (System.nanoTime() < until);
    }
    return true;
  }

  /**
   * Waits for the outcome. The wait is not interruptible; the interrupt status is kept.
   *
   * @return the success or failure
   * @throws RuntimeException if the outcome can never come while this thread waits
   */
  public final Outcome<T> await() {
    claim();
    if (isAwaitedAfterSpin()) {
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
   * Waits for the outcome, up to a time limit.
   *
   * @param nanos how long at most
   * @return the success or failure, or {@code null} if the time limit has passed
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public final @Nullable Outcome<T> await(long nanos) throws InterruptedException {
    claim();
    if (isAwaitedAfterSpin()) {
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

  /** Returns the completable future of this result; every call returns the same object. */
  public final CompletableFuture<T> asCompletableFuture() {
    var known = view;
    if (known != null) {
      return known;
    }
    var made = new FutureView<>(this, waiting);
    if (VIEW.compareAndSet(this, null, made)) {
      if (!made.completesNow()) {
        onSettled(made::arrived);
      }
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

  /**
   * Called once when the caller has cancelled the result, so that its computation may stop. Does
   * nothing by default.
   */
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
        STATE.compareAndSet(
            this,
            waiter,
            waiter.next); // a waiter below others stays in the stack, which is harmless
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

  /** Runs the listeners in the order of their registration. */
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
