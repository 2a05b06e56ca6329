package org.troupe.futures;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.Executor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Stress tests of {@link FutureResult}: a result settles while threads wait and add listeners. */
public final class FutureResultStress {

  /** Lets every thread wait, and runs stages where they are added. */
  private static final FutureRuntime PLAIN =
      new FutureRuntime() {
        @Override
        public Runnable begins(FutureResult<?> awaited, boolean bounded) {
          return () -> {};
        }

        @Override
        public Executor stages() {
          return Runnable::run;
        }

        @Override
        public void beginsForStage(Executor stages, boolean bounded) {}
      };

  private FutureResultStress() {}

  private static org.troupe.futures.Outcome<Integer> success(int value) {
    return new org.troupe.futures.Outcome.Success<>(value);
  }

  private static int value(FutureResult<Integer> result) {
    return switch (result.outcomeNow()) {
      case null -> 0;
      case org.troupe.futures.Outcome.Success<Integer>(Integer value) -> value;
      default -> -1;
    };
  }

  private static boolean hasCome(FutureResult<Integer> result, long nanos) {
    try {
      return result.await(nanos) != null;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Two threads settle one result: one outcome stands, and only its thread gets {@code true}. */
  @JCStressTest
  @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first outcome stands")
  @Outcome(id = "false, true, 2", expect = ACCEPTABLE, desc = "the second outcome stands")
  @Outcome(expect = FORBIDDEN, desc = "no outcome stands, or one that its thread was not told of")
  @State
  public static class SettledTwice {
    private final FutureResult<Integer> result = new FutureResult<>(PLAIN);

    @Actor
    public void first(ZZI_Result r) {
      r.r1 = result.settle(success(1));
    }

    @Actor
    public void second(ZZI_Result r) {
      r.r2 = result.settle(success(2));
    }

    @Arbiter
    public void outcome(ZZI_Result r) {
      r.r3 = value(result);
    }
  }

  /** A listener that is added while the result settles is called once and sees what came before. */
  @JCStressTest
  @Outcome(id = "1, 7, 7", expect = ACCEPTABLE, desc = "the listener was called once")
  @Outcome(expect = FORBIDDEN, desc = "the listener was not called once, or saw a stale field")
  @State
  public static class ListenerAddedWhileSettling {
    private final FutureResult<Integer> result = new FutureResult<>(PLAIN);
    private final Payload payload = new Payload();
    private volatile int calls;
    private volatile int seen;

    /** A plain field, written before the result is settled. */
    private static final class Payload {
      int value;
    }

    @Actor
    public void settle() {
      payload.value = 7;
      result.settle(success(7));
    }

    @Actor
    public void listen() {
      result.onSettled(
          outcome -> {
            calls = calls + 1;
            seen = payload.value;
          });
    }

    @Arbiter
    public void outcome(III_Result r) {
      r.r1 = calls;
      r.r2 = seen;
      r.r3 = value(result);
    }
  }

  /** Two threads add a listener each: both listeners are called. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both listeners were called once")
  @Outcome(expect = FORBIDDEN, desc = "a listener was lost or called twice")
  @State
  public static class TwoListeners {
    private final FutureResult<Integer> result = new FutureResult<>(PLAIN);
    private int first;
    private int second;

    @Actor
    public void one() {
      result.onSettled(outcome -> first++);
    }

    @Actor
    public void other() {
      result.onSettled(outcome -> second++);
    }

    @Arbiter
    public void settle(II_Result r) {
      result.settle(success(1));
      r.r1 = first;
      r.r2 = second;
    }
  }

  /** A timed wait ends and leaves the stack of listeners: a listener added meanwhile remains. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the listener was called")
  @Outcome(expect = FORBIDDEN, desc = "the listener was removed with the waiting thread")
  @State
  public static class ListenerAddedWhileWaitEnds {
    private final FutureResult<Integer> result = new FutureResult<>(PLAIN);
    private int calls;

    @Actor
    public void await(II_Result r) {
      r.r2 = hasCome(result, 1) ? 1 : 0;
    }

    @Actor
    public void listen() {
      result.onSettled(outcome -> calls++);
    }

    @Arbiter
    public void settle(II_Result r) {
      result.settle(success(1));
      r.r1 = calls;
    }
  }

  /** A result settles while a thread begins to wait for it: the thread wakes up. */
  @JCStressTest
  @Outcome(id = "7, 7", expect = ACCEPTABLE, desc = "the thread woke up and saw the value")
  @Outcome(id = "0, 7", expect = FORBIDDEN, desc = "the wake-up was lost")
  @Outcome(expect = FORBIDDEN, desc = "the thread saw the outcome and a stale field")
  @State
  public static class AwaitedWhileSettling {

    private static final long LOST_NANOS = 20_000_000_000L;

    private final FutureResult<Integer> result = new FutureResult<>(PLAIN);
    private int payload;

    @Actor
    public void settle() {
      payload = 7;
      result.settle(success(7));
    }

    @Actor
    public void await(II_Result r) {
      r.r1 = hasCome(result, LOST_NANOS) ? payload : 0;
    }

    @Arbiter
    public void outcome(II_Result r) {
      r.r2 = value(result);
    }
  }

  /** Two threads ask for the completable future: both get the same object. */
  @JCStressTest
  @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "both got the same future, which has the value")
  @Outcome(expect = FORBIDDEN, desc = "there are two futures, or the value is missing")
  @State
  public static class CompletableFutureRequestedTwice {
    private final FutureResult<Integer> result = new FutureResult<>(PLAIN);
    private Object one;
    private Object other;

    @Actor
    public void first() {
      one = result.asCompletableFuture();
    }

    @Actor
    public void second() {
      other = result.asCompletableFuture();
    }

    @Arbiter
    public void compare(II_Result r) {
      result.settle(success(7));
      r.r1 = one == other ? 1 : 0;
      r.r2 = result.asCompletableFuture().join();
    }
  }

  /** Two threads use an encoded outcome: it is decoded once. */
  @JCStressTest
  @Outcome(
      id = "1, 1, 1",
      expect = ACCEPTABLE,
      desc = "the outcome was decoded once, for both threads")
  @Outcome(expect = FORBIDDEN, desc = "the outcome was decoded twice")
  @State
  public static class EncodedOutcomeUsedTwice {
    private int openings;
    private final org.troupe.futures.Outcome<Integer> encoded =
        new org.troupe.futures.Outcome.Encoded<>("", () -> success(++openings));

    private static int opened(org.troupe.futures.Outcome<Integer> encoded) {
      return encoded.settled() instanceof org.troupe.futures.Outcome.Success<Integer>(Integer value)
          ? value
          : -1;
    }

    @Actor
    public void first(III_Result r) {
      r.r1 = opened(encoded);
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = opened(encoded);
    }

    @Arbiter
    public void count(III_Result r) {
      r.r3 = openings;
    }
  }
}
