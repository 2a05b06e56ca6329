package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.TELLER;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.SimulatedBank.Sender;

/** A process of the simulated bank: what it believes, and its calls if it is a client. */
final class BankProcess {

  final int index;
  int life;
  final Map<ObjectIdentity, Integer> places = new HashMap<>();
  final Map<ObjectIdentity, Integer> epochs = new HashMap<>();
  boolean knowsRatesLost;
  boolean knowsClientEnded;
  int made;
  final SentCalls<BankCall> sent = new SentCalls<>(); // to the teller
  final Map<Long, BankCall> calls = new TreeMap<>();
  final Map<Long, Long> replies = new TreeMap<>();
  private final SimulatedBank bank;

  BankProcess(SimulatedBank bank, int index) {
    this.bank = bank;
    this.index = index;
  }

  private Sender here() {
    return new Sender(index, null, 0);
  }

  /** Learns where an object is now. */
  void hears(BankObject moved, int node, int epoch) {
    if (epochs.getOrDefault(moved.identity, 0) >= epoch) {
      return;
    }
    epochs.put(moved.identity, epoch);
    places.put(moved.identity, node);
    if (sent.made() > 0 && moved.identity.equals(TELLER)) {
      bank.sendResumption(
          here(), SimulatedBank.process(index), TELLER, sent.resumption(sent.made()));
    }
    for (var each : bank.objects.values()) {
      if (each.logged != null && each.home == index) {
        each.logged.resume(moved.identity);
      }
    }
  }

  /** Makes one of the calls of a client. */
  void callTeller() {
    made++;
    var method =
        switch (bank.random.nextInt(4)) {
          case 0 -> BankCall.Method.PEEK;
          case 1 -> BankCall.Method.COLLECT;
          default -> BankCall.Method.TRANSFER;
        };
    var call = new BankCall(method, 1 + bank.random.nextInt(100), 0);
    var numbered = sent.add(sent.made() + 1, call, call.fingerprint());
    calls.put(numbered.number(), call);
    bank.postTo(TELLER, here(), k -> k.live().arrive(SimulatedBank.process(index), numbered));
  }

  void answered(long number, long outcome) {
    if (sent.ended(number) != null) {
      sent.taken(number);
      replies.put(number, outcome);
    }
    bank.acknowledge(here(), SimulatedBank.process(index), TELLER, number);
  }
}
