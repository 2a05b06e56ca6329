package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.ACCOUNT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.CLIENT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.FAILED;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.LEDGER;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.OTHER_ACCOUNT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.TELLER;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.troupe.activeobjects.internal.replay.BankCall.Method;
import org.troupe.activeobjects.internal.replay.BankState.Served;
import org.troupe.activeobjects.internal.replay.ReplayExplorer.End;

/** The comparison of a simulated bank, after a run, with what a run without faults would leave. */
final class BankCheck {

  private final SimulatedBank bank;

  BankCheck(SimulatedBank bank) {
    this.bank = bank;
  }

  /** Returns what the run has ended with. */
  End result() {
    for (var each : bank.objects.values()) {
      if (each.logged == null || each.program.isServing() || each.logged.queued() > 0) {
        return End.STUCK;
      }
    }
    if (!bank.processes[CLIENT].sent.isSettled()) {
      return End.STUCK;
    }
    for (var each : bank.objects.values()) {
      var end = checkServed(each);
      if (end != End.SOUND) {
        return end;
      }
    }
    if (new HashSet<>(bank.rates.served).size() != bank.rates.served.size()) {
      return End.SERVED_TWICE;
    }
    var end = checkReplies();
    if (end != End.SOUND) {
      return end;
    }
    settleForgotten();
    return bank.objects.values().stream().allMatch(each -> each.live().isSettled())
            && bank.rates.accounts.values().stream()
                .allMatch(each -> !bank.rates.isLive || each.isSettled())
        ? End.SOUND
        : End.LEFTOVER;
  }

  /** Ends the calls of logged objects to those that they do not account for any more. */
  private void settleForgotten() {
    for (var caller : bank.objects.values()) {
      var origin = new CallOrigin.Logged(caller.identity);
      for (var called : bank.objects.values()) {
        if (!caller.live().called().contains(called.identity)) {
          called.live().settled(origin, Long.MAX_VALUE);
        }
      }
      var account = bank.rates.accounts.get(origin);
      if (account != null && !caller.live().called().contains(RATES)) {
        account.settled(Long.MAX_VALUE);
      }
    }
  }

  /** Compares the calls that an object has served with those that its callers have made. */
  private End checkServed(BankObject object) {
    Map<CallOrigin, List<Long>> numbers = new HashMap<>();
    for (var each : object.program.state.served) {
      numbers.computeIfAbsent(each.origin(), _ -> new ArrayList<>()).add(each.number());
    }
    if (object.identity.equals(TELLER)) {
      numbers.computeIfAbsent(SimulatedBank.process(CLIENT), _ -> new ArrayList<>());
    }
    for (var origin : numbers.keySet()) {
      if (origin instanceof CallOrigin.Logged) { // its numbers have gaps; sums tell what is lost
        if (!isIncreasing(numbers.get(origin))) {
          return isDistinct(numbers.get(origin)) ? End.ORDER_BROKEN : End.SERVED_TWICE;
        }
        continue;
      }
      var next = 1L;
      for (var number : numbers.get(origin)) {
        while (bank.setAside.contains(new Served(origin, next, FAILED))
            && object.identity.equals(TELLER)) {
          next++;
        }
        if (number < next) {
          return isDistinct(numbers.get(origin)) ? End.ORDER_BROKEN : End.SERVED_TWICE;
        }
        if (number > next) {
          return numbers.get(origin).contains(next) ? End.ORDER_BROKEN : End.CALL_LOST;
        }
        next++;
      }
      while (object.identity.equals(TELLER)
          && bank.setAside.contains(new Served(origin, next, FAILED))) {
        next++;
      }
      if (origin.equals(SimulatedBank.process(CLIENT))
          && next != bank.processes[CLIENT].sent.made() + 1) {
        return End.CALL_LOST;
      }
    }
    return End.SOUND;
  }

  private static boolean isDistinct(List<Long> numbers) {
    return new HashSet<>(numbers).size() == numbers.size();
  }

  private static boolean isIncreasing(List<Long> numbers) {
    return numbers.equals(numbers.stream().distinct().sorted().toList());
  }

  private End checkReplies() {
    // What a run without faults would leave: sums do not depend on the order of the transfers.
    var transferred = bank.moved;
    for (var each : bank.object(TELLER).program.state.served) {
      var caller = bank.processes[(int) ((CallOrigin.Process) each.origin()).node().incarnation()];
      var call = Objects.requireNonNull(caller.calls.get(each.number()), "a call");
      if (call.method() == Method.TRANSFER) {
        transferred += call.amount();
      }
      if (each.answer() != call.answer()) {
        return End.REPLY_WRONG;
      }
    }
    for (var each : bank.processes[CLIENT].replies.entrySet()) {
      var call = Objects.requireNonNull(bank.processes[CLIENT].calls.get(each.getKey()), "a call");
      var failed =
          bank.setAside.contains(new Served(SimulatedBank.process(CLIENT), each.getKey(), FAILED));
      var wasAnswered = failed && call.method() == Method.PEEK && each.getValue() == call.answer();
      if (!wasAnswered && each.getValue() != (failed ? FAILED : call.answer())) {
        return End.REPLY_WRONG;
      }
    }
    if (bank.answersOfOthers) {
      return End.REPLY_WRONG;
    }
    if (bank.unsentIsSent) {
      return End.ORDER_BROKEN;
    }
    var balance =
        bank.object(ACCOUNT).program.state.balance
            + bank.object(OTHER_ACCOUNT).program.state.balance;
    if (balance != 0 || bank.object(LEDGER).program.state.notes != 2 * transferred) {
      return End.MONEY_WRONG;
    }
    // What the teller has seen must be what the accounts remember.
    var teller = bank.object(TELLER).program.state;
    for (var i = 0; i < teller.observed.size(); i++) {
      var sent = teller.observed.get(i);
      if (!sent.target().equals(RATES)) {
        var answer =
            new Served(
                new CallOrigin.Logged(TELLER), sent.number(), teller.observedOutcomes.get(i));
        if (!bank.object(sent.target()).program.state.served.contains(answer)) {
          return End.ORPHAN;
        }
      }
    }
    return End.SOUND;
  }
}
