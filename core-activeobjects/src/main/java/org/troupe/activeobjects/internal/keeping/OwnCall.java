package org.troupe.activeobjects.internal.keeping;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.CallLog;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** A call of a logged object, which outlives the embodiment that has sent it. */
final class OwnCall implements CallLog.Call {

  private final OwnCalls calls;
  private final OwnCalls.Key key;
  private final CallName name;
  private final LoggedCall call;
  private final String text;
  private volatile boolean isToSend;
  private volatile boolean isUnsent; // although it was to be
  private volatile @Nullable FutureResult<Object> sent;

  // guarded by this
  private @Nullable Outcome<Object> ended; // in the log
  private @Nullable LoggedOutcome first; // before the object could change it
  private final List<ArrivedResult> results = new ArrayList<>(1);

  /**
   * Creates a call.
   *
   * @param ended how it has ended, if the log has that
   */
  OwnCall(
      OwnCalls calls,
      OwnCalls.Key key,
      CallName name,
      LoggedCall call,
      String text,
      boolean isToSend,
      @Nullable Outcome<Object> ended) {
    this.calls = calls;
    this.key = key;
    this.name = name;
    this.call = call;
    this.text = text;
    this.isToSend = isToSend;
    this.ended = ended;
  }

  OwnCalls.Key key() {
    return key;
  }

  /** Returns what receives the answer; {@code null} if the call was not sent by this process. */
  @Nullable FutureResult<Object> receiver() {
    return sent;
  }

  @Override
  public CallName name() {
    return name;
  }

  @Override
  public void sends(Supplier<Object[]> parts) {
    call.sends(parts, calls.content);
  }

  @Override
  public void isNotSent(RuntimeException failure) {
    if (calls.membership.isCutOff(failure)) { // it is sent again elsewhere, or in the next run
      throw calls.log.cutOff();
    }
    isUnsent = true;
    calls.notSent(key, name.after());
    if (failure instanceof NodeLostException) {
      calls.taken(key.target(), 0, key.number()); // no embodiment has to send it again
    }
  }

  @Override
  public boolean isToSend() {
    return isToSend;
  }

  /** Forgets the end of the call, which the log does not have. */
  synchronized void isMadeAgain() {
    isToSend = false;
    ended = null;
  }

  @Override
  public void sent(FutureResult<Object> result, boolean isWaited) {
    sent = result;
    if (!isWaited) {
      result.onSettled(outcome -> Thread.startVirtualThread(this::endIfArrived));
    }
  }

  private synchronized @Nullable Outcome<Object> ended() {
    return ended;
  }

  @Override
  public Outcome<Object> await() throws InterruptedException {
    var known = ended();
    if (known != null) {
      return known;
    }
    var result = Objects.requireNonNull(sent, "the result of a call");
    Outcome<Object> outcome;
    try {
      outcome = Objects.requireNonNull(result.await(Long.MAX_VALUE), "no time limit");
    } catch (RuntimeException refused) { // a cycle of waits, which a replay would not meet
      return endedHere(new Outcome.Failure<>(refused));
    }
    return isUnsent ? endedHere(outcome) : end(outcome);
  }

  @Override
  public Outcome<Object> endedHere(Outcome<Object> outcome) {
    return endedHere(encoded(outcome));
  }

  private Outcome<Object> endedHere(LogContent.Encoded encoded) {
    calls.log.perform(each -> each.endedHere(key.target(), key.number(), encoded.logged()));
    calls.ended(this);
    return encoded.seen();
  }

  private Outcome<Object> end(Outcome<Object> outcome) {
    var encoded = encoded(outcome);
    if (calls.membership.isCutOff(encoded.seen())) {
      throw calls.log.cutOff();
    }
    if (isGivenUp(outcome)) {
      return endedHere(encoded); // which has the exception itself, if it was encoded here
    }
    calls.log.perform(each -> each.answered(key.target(), key.number(), encoded.logged()));
    calls.ended(this);
    return encoded.seen();
  }

  /** Encodes the outcome once, since the object may change the value that it gets. */
  private LogContent.Encoded encoded(Outcome<Object> outcome) {
    var known = first(null);
    if (known == null) {
      var encoded = calls.content.input(outcome);
      known = Objects.requireNonNull(first(encoded.logged()), "what was kept");
      if (known == encoded.logged()) {
        calls.length.addValue(known.content().length);
        return encoded;
      }
    }
    return new LogContent.Encoded(known, calls.content.outcome(known));
  }

  /** Keeps an encoded outcome, unless there is one; returns the one that is kept. */
  private synchronized @Nullable LoggedOutcome first(@Nullable LoggedOutcome next) {
    if (first == null) {
      first = next;
    }
    return first;
  }

  @Override
  public FutureResult<Object> result() {
    var result = new ArrivedResult();
    Outcome<Object> known;
    synchronized (this) {
      known = ended;
      if (known == null) {
        results.add(result);
      }
    }
    if (known != null) {
      if (isCancelled(known)) {
        result.claim(); // the object has cancelled it, and is about to do so again
      }
      result.settle(known);
    } else {
      endIfArrived();
    }
    return result;
  }

  /**
   * Logs the answer of the call, if it has arrived, and passes it to the object. An answer to a
   * call that has not been made again yet is logged when it is.
   */
  void endIfArrived() {
    var arrived = sent;
    if (arrived != null && !arrived.isAwaited()) {
      var outcome = arrived.await();
      end(outcome, !isUnsent && !isGivenUp(outcome));
    }
  }

  /** Returns whether the called object may not have taken the call, which has ended. */
  private static boolean isGivenUp(Outcome<Object> outcome) {
    return outcome.settled() instanceof Outcome.Failure<?>(Throwable failure)
        && (failure instanceof CallTimeoutException || failure instanceof CancellationException);
  }

  private static boolean isCancelled(Outcome<Object> outcome) {
    return outcome.settled() instanceof Outcome.Failure<?>(Throwable failure)
        && failure instanceof CancellationException;
  }

  /**
   * Logs the end of the call, and passes it to the object.
   *
   * @param isOfTarget whether the called object has answered
   */
  private void end(Outcome<Object> outcome, boolean isOfTarget) {
    var current = calls.log.embodiment();
    var encoded = encoded(outcome);
    if (calls.membership.isCutOff(encoded.seen())) {
      current.stop();
      calls.body.requireLog(calls.log::awaitInput); // the object may serve nothing at the moment
    }
    var isOver = new boolean[1];
    var isLogged =
        current.perform(
            each -> {
              if (isOfTarget) {
                each.answered(key.target(), key.number(), encoded.logged());
              } else {
                each.endedHere(key.target(), key.number(), encoded.logged());
              }
              isOver[0] = each.hasMade(key.target(), key.number());
            });
    if (isOver[0]) {
      over(encoded);
    } else if (!isLogged) {
      passTo(current, encoded);
    }
  }

  /**
   * Passes the answer to an embodiment that has stopped, so that its request can end, and to those
   * that have the result from it. Nothing else leaves it any more, and the next embodiment gets the
   * same answer.
   */
  private void passTo(JournaledObject<?, ?> stopped, LogContent.Encoded encoded) {
    List<ArrivedResult> own;
    synchronized (this) {
      own = results.stream().filter(each -> each.holder == stopped).toList();
      results.removeAll(own);
    }
    for (var each : own) {
      each.claim(); // a failure is that of the result which the next embodiment gets
      each.settle(calls.content.outcome(encoded.logged()));
    }
  }

  private void over(LogContent.Encoded encoded) {
    List<ArrivedResult> waiting;
    synchronized (this) {
      if (ended == null) {
        ended = encoded.seen();
      }
      waiting = List.copyOf(results);
      results.clear();
    }
    calls.ended(this);
    for (var i = 0; i < waiting.size(); i++) { // results of several embodiments share no object
      waiting.get(i).settle(i == 0 ? encoded.seen() : calls.content.outcome(encoded.logged()));
    }
  }

  /** Passes the answer to the callers that have a result of an object that has ended. */
  void pass() {
    var known = sent;
    if (known != null) {
      known.onSettled(outcome -> Thread.startVirtualThread(() -> over(encoded(known.await()))));
    }
  }

  /** Lets the called object ignore the call if it has not served it yet. */
  private void withdraw() {
    var known = sent;
    if (known != null) {
      known.asCompletableFuture().cancel(true);
    }
  }

  /** The result of a call as the object gets it. */
  private final class ArrivedResult extends DerivedResult<Object> {
    private final JournaledObject<?, ?> holder = calls.log.embodiment();

    ArrivedResult() {
      super(
          new LoggedWaits(),
          calls.body.node().failures(),
          null,
          () -> text,
          () -> {
            var known = sent;
            return known == null ? ResultSources.UNKNOWN : ResultSources.all(List.of(known));
          });
    }

    @Override
    protected void abandoned() {
      withdraw();
    }
  }

  /** The rules for waits of the object, of which one that is refused ends the call. */
  private final class LoggedWaits implements FutureRuntime {
    private final FutureRuntime rules = NodeObjects.of(calls.body).waiting();

    @Override
    public Runnable begins(FutureResult<?> awaited, boolean bounded) {
      try {
        return rules.begins(awaited, bounded);
      } catch (RuntimeException refused) { // a cycle of waits, which a replay would not meet
        var context = ServiceContext.current();
        if (context == null || !context.isLogged || context.body != calls.body) {
          throw refused;
        }
        end(new Outcome.Failure<>(refused), false);
        return () -> {};
      }
    }

    @Override
    public Executor stages() {
      return rules.stages();
    }

    @Override
    public void staged(Executor stages, CompletableFuture<?> stage) {
      rules.staged(stages, stage);
    }

    @Override
    public void beginsForStage(Executor stages, boolean bounded) {
      rules.beginsForStage(stages, bounded);
    }

    @Override
    public void detached(Runnable work) {
      rules.detached(work);
    }
  }
}
