package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.FAILED;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.LEDGER;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.BankCall.Method;
import org.troupe.activeobjects.internal.replay.BankState.Sent;
import org.troupe.activeobjects.internal.replay.BankState.Served;
import org.troupe.activeobjects.internal.replay.ReplayExplorer.WithoutRule;

/** The program of a logged object of the simulated bank, of any of its classes, step by step. */
final class BankProgram {

  final BankState state;
  private final LoggedObject<BankCall, Long> logged;
  private final SimulatedBank bank;

  // of the request that is served
  private @Nullable TakenRequest<BankCall> request;
  private int step;
  private @Nullable Sent awaited;
  private @Nullable Sent inVain; // could not be sent, and has no end
  private long key;
  private long before;

  BankProgram(LoggedObject<BankCall, Long> logged, BankState state, SimulatedBank bank) {
    this.logged = logged;
    this.state = state;
    this.bank = bank;
  }

  boolean isServing() {
    return request != null;
  }

  /** Returns the call whose end the request awaits; {@code null} if the request can go on. */
  @Nullable Sent awaited() {
    var call = awaited;
    return call == null || state.ended.containsKey(call) ? null : call;
  }

  /** Returns whether the object can go on now. */
  boolean canStep() {
    return request == null ? logged.queued() > 0 : awaited() == null;
  }

  /** Returns whether the request may fail: no money is on the way. */
  boolean mayFail() {
    return request != null
        && request.call().method() == Method.TRANSFER
        && (step == 0 || step == 4)
        && logged.isBegunFirst();
  }

  /** Returns whether the node has died while a request was next that moves no money. */
  boolean isPoisoned() {
    return request != null
        && request.call().method() == Method.PEEK
        && step == 0
        && logged.deaths() > 0;
  }

  /** Lets the request that is served fail, and sets it aside. */
  void fail() {
    var failing = Objects.requireNonNull(request, "a request");
    bank.failed(failing, step == 4);
    logged.setAside(FAILED);
  }

  /** Begins the next request, or does the next step of the one that is served. */
  void step() {
    if (request == null) {
      request = logged.begin();
      step = 0;
      awaited = null;
      inVain = null;
      return;
    }
    switch (request.call().method()) {
      case TRANSFER -> transfer(request.call());
      case PEEK -> peek(request.call());
      case COLLECT -> collect();
      case WITHDRAW -> move(-request.call().amount(), true);
      case DEPOSIT -> move(request.call().amount(), false);
      case BALANCE -> end(state.balance, true);
      case NOTE -> {
        state.notes += request.call().amount();
        end(0, false);
      }
      case RATE, UNSENDABLE -> throw new AssertionError("no logged object serves this");
    }
  }

  private Sent call(ObjectIdentity target, BankCall call, boolean isAwaited) {
    var made = logged.call(target, call, call.fingerprint(), isAwaited);
    var sent = new Sent(target, made.number());
    var ended = made.logged();
    if (ended != null) {
      state.ended.put(sent, ended);
    }
    return sent;
  }

  /** Makes a call that cannot be sent. */
  private void callInVain(ObjectIdentity target) {
    var call = new BankCall(Method.UNSENDABLE, 0, 0);
    var made = logged.call(target, call, call.fingerprint(), true);
    if (made.logged() == null) {
      inVain = new Sent(target, made.number());
      if (!made.isUnsent() && bank.without != WithoutRule.NAMES_OF_SENT_CALLS) {
        logged.notSent(target, made.number(), made.after());
      }
    }
  }

  /** Ends that call, after a later one to the same object was sent. */
  private void endInVain() {
    var unsent = inVain;
    if (unsent != null) {
      inVain = null;
      logged.endedHere(unsent.target(), unsent.number(), FAILED);
      state.ended.remove(unsent);
    }
  }

  private long outcome(Sent sent) {
    var outcome = Objects.requireNonNull(state.ended.remove(sent), "the end of a call");
    state.observed.add(sent);
    state.observedOutcomes.add(outcome);
    return outcome;
  }

  private void transfer(BankCall call) {
    switch (step++) {
      case 0 -> {
        var known = logged.loggedOnce();
        key = known == null ? bank.nextExternalEffect() : known;
        if (known == null) {
          logged.obtainedOnce(key);
        }
      }
      case 1 ->
          awaited = call(call.source(), new BankCall(Method.WITHDRAW, call.amount(), key), true);
      case 2 -> {
        before = outcome(Objects.requireNonNull(awaited, "a call"));
        awaited = null;
        if (call.amount() % 3 == 0) {
          callInVain(call.destination());
        }
      }
      case 3 ->
          call(call.destination(), new BankCall(Method.DEPOSIT, call.amount(), before), false);
      case 4 -> {
        endInVain();
        awaited = call(RATES, new BankCall(Method.RATE, call.amount(), key), true);
      }
      default -> {
        var rate = outcome(Objects.requireNonNull(awaited, "a call"));
        bank.obtained(rate, key);
        state.balance += rate;
        end(call.amount(), true);
      }
    }
  }

  private void peek(BankCall call) {
    if (step++ < 2) {
      var target = step == 1 ? call.source() : call.destination();
      state.pending.add(call(target, new BankCall(Method.BALANCE, 0, 0), true));
    } else {
      end(3, true);
    }
  }

  private void collect() {
    if (awaited != null) {
      state.balance += 31 * outcome(awaited);
      awaited = null;
    } else if (state.pending.isEmpty()) {
      end(4, true);
    } else {
      awaited = state.pending.remove();
    }
  }

  private void move(long amount, boolean isAnswered) {
    if (step++ == 0) {
      state.balance += amount;
    } else if (step == 2) {
      call(LEDGER, new BankCall(Method.NOTE, Math.abs(amount), state.balance), false);
    } else {
      end(state.balance, isAnswered);
    }
  }

  private void end(long answer, boolean isAnswered) {
    var ending = Objects.requireNonNull(request, "a request");
    state.served.add(new Served(ending.origin(), ending.number(), answer));
    logged.end(isAnswered ? answer : null, answer);
    request = null;
  }
}
