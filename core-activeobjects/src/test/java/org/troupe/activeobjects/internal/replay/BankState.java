package org.troupe.activeobjects.internal.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * The state of a logged object of the simulated bank, of any of its classes; copied into images.
 */
final class BankState {

  /** The name of a call that the object has made. */
  record Sent(ObjectIdentity target, long number) {}

  /** A call that an object has served. */
  record Served(CallOrigin origin, long number, long answer) {}

  long balance;
  long notes;
  final Map<Sent, Long> ended = new LinkedHashMap<>(); // own calls, by the order of their ends
  final Deque<Sent> pending = new ArrayDeque<>(); // of which no request has waited
  final List<Served> served = new ArrayList<>();
  final List<Sent> observed = new ArrayList<>(); // in the order of use
  final List<Long> observedOutcomes = new ArrayList<>();

  BankState copy() {
    var copy = new BankState();
    copy.balance = balance;
    copy.notes = notes;
    copy.ended.putAll(ended);
    copy.pending.addAll(pending);
    copy.served.addAll(served);
    copy.observed.addAll(observed);
    copy.observedOutcomes.addAll(observedOutcomes);
    return copy;
  }
}
