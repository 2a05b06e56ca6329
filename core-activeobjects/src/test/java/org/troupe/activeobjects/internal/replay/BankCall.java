package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.ACCOUNT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.OTHER_ACCOUNT;

import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * A call of the simulated bank.
 *
 * @param key a value that depends on what the caller has done before: the number of its transfer,
 *     or a balance
 */
record BankCall(Method method, long amount, long key) {

  enum Method {
    TRANSFER,
    PEEK,
    COLLECT,
    WITHDRAW,
    DEPOSIT,
    BALANCE,
    NOTE,
    RATE,
    UNSENDABLE
  }

  CallFingerprint fingerprint() {
    return new CallFingerprint(toString(), hashCode() + 1L);
  }

  /** Returns the account from which this transfer withdraws. */
  ObjectIdentity source() {
    return amount % 2 == 0 ? ACCOUNT : OTHER_ACCOUNT;
  }

  /** Returns the account to which this transfer deposits. */
  ObjectIdentity destination() {
    return amount % 2 == 0 ? OTHER_ACCOUNT : ACCOUNT;
  }

  /** Returns the answer of the teller to this call. */
  long answer() {
    return switch (method) {
      case PEEK -> 3;
      case COLLECT -> 4;
      default -> amount;
    };
  }
}
