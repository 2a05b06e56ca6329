package org.troupe.groups;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.spi.Multicast;
import org.troupe.activeobjects.spi.Pending;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;

/**
 * A member that may not be here yet, or that is no active object: calls on it are made when it is
 * here, one after the other, on virtual threads. One that is here and sees to the order of its
 * calls itself, an active object or a group, is called on the caller's thread. May be shared
 * between threads.
 */
final class Element<T> implements Member<T> {

  private final Class<T> type;
  private final Supplier<String> where;
  private final boolean isResult;

  /** The value once all calls made so far are through, or why there is none. Under this. */
  private FutureResult<T> state;

  /**
   * Takes what is or will be a member.
   *
   * @param isResult whether one-way calls that fail make the result of those before fail; those on
   *     an object that was there already are told to the failure handler, as if it were active
   */
  Element(Class<T> type, FutureResult<T> first, Supplier<String> where, boolean isResult) {
    this.type = type;
    this.state = first;
    this.where = where;
    this.isResult = isResult;
  }

  /** Returns the value, or a future that waits for it and for the calls made so far. */
  @Override
  public T object() {
    var now = result();
    return !now.isAwaited() && now.await() instanceof Outcome.Success<T>(T value) && value != null
        ? value
        : now.asTransparent(type);
  }

  @Override
  public T travelling() {
    var object = object();
    return TypedView.isOne(object)
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
  public boolean is(Object other) {
    var now = result();
    var future = Futures.resultOf(other);
    return future != null
        ? future == now
        : !now.isAwaited()
            && now.await() instanceof Outcome.Success<T>(T value)
            && (value == other || TypedView.isOne(value) && value.equals(other));
  }

  /** What to do with the value. */
  private interface Step<T> {

    /** The value is here; what this throws is why there is none from now on. */
    void on(T value) throws Throwable;

    /** There is no value. */
    default void failed(Throwable cause) {}
  }

  /** Returns the value if it is here and is called at once, else {@code null}; never waits. */
  private T atOnce() {
    var now = result();
    return !now.isAwaited()
            && now.await() instanceof Outcome.Success<T>(T value)
            && !Futures.isAwaited(value)
            && (TypedView.isOne(value) || ActiveObjects.isStub(value))
        ? value
        : null;
  }

  private void then(Step<T> step) {
    FutureResult<T> before;
    FutureResult<T> after;
    synchronized (this) {
      before = state;
      after = Pending.result(before::describe);
      state = after;
    }
    before.claim();
    before.onSettled(
        outcome ->
            Thread.startVirtualThread(() -> after.settle(performed(step, outcome.settled()))));
  }

  private Outcome<T> performed(Step<T> step, Outcome<T> before) {
    switch (before) {
      case Outcome.Success<T>(T value) -> {
        try {
          if (value == null) {
            throw new NullPointerException(
                where() + " is null, and was called as a member of a group");
          }
          step.on(value);
        } catch (Throwable failure) {
          return new Outcome.Failure<>(failure);
        }
      }
      case Outcome.Failure<T>(Throwable cause) -> step.failed(cause);
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    }
    return before;
  }

  /** Makes a call of which nobody awaits the answer. */
  void post(Multicast call) {
    var here = atOnce();
    if (here == null && isResult) {
      then(value -> post(call, value));
      return;
    }
    if (here == null) {
      var unheard = Pending.unheard(() -> call + " on " + where());
      then(
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
      throw Results.<RuntimeException>asItIs(failure);
    }
  }

  private static <T> void post(Multicast call, T value) throws Throwable {
    if (TypedView.isOne(value)) {
      new Calls<T, Object>(Group.of(value), call).discard();
    } else if (ActiveObjects.isStub(value)) {
      call.post(List.of(ActiveObjects.ref(value)));
    } else {
      call.invoke(value);
    }
  }

  /**
   * Makes a call; if it fails, that is the answer.
   *
   * @param ofGroup the answer of a group to a call; does not wait
   */
  FutureResult<Object> ask(
      Multicast call,
      boolean valueWanted,
      BiFunction<Group<T>, Multicast, CompletableFuture<?>> ofGroup) {
    FutureResult<Object> answer = Pending.result(() -> call + " on " + where());
    var step =
        new Step<T>() {
          @Override
          public void on(T value) {
            try {
              if (TypedView.isOne(value)) {
                settle(answer, ofGroup.apply(Group.of(value), call));
              } else if (ActiveObjects.isStub(value)) {
                var result = call.ask(List.of(ActiveObjects.ref(value)), valueWanted).getFirst();
                result.claim();
                result.onSettled(answer::settle);
              } else {
                settle(answer, call.invoke(value));
              }
            } catch (Throwable failure) {
              failed(failure);
            }
          }

          @Override
          public void failed(Throwable cause) {
            answer.settle(new Outcome.Failure<>(cause));
          }
        };
    var here = atOnce();
    if (here == null) {
      then(step);
    } else {
      step.on(here);
    }
    return answer;
  }

  /** The value of a future is the answer, as it is for calls on active objects. */
  @SuppressWarnings("unchecked") // an answer is of any type
  private static void settle(FutureResult<Object> answer, Object value) {
    var future = (FutureResult<Object>) Futures.resultOf(value);
    if (future != null) {
      future.claim();
      future.onSettled(answer::settle);
    } else if (value instanceof CompletableFuture<?> explicit) {
      explicit.whenCompleteAsync(
          (result, failure) ->
              answer.settle(
                  failure == null
                      ? new Outcome.Success<>(result)
                      : new Outcome.Failure<>(
                          failure instanceof CompletionException && failure.getCause() != null
                              ? failure.getCause()
                              : failure)),
          Runnable::run);
    } else {
      answer.settle(new Outcome.Success<>(value));
    }
  }
}
