package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATE;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES_HOST;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.replay.BankState.Served;
import org.troupe.activeobjects.internal.replay.SimulatedBank.Sender;

/**
 * The object of the simulated bank that quotes rates. It is not logged, and its node may be lost.
 */
final class RateQuotes {

  boolean isLive = true;
  final Map<CallOrigin, ReceivedCalls<BankCall, Long>> accounts = new HashMap<>();
  final List<Served> served = new ArrayList<>();
  private final SimulatedBank bank;

  RateQuotes(SimulatedBank bank) {
    this.bank = bank;
  }

  private ReceivedCalls<BankCall, Long> account(CallOrigin origin) {
    return accounts.computeIfAbsent(origin, each -> new ReceivedCallsWithoutRules(bank.without));
  }

  void arrive(CallOrigin origin, NumberedCall<BankCall> call) {
    if (!isLive) {
      return;
    }
    var rates = new Sender(RATES_HOST, null, 0);
    var account = account(origin);
    if (account.isDuplicate(call.number())) {
      var answer = account.repeated(call.number());
      if (answer != null) {
        bank.answer(rates, RATES, origin, call.number(), answer);
      }
      return;
    }
    for (var each : account.accept(call)) {
      var outcome = each.call().key() * 10 + RATE;
      served.add(new Served(origin, each.number(), RATE));
      if (account.answered(each.number(), outcome)) {
        bank.answer(rates, RATES, origin, each.number(), outcome);
      }
    }
  }

  void resumed(CallOrigin origin, Resumption<BankCall> resumption) {
    if (!isLive) {
      return;
    }
    var answers = account(origin).resumed(resumption);
    resumption.untaken().forEach(each -> arrive(origin, each));
    answers.forEach(
        (number, outcome) ->
            bank.answer(new Sender(RATES_HOST, null, 0), RATES, origin, number, outcome));
  }

  /** Adds the reports of taken calls, since each answer is a report of its own call only. */
  void addReports(List<Runnable> possible) {
    if (!isLive) {
      return;
    }
    var rates = new Sender(RATES_HOST, null, 0);
    accounts.forEach(
        (origin, account) -> {
          if (account.hasReport()) {
            possible.add(() -> bank.takenBy(rates, RATES, origin, account.report()));
          }
        });
  }

  void acknowledged(CallOrigin origin, long number) {
    if (isLive) {
      account(origin).acknowledged(number);
    }
  }
}
