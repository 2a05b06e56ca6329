package org.troupe.groups;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.groups.internal.ExplicitFutures;
import org.troupe.groups.internal.UncheckedThrow;

/**
 * A member that may not have arrived yet, or that is not an active object: calls on it are made
 * after its arrival, one after the other, on virtual threads. An active object or a group that has
 * arrived orders its calls itself and is called on the caller's thread. May be shared between
 * threads.
 */
final class DeferredMember<T> implements Member<T> {

  private final Class<T> type;
  private final Supplier<String> where;
  private final boolean isResult;

  /**
   * Settles with the value when all calls made so far have ended, or with a failure. Guarded by
   * this.
   */
  private FutureResult<T> state;

  /** Describes the call that failed first; {@code null} while none has. */
  private volatile @Nullable String failedCall;

  /**
   * Wraps the result that is or will be a member.
   *
   * @param isResult whether a failed one-way call makes the member's own result fail; with {@code
   *     false}, for an object that existed before, the failure handler receives the failure, as for
   *     an active object
   */
  DeferredMember(Class<T> type, FutureResult<T> first, Supplier<String> where, boolean isResult) {
    this.type = type;
    this.state = first;
    this.where = where;
    this.isResult = isResult;
  }

  /** Returns the value, or a future that waits for it and for the calls made so far. */
  @Override
  public T object() {
    var now = result();
    return arrived(now) instanceof Outcome.Success<T>(T value) && value != null
        ? value
        : now.asTransparent(type);
  }

  @Override
  public T serializedForm() {
    var object = object();
    return GroupStub.isGroupStub(object)
            || Futures.resultOf(object) == null && ActiveObjects.isStub(object)
        ? object
        : result().asTransparent(type);
  }

  @Override
  public String where() {
    return where.get();
  }

  @Override
  public synchronized FutureResult<T> result() {
    return state;
  }

  @Override
  public Member<T> within(Duration limit) {
    return this; // the group applies the limit, as this object orders its calls itself
  }

  @Override
  public boolean is(@Nullable Object other) {
    var now = result();
    var future = Futures.resultOf(other);
    return future != null
        ? future == now
        : arrived(now) instanceof Outcome.Success<T>(T value)
            && (value == other || GroupStub.isGroupStub(value) && value.equals(other));
  }

  /**
   * Returns the outcome if it is here, else {@code null}. Unlike {@link FutureResult#await()} this
   * does not claim the result: a failure that no caller reads still reaches the failure handler.
   */
  private static <T> @Nullable Outcome<T> arrived(FutureResult<T> result) {
    if (result.isAwaited()) {
      return null;
    }
    var outcome = new AtomicReference<Outcome<T>>();
    result.onSettled(outcome::set); // at once
    return Objects.requireNonNull(outcome.get(), "a settled result has an outcome").settled();
  }

  /** An action on the member's value. */
  private interface Step<T> {

    /** Runs when the value has arrived; an exception makes the member fail from now on. */
    void on(T value) throws Throwable;

    /** Runs if there is no value; returns whether a caller receives the cause. */
    default boolean failed(Throwable cause) {
      return false;
    }
  }

  /**
   * Returns the value if it has arrived and can be called at once, else {@code null}; never waits.
   */
  private @Nullable T atOnce() {
    var now = result();
    return arrived(now) instanceof Outcome.Success<T>(T value)
            && !Futures.isAwaited(value)
            && (GroupStub.isGroupStub(value) || ActiveObjects.isStub(value))
        ? value
        : null;
  }

  private void then(GroupCall call, Step<T> step) {
    FutureResult<T> before;
    FutureResult<T> after;
    synchronized (this) {
      var last = state;
      before = last;
      after =
          Collectives.current()
              .result(
                  () -> failedCall == null ? call + " on " + where() : failedCall,
                  () -> ResultSources.all(List.of(last)));
      state = after;
    }
    var isHeard = before.isClaimed();
    before.claim();
    // The call is made in the name of the object that the current thread serves.
    var work = Collectives.current().inName(() -> perform(call, step, before, after, isHeard));
    before.onSettled(outcome -> Thread.startVirtualThread(work));
  }

  /**
   * Runs a step with the value, or reports that there is none.
   *
   * @param isHeard whether a caller has claimed the value, and so receives the cause of a failure
   */
  private void perform(
      GroupCall call,
      Step<T> step,
      FutureResult<T> before,
      FutureResult<T> after,
      boolean isHeard) {
    switch (before.await()) {
      case Outcome.Success<T>(T value) -> {
        try {
          if (value == null) {
            throw new NullPointerException(
                where() + " is null, and was called as a member of a group");
          }
          step.on(value);
          after.settle(new Outcome.Success<>(value));
        } catch (Throwable failure) {
          failedCall = call + " on " + where();
          after.settle(new Outcome.Failure<>(failure));
        }
      }
      case Outcome.Failure<T>(Throwable cause) -> {
        if (failedCall == null) {
          failedCall = before.describe();
        }
        if (step.failed(cause) || isHeard) {
          after.claim();
        }
        after.settle(new Outcome.Failure<>(cause));
      }
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    }
  }

  /** Makes a one-way call. */
  void post(GroupCall call) {
    var here = atOnce();
    if (here == null && isResult) {
      then(call, value -> post(call, value));
      return;
    }
    if (here == null) {
      var unheard = Collectives.current().failureReporter(() -> call + " on " + where());
      then(
          call,
          value -> {
            try {
              post(call, value);
            } catch (Throwable failure) {
              unheard.accept(failure);
            }
          });
      return;
    }
    try {
      post(call, here);
    } catch (Throwable failure) {
      throw UncheckedThrow.<RuntimeException>of(failure);
    }
  }

  private static <T> void post(GroupCall call, T value) throws Throwable {
    if (GroupStub.isGroupStub(value)) {
      new GroupInvocation<T, Object>(Group.of(value), call).discard();
    } else if (ActiveObjects.isStub(value)) {
      call.post(List.of(ActiveObjects.ref(value)));
    } else {
      call.invoke(value);
    }
  }

  /**
   * Makes a call; a failure settles the answer.
   *
   * @param limit time limit for an active object, or {@code null}
   * @param ofGroup makes the call on a member that is a group; must not wait
   * @param arrives runs when the answer has arrived
   */
  FutureResult<Object> ask(
      GroupCall call,
      boolean valueWanted,
      @Nullable Duration limit,
      BiFunction<Group<T>, GroupCall, CompletableFuture<?>> ofGroup,
      Runnable arrives) {
    var source = new AtomicReference<FutureResult<?>>(result());
    FutureResult<Object> answer =
        Collectives.current()
            .result(() -> call + " on " + where(), () -> ResultSources.all(List.of(source.get())));
    answer.onSettled(outcome -> arrives.run());
    var step =
        new Step<T>() {
          @Override
          public void on(T value) {
            try {
              if (GroupStub.isGroupStub(value)) {
                var group = Group.of(value);
                var its = limit == null ? group : group.within(limit);
                settle(answer, source, ofGroup.apply(its, call));
              } else if (ActiveObjects.isStub(value)) {
                var ref = ActiveObjects.ref(value);
                var its = limit == null ? ref : ref.within(limit);
                follow(answer, source, call.ask(List.of(its), valueWanted).getFirst());
              } else {
                settle(answer, source, call.invoke(value));
              }
            } catch (Throwable failure) {
              failed(failure);
            }
          }

          @Override
          public boolean failed(Throwable cause) {
            answer.settle(new Outcome.Failure<>(cause));
            return true;
          }
        };
    var here = atOnce();
    if (here == null) {
      then(call, step);
    } else {
      step.on(here);
    }
    return answer;
  }

  /** Settles the answer with a returned object, or with the value of a returned future. */
  @SuppressWarnings("unchecked") // an answer is of any type
  private static void settle(
      FutureResult<Object> answer,
      AtomicReference<FutureResult<?>> source,
      @Nullable Object value) {
    var future = (FutureResult<Object>) Futures.resultOf(value);
    if (future != null) {
      follow(answer, source, future);
    } else if (value instanceof CompletableFuture<?> explicit) {
      ExplicitFutures.settle(answer, explicit);
    } else {
      answer.settle(value == null ? Outcome.withoutValue() : new Outcome.Success<>(value));
    }
  }

  private static void follow(
      FutureResult<Object> answer,
      AtomicReference<FutureResult<?>> source,
      FutureResult<Object> future) {
    source.set(future);
    future.claim();
    future.onSettled(answer::settle);
  }
}
