package org.troupe.activeobjects.internal.capacity;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.CapacityPeer;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;

/**
 * The queues that have an account, and the calls that wait for capacity. {@link QueueCapacity}
 * states the rules. Guarded by its lock, except for {@link #isCrowded}.
 */
final class AdmissionTable {

  private final FutureRuntime waiting;
  private final Map<CallQueue, Account> accounts = new HashMap<>();
  private final Set<Admission> line = new LinkedHashSet<>(); // all waiting calls
  private final ArrayDeque<CallQueue> toAsk = new ArrayDeque<>(); // whose nodes are short of memory
  private long deferredBytes;
  private volatile boolean isCrowded; // whether any call waits

  /**
   * Creates an empty table.
   *
   * @param waiting the actions of a thread that waits for a vacancy
   */
  AdmissionTable(FutureRuntime waiting) {
    this.waiting = waiting;
  }

  /** The state of one queue. */
  private final class Account {
    final CallQueue queue;
    final CallMethod method; // the method that opened the account
    final int bound;
    final ArrayDeque<Admission> line = new ArrayDeque<>(0);
    int taken;
    int grants; // how many calls are admitted although the other node has a backlog
    boolean isAsked; // whether the other node was asked to admit a call
    @Nullable QueueVacancy vacancy; // created when first inspected
    boolean isClosed;

    Account(CapacityNeed first) {
      this.queue = first.queue();
      this.method = first.method();
      this.bound = first.bound();
      this.isClosed = queue.isOfLostNode(); // lost before
    }

    boolean hasPlaces(CapacityNeed need) {
      return isClosed || need.places() == 0 || taken + need.places() <= bound;
    }

    boolean hasMemory(CapacityNeed need) {
      return isClosed || !need.needsMemory() || grants > 0 || !queue.isBehind();
    }

    /**
     * Returns the error for a call that is refused, as those before it have taken its places, or
     * will; {@code null} if it is not.
     */
    @Nullable OverloadedException refusal(CapacityNeed need) {
      if (!need.isRefused() || isClosed) {
        return null;
      }
      var awaited = line.stream().flatMap(each -> each.needs.stream());
      var ahead = awaited.filter(each -> each.queue().equals(queue)).mapToInt(CapacityNeed::places);
      var occupied = taken + ahead.sum();
      return occupied + need.places() <= bound
          ? null
          : new OverloadedException(
              "the queue of %s on node '%s' is full (%d of %d from this JVM) and it refuses more; call slower, or with a larger bound"
                  .formatted(
                      IndefiniteArticle.before(need.method().owner().name()),
                      queue.nodeName(),
                      occupied,
                      bound));
    }

    void take(CapacityNeed need) {
      taken += isClosed ? 0 : need.places();
      if (need.needsMemory() && grants > 0) {
        grants--;
      }
    }

    void release(int places) {
      taken = Math.max(0, taken - places);
    }

    /** Asks the other node to report when it has memory for a call. */
    void askFor(CapacityNeed need) {
      if (!isAsked && queue.home() instanceof CapacityPeer && !hasMemory(need)) {
        isAsked = true;
        toAsk.add(queue);
      }
    }

    /** Returns the vacancy that the call at the head of the line waits for. */
    QueueVacancy vacancy(CapacityNeed need) {
      if (vacancy == null) {
        vacancy = new QueueVacancy(waiting, queue, method, bound);
      }
      vacancy.places(need.places());
      return vacancy;
    }

    void capacityFreed() {
      if (vacancy != null) {
        vacancy.grant();
        vacancy = null;
      }
    }
  }

  /** A waiting call. */
  static final class Admission {
    final List<CapacityNeed> needs;
    final CapacityWait wait;
    final @Nullable Runnable send; // null: a thread waits, and sends the call itself
    private final long bytes; // memory of the deferred call; 0 if a thread waits
    private final boolean isLimited; // whether it ends by itself, at its time limit
    volatile boolean isSending;
    volatile boolean isExemptFromMemory; // because a wait for memory would be endless

    /**
     * Creates the admission of a call that is to be added to the table.
     *
     * @param wait creates its wait, from the vacancies that hold the call back
     */
    Admission(
        List<CapacityNeed> needs,
        Function<Admission, CapacityWait> wait,
        @Nullable Runnable send,
        long bytes,
        boolean isLimited) {
      this.needs = needs;
      this.wait = wait.apply(this);
      this.send = send;
      this.bytes = bytes;
      this.isLimited = isLimited;
    }

    List<CallQueue> queues() {
      return AdmissionTable.queues(needs);
    }
  }

  static List<CallQueue> queues(List<CapacityNeed> needs) {
    return needs.stream().map(CapacityNeed::queue).toList();
  }

  private static boolean hasCapacity(Admission call, Account account, CapacityNeed need) {
    return account.hasPlaces(need) && (call.isExemptFromMemory || account.hasMemory(need));
  }

  /** Returns the account of a queue that a call waits for, or has taken. */
  private Account known(CallQueue queue) {
    return Objects.requireNonNull(accounts.get(queue), "the account of a queue in use");
  }

  /** Returns whether a call would have its places, memory aside. */
  boolean hasPlaces(Admission call) {
    return call.needs.stream().allMatch(need -> known(need.queue()).hasPlaces(need));
  }

  private boolean mayBeSent(Admission call) {
    for (var need : call.needs) {
      var account = known(need.queue());
      if (account.line.peek() != call || !hasCapacity(call, account, need)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether any call waits, so that calls to unbounded queues may have to wait, too. */
  boolean isCrowded() {
    return isCrowded;
  }

  /** Returns the memory that deferred calls occupy. */
  long deferredBytes() {
    return deferredBytes;
  }

  /** Returns the vacancies that a call waits for, itself or behind others. */
  List<FutureResult<?>> vacanciesFor(Admission call) {
    Set<FutureResult<?>> vacancies = new LinkedHashSet<>();
    Set<Admission> seen = new HashSet<>();
    var open = new ArrayDeque<>(List.of(call));
    for (Admission at; (at = open.poll()) != null; ) {
      if (!line.contains(at) || at.isSending || !seen.add(at)) {
        continue;
      }
      for (var need : at.needs) {
        var account = known(need.queue());
        var head = account.line.peek();
        if (head != at && !head.isLimited) {
          open.add(head);
        } else if (!hasCapacity(at, account, need)) {
          vacancies.add(account.vacancy(need));
        }
      }
    }
    return List.copyOf(vacancies);
  }

  /** Returns the call with a wait and all calls that it waits behind; empty if it does not wait. */
  Set<Admission> withThoseBefore(CapacityWait wait) {
    Set<Admission> before = new LinkedHashSet<>();
    var open = new ArrayDeque<Admission>();
    line.stream().filter(each -> each.wait == wait).forEach(open::add);
    for (Admission at; (at = open.poll()) != null; ) {
      if (before.add(at)) {
        for (var queue : at.queues()) {
          for (var each : known(queue).line) {
            if (each == at) {
              break;
            }
            open.add(each);
          }
        }
      }
    }
    return before;
  }

  // Taking

  /** Takes all capacity of a call at once; returns whether it was free. */
  boolean takeAtOnce(List<CapacityNeed> needs) {
    for (var need : needs) {
      var account = account(need);
      if (!account.line.isEmpty() || !account.hasPlaces(need) || !account.hasMemory(need)) {
        return false;
      }
    }
    needs.forEach(need -> known(need.queue()).take(need));
    if (needs.stream().anyMatch(need -> known(need.queue()).taken == 0)) {
      admit(queues(needs)); // closes the accounts without calls
    }
    return true;
  }

  /**
   * Returns the queues that refuse a call, which has not got its capacity, with the errors; closes
   * the accounts that were opened for it if there are any.
   */
  Map<CallQueue, OverloadedException> refusals(List<CapacityNeed> needs) {
    Map<CallQueue, OverloadedException> refusals = new LinkedHashMap<>(0);
    for (var need : needs) {
      var account = accounts.get(need.queue());
      var refusal = account == null ? null : account.refusal(need);
      if (refusal != null) {
        refusals.put(need.queue(), refusal);
      }
    }
    if (!refusals.isEmpty()) {
      admit(queues(needs));
    }
    return refusals;
  }

  private Account account(CapacityNeed need) {
    return accounts.computeIfAbsent(need.queue(), queue -> new Account(need));
  }

  /** Adds a call to its lines; returns the calls to send, since capacity may have become free. */
  List<Admission> enqueue(Admission call) {
    isCrowded = true; // set before the accounts are checked again: memory is freed without the lock
    line.add(call);
    deferredBytes += call.bytes;
    for (var need : call.needs) {
      var account = account(need);
      account.line.add(call);
      account.askFor(need);
    }
    return admit(call.queues());
  }

  /**
   * Returns the need of an action that must stay behind the calls that wait for a queue; {@code
   * null} if none waits.
   */
  @Nullable CapacityNeed needOfOrder(CallQueue queue) {
    var account = accounts.get(queue);
    return account == null || account.line.isEmpty()
        ? null
        : CapacityNeed.ofOrder(queue, account.method, account.bound);
  }

  /** Removes a call from its lines; returns whether it was in them. */
  boolean dequeue(Admission call) {
    if (!line.remove(call)) {
      return false;
    }
    isCrowded = !line.isEmpty();
    deferredBytes -= call.bytes;
    for (var queue : call.queues()) {
      known(queue).line.remove(call);
    }
    return true;
  }

  /** Admits calls at the head of their lines; returns those to send. */
  List<Admission> admit(Collection<CallQueue> changed) {
    List<Admission> toSend = new ArrayList<>(0);
    var open = new ArrayDeque<>(changed);
    for (CallQueue queue; (queue = open.poll()) != null; ) {
      var account = accounts.get(queue);
      if (account == null) {
        continue;
      }
      var head = account.line.peek();
      if (head == null) {
        if (account.taken == 0) {
          account.capacityFreed();
          accounts.remove(queue);
        }
      } else if (!head.isSending && mayBeSent(head)) {
        admit(head, toSend);
        open.addAll(head.queues());
      } else if (!head.isSending) {
        head.needs.forEach(need -> known(need.queue()).askFor(need));
      }
    }
    return toSend;
  }

  private void admit(Admission call, List<Admission> toSend) {
    call.needs.forEach(need -> known(need.queue()).take(need));
    call.isSending = true;
    if (call.send != null) {
      toSend.add(call); // it keeps its place in the lines until it has been sent
      return;
    }
    dequeue(call);
    if (!call.wait.grant()) { // it has failed
      call.needs.forEach(need -> known(need.queue()).release(need.places()));
    }
  }

  /** Returns the next queue whose node is to be asked for memory; {@code null} if there is none. */
  @Nullable CallQueue nextToAsk() {
    return toAsk.poll();
  }

  // Releasing

  /** Frees places in a queue. */
  void release(CallQueue queue, int places) {
    var account = accounts.get(queue);
    if (account != null) {
      account.release(places);
      account.capacityFreed();
    }
  }

  /** Records that memory is available again; returns the queues concerned. */
  List<CallQueue> memoryFreed(Predicate<CallQueue> isAffected) {
    var queues = accounts.keySet().stream().filter(isAffected).toList();
    queues.forEach(queue -> grant(queue, 0));
    return queues;
  }

  /** Sets the number of calls to a queue that are admitted although its node has a backlog. */
  void grant(CallQueue queue, int calls) {
    var account = accounts.get(queue);
    if (account != null) {
      account.isAsked = false;
      account.grants = calls;
      account.capacityFreed();
    }
  }

  /** Closes the accounts of lost objects; returns their queues. */
  List<CallQueue> close(Predicate<CallQueue> isLost) {
    var queues = accounts.keySet().stream().filter(isLost).toList();
    for (var queue : queues) {
      var account = known(queue);
      account.isClosed = true;
      account.taken = 0;
      account.capacityFreed();
    }
    return queues;
  }

  /** Frees all places in some queues; returns these queues. */
  List<CallQueue> forget(Predicate<CallQueue> isConcerned) {
    var queues = accounts.keySet().stream().filter(isConcerned).toList();
    queues.forEach(each -> release(each, Integer.MAX_VALUE));
    return queues;
  }

  /** Returns the number of accounts at a node. */
  int accounts(CapacityPeer home) {
    return (int) accounts.keySet().stream().filter(each -> each.home() == home).count();
  }
}
