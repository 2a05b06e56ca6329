package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;

/**
 * The calls of one node to an object that outlives its node with its calls: their numbers, and
 * those that the node may have to send again. Guarded by the {@link MovedObject}.
 */
final class NumberedParcels {

  /*
   * Design: calls that are sent again
   *
   * The object logs its calls, and a new embodiment of it knows those that the log has. Calls that were queued are lost
   * with its node, and so are answers that were on their way. This node therefore keeps each call until its answer
   * has arrived or, if it awaits none, until the object has reported it as taken. When the object has a new place
   * after a death, all that is kept is sent there, before anything else. The object recognises repeated calls by their names.
   *
   * The calls of all ordinary callers of the node have one origin, which is numbered here, in the step in which a call is
   * sent. Logged objects number their own calls; a logged object keeps those numbers in its log.
   *
   * A JVM may drop all its references to an object and find it again, or resume a grid in which it has called the object
   * before. It then numbers its calls anew, but must give no number twice. The first number is therefore the time since
   * the start of this class, as no call takes less than a nanosecond.
   */
  private static final long START = System.nanoTime();

  private final Map<CallOrigin, Account> accounts = new HashMap<>();
  private final Map<Long, CallName> byCallId = new HashMap<>(); // whose answers are awaited
  private final Set<CallOrigin> sentAgain = new HashSet<>(); // logged callers of which a call was

  private static final class Account {
    long last;
    long sent; // the last one that was sent, as far as is known; the next one names it
    final TreeMap<Long, Parcel> kept = new TreeMap<>();
    final TreeSet<Long> wanted = new TreeSet<>(); // the numbers of those with an answer

    Account(CallOrigin origin) {
      last = origin instanceof CallOrigin.Process ? System.nanoTime() - START : 0;
    }

    /** Returns the number up to which no answer is awaited. */
    long settled() {
      return wanted.isEmpty() ? last : wanted.first() - 1;
    }
  }

  private Account account(CallOrigin origin) {
    return accounts.computeIfAbsent(origin, Account::new);
  }

  /** Names a call of an ordinary caller, and keeps it. */
  Parcel add(NodeId node, Parcel parcel) {
    var origin = new CallOrigin.Process(node);
    var account = account(origin);
    var number = account.last + 1;
    return add(parcel.named(new CallName(origin, number, account.sent, account.settled())));
  }

  /** Keeps a call with a name. */
  Parcel add(Parcel parcel) {
    var name = nameOf(parcel);
    var account = account(name.origin());
    account.last = Math.max(account.last, name.number());
    account.sent = Math.max(account.sent, name.number());
    account.kept.put(name.number(), parcel);
    if (parcel.callId() != 0) {
      account.wanted.add(name.number());
      byCallId.put(parcel.callId(), name);
    }
    return parcel;
  }

  private static CallName nameOf(Parcel parcel) {
    return Objects.requireNonNull(parcel.name(), "the name of a numbered call");
  }

  /**
   * Forgets a call that is not sent, or not again. Its number is not given to another call, for the
   * object may have taken the call before a loss; the next one names the one before it.
   */
  void notSent(Parcel parcel) {
    var name = nameOf(parcel);
    var account = accounts.get(name.origin());
    if (account == null) {
      return;
    }
    account.kept.remove(name.number());
    account.wanted.remove(name.number());
    byCallId.remove(parcel.callId());
    if (name.origin() instanceof CallOrigin.Process) {
      account.sent = Math.min(account.sent, name.after());
    }
    forgetIfSettled(name.origin(), account);
  }

  /** Returns whether a call is kept whose answer is awaited. */
  boolean awaits(long callId) {
    return byCallId.containsKey(callId);
  }

  /**
   * Handles the answer of a call, which implies that the object has taken it and all before it, as
   * its log has them in the order of their numbers.
   *
   * @return the name of the call; {@code null} if it was none of these
   */
  @Nullable CallName answered(long callId) {
    var name = byCallId.remove(callId);
    if (name == null) {
      return null;
    }
    var account = account(name.origin());
    account.wanted.remove(name.number());
    removeTaken(account, 0, name.number());
    forgetIfSettled(name.origin(), account);
    return name;
  }

  /** Handles a call whose answer the caller does not want any more; it is served all the same. */
  void abandoned(long callId) {
    var name = byCallId.remove(callId);
    if (name != null) {
      var account = account(name.origin());
      account.wanted.remove(name.number());
      forgetIfSettled(name.origin(), account);
    }
  }

  /** Handles the news that the object will not need calls in a range again. */
  void taken(CallOrigin origin, long first, long last) {
    var account = accounts.get(origin);
    if (account != null && first <= last) {
      removeTaken(account, first, last);
      forgetIfSettled(origin, account);
    }
  }

  /**
   * Forgets the account of a logged object for which nothing is kept; it numbers its calls itself.
   */
  private void forgetIfSettled(CallOrigin origin, Account account) {
    if (origin instanceof CallOrigin.Logged && account.kept.isEmpty() && account.wanted.isEmpty()) {
      accounts.remove(origin);
    }
  }

  private static void removeTaken(Account account, long first, long last) {
    var taken = account.kept.subMap(first, true, last, true).keySet();
    taken.removeIf(each -> !account.wanted.contains(each));
  }

  /** Returns the number up to which ordinary callers of a node need no answers. */
  long settled(NodeId node) {
    var account = accounts.get(new CallOrigin.Process(node));
    return account == null ? 0 : account.settled();
  }

  /**
   * Returns the calls that must be sent again, in order.
   *
   * @param held parcels that are yet to be sent anyway
   */
  List<Parcel> again(List<Parcel> held) {
    Set<Parcel> later = Collections.newSetFromMap(new IdentityHashMap<>());
    later.addAll(held);
    List<Parcel> all = new ArrayList<>();
    accounts.forEach(
        (origin, account) -> {
          for (var kept : account.kept.entrySet()) {
            if (!later.contains(kept.getValue())) {
              kept.setValue(kept.getValue().again());
              all.add(kept.getValue());
              if (origin instanceof CallOrigin.Logged) {
                sentAgain.add(origin);
              }
            }
          }
        });
    return all;
  }

  /** Returns whether a call of an origin is kept. */
  boolean keeps(CallOrigin origin) {
    var account = accounts.get(origin);
    return account != null && !account.kept.isEmpty();
  }

  /** Returns whether a call of a logged caller was ever sent again. */
  boolean hasSentAgain(CallOrigin origin) {
    return sentAgain.contains(origin);
  }

  /** Forgets the calls of an origin, which another node keeps. */
  void forget(CallOrigin origin) {
    sentAgain.remove(origin);
    var account = accounts.remove(origin);
    if (account != null) {
      byCallId.values().removeIf(each -> each.origin().equals(origin));
    }
  }

  /** Forgets everything, because the object is lost for good. */
  void clear() {
    accounts.values().forEach(each -> each.kept.clear());
    byCallId.clear();
    sentAgain.clear();
  }

  /** Returns how many calls are kept. */
  int size() {
    return accounts.values().stream().mapToInt(each -> each.kept.size()).sum();
  }
}
