package org.troupe.activeobjects.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RequestDroppedException;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.spi.Pending;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.futures.WaitInterruptedException;

/**
 * The room in the queues that calls of one node go to: how much of it is taken, and which calls
 * wait for some. May be shared between threads.
 */
final class QueueRooms {

  /*
   * A queue with a bound has an account here as long as calls of this node are in it or wait for it. The calls that wait
   * stand in line at every queue that they go to, which they join in one step: so the lines of any two queues agree on
   * the order, and a call at the head of all its lines takes its places in one step as well. It never holds a place
   * while it waits for another one; two multicasts that did would wait for each other.
   *
   * A call whose caller must not wait stands in line like any, and is sent by a virtual thread when it has its places.
   * It leaves its lines only when it has gone, so later calls to the same object stay behind it.
   *
   * A waiting call waits for every queue that has no room for it, and, at a queue that has room, for the call at the head of the
   * line. What that amounts to is told to whoever looks for cycles, as queues without room (FullQueue), each of which
   * waits for its object to take a request.
   *
   * The lock comes after those of inboxes and of Multicasts; nothing is sent under it.
   */

  /** What a request takes beside its arguments, about. */
  private static final long REQUEST_BYTES = 200;

  /**
   * How much is kept of calls that wait and whose callers do not: an eighth of the heap. Those
   * callers have no other bound.
   */
  static final long MOST_DEFERRED_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private final NodeRuntime node;
  private final ReentrantLock lock = new ReentrantLock();

  // Under the lock
  private final Map<Queue, Account> accounts = new HashMap<>();
  private final Set<Admission> line = new LinkedHashSet<>(); // of all that wait
  private long deferredBytes;

  private volatile boolean isCrowded; // whether any call waits

  QueueRooms(NodeRuntime node) {
    this.node = node;
  }

  /**
   * The queue of one object.
   *
   * @param home the body if it is of this node, else the peer
   * @param number 0, or by which the peer knows the object
   */
  record Queue(Object home, long number) {

    static Queue of(Reference.Target target) {
      return switch (target) {
        case Reference.Target.Here(Body body) -> new Queue(body, 0);
        case Reference.Target.Elsewhere elsewhere ->
            new Queue(elsewhere.home(), elsewhere.number());
      };
    }

    /** The body that takes requests from the queue, if it is of this node. */
    Body body() {
      return home instanceof Body body ? body : null;
    }

    String nodeName() {
      return home instanceof Peer peer ? peer.id().name() : ((Body) home).node().name();
    }
  }

  /**
   * What a call needs of one queue.
   *
   * @param method the method called
   * @param bound how many places it has for calls of this node
   * @param places how many the call takes; none if it only has to keep its order
   */
  record Need(Queue queue, CallMethod method, int bound, int places) {}

  /** What is known of one queue. Under the lock. */
  private final class Account {
    final Queue queue;
    final CallMethod method; // that opened the account
    final int bound;
    final ArrayDeque<Admission> line = new ArrayDeque<>(0);
    int taken;
    FullQueue full; // as long as somebody has looked at it
    boolean closed;

    Account(Need first) {
      this.queue = first.queue();
      this.method = first.method();
      this.bound = first.bound();
    }

    boolean hasRoom(int places) {
      return closed || places == 0 || taken + places <= bound;
    }

    FullQueue full() {
      if (full == null) {
        full = new FullQueue(node, queue, method, bound);
      }
      return full;
    }

    void roomCame() {
      if (full != null) {
        full.settle(new Outcome.Success<>(null));
        full = null;
      }
    }
  }

  /** A call that waits. Under the lock. */
  private final class Admission {
    final List<Need> needs;
    final RoomWait wait;
    final Runnable send; // null: a thread waits, and sends it itself
    final long bytes; // kept for it; 0 if a thread waits
    boolean isSending;

    Admission(List<Need> needs, String call, Runnable send, long bytes) {
      this.needs = needs;
      this.wait = new RoomWait(node, call, () -> Pending.Sources.all(fullFor(this)));
      this.send = send;
      this.bytes = bytes;
    }

    boolean mayGo() {
      for (var need : needs) {
        var account = accounts.get(need.queue());
        if (account.line.peek() != this || !account.hasRoom(need.places())) {
          return false;
        }
      }
      return true;
    }
  }

  /** The queues without room that keep a call back. */
  private List<FutureResult<?>> fullFor(Admission call) {
    lock.lock();
    try {
      Set<FutureResult<?>> full = new LinkedHashSet<>();
      Set<Admission> seen = new LinkedHashSet<>();
      var open = new ArrayDeque<>(List.of(call));
      for (Admission at; (at = open.poll()) != null; ) {
        if (!line.contains(at) || at.isSending || !seen.add(at)) {
          continue;
        }
        for (var need : at.needs) {
          var account = accounts.get(need.queue());
          if (account.line.peek() != at) {
            open.add(account.line.peek());
          } else if (!account.hasRoom(need.places())) {
            full.add(account.full());
          }
        }
      }
      return List.copyOf(full);
    } finally {
      lock.unlock();
    }
  }

  /** Says whether any call waits; so that those that go to queues without bound may have to. */
  boolean isCrowded() {
    return isCrowded;
  }

  /**
   * Takes room for a call of the current thread, which waits for it.
   *
   * @param call for messages
   * @param nanos how long it may wait; {@code Long.MAX_VALUE} for ever
   * @return whether it has its room; if not, the time is over
   * @throws WaitCycleException if the room could never come
   * @throws WaitInterruptedException if the thread is interrupted while it waits
   */
  boolean await(List<Need> needs, String call, long nanos) {
    Admission waiting;
    lock.lock();
    try {
      if (takeAtOnce(needs)) {
        return true;
      }
      waiting = enqueue(new Admission(needs, call, null, 0));
    } finally {
      lock.unlock();
    }
    try {
      var outcome = waiting.wait.await(nanos);
      if (outcome instanceof Outcome.Failure<Object>(Throwable cycle)) {
        throw new WaitCycleException(cycle.getMessage()); // with this thread's stack
      }
      return outcome != null || endWait(waiting);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (!endWait(waiting)) {
        throw new WaitInterruptedException(
            call + " was not sent: its thread was interrupted while it waited for room");
      }
      return true; // both came at the same time
    } catch (RuntimeException | Error cycle) {
      if (endWait(waiting)) {
        giveBack(needs);
      }
      throw cycle;
    }
  }

  /**
   * Takes room for calls whose caller does not wait.
   *
   * @param results those of the calls
   * @param bytes how much is kept for the calls
   * @param send sends the calls when they have room, on another thread
   * @return whether they are sent later; if not, they have their room, and the caller sends them
   * @throws RequestDroppedException if too much waits already
   */
  boolean takeOrDefer(List<Need> needs, List<CallResult> results, long bytes, Runnable send) {
    lock.lock();
    try {
      if (takeAtOnce(needs)) {
        return false;
      }
      var kept = bytes + results.size() * REQUEST_BYTES;
      if (deferredBytes > 0 && deferredBytes + kept > MOST_DEFERRED_BYTES) {
        admit(queues(needs)); // closes the accounts that were opened for this
        throw overflow(
            results.getFirst().describe(),
            "calls that wait for room in queues",
            deferredBytes,
            MOST_DEFERRED_BYTES);
      }
      deferredBytes += kept;
      var call = results.getFirst().describe();
      var deferred = new Admission(needs, call, () -> sendDeferred(needs, results, send), kept);
      results.forEach(each -> each.delegatedTo = deferred.wait);
      enqueue(deferred);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void sendDeferred(List<Need> needs, List<CallResult> results, Runnable send) {
    results.forEach(each -> each.delegatedTo = null);
    if (results.stream().noneMatch(FutureResult::isAwaited)) { // all were given up
      giveBack(needs);
      return;
    }
    try {
      send.run();
    } catch (RuntimeException | Error failure) {
      giveBack(needs);
      results.forEach(each -> each.settle(new Outcome.Failure<>(unsent(each, failure))));
    }
  }

  private static Throwable unsent(CallResult result, Throwable failure) {
    return failure instanceof NodeLostException lost
        ? new NodeLostException(
            lost.getMessage() + "; " + result.describe() + " was not sent",
            lost.certificate().orElse(null))
        : failure;
  }

  /** The error for a caller that does not wait when too much is kept for such callers. */
  static RequestDroppedException overflow(String call, String what, long kept, long most) {
    return new RequestDroppedException(
        "%s was not sent: %s keep %d MiB of this node's heap already, of at most %d; wait for earlier answers before you ask for more"
            .formatted(call, what, kept >> 20, most >> 20));
  }

  /** The error for a caller whose time is over. */
  static CallTimeoutException timeOut(String call, long nanos) {
    return new CallTimeoutException(
        call
            + " was not sent: its object's queue had no room within "
            + Duration.ofNanos(nanos)
            + ". Give it longer with ref.within(..), or the queue more room");
  }

  /** What a request gives its places back with, when it is taken; {@code null} if it has none. */
  Runnable returning(Need need) {
    return need == null || need.places() == 0 ? null : () -> giveBack(need.queue(), need.places());
  }

  private boolean takeAtOnce(List<Need> needs) {
    for (var need : needs) {
      var account = accounts.computeIfAbsent(need.queue(), queue -> new Account(need));
      if (!account.line.isEmpty() || !account.hasRoom(need.places())) {
        return false;
      }
    }
    take(needs);
    return true;
  }

  private void take(List<Need> needs) {
    for (var need : needs) {
      accounts.get(need.queue()).taken += need.places();
    }
  }

  private Admission enqueue(Admission call) {
    for (var need : call.needs) {
      accounts.computeIfAbsent(need.queue(), queue -> new Account(need)).line.add(call);
    }
    line.add(call);
    isCrowded = true;
    return call;
  }

  /** Takes a call out of its lines; says whether it was there. */
  private boolean dequeue(Admission call) {
    if (!line.remove(call)) {
      return false;
    }
    isCrowded = !line.isEmpty();
    deferredBytes -= call.bytes;
    for (var need : call.needs) {
      accounts.get(need.queue()).line.remove(call);
    }
    return true;
  }

  /** A thread waits no longer; says whether its room has come all the same. */
  private boolean endWait(Admission call) {
    var withdrawn = new Outcome.Failure<Object>(new IllegalStateException("withdrawn"));
    if (!call.wait.settle(withdrawn) && call.wait.outcomeNow() instanceof Outcome.Success) {
      return true;
    }
    List<Admission> toSend;
    lock.lock();
    try {
      dequeue(call);
      toSend = admit(queues(call.needs));
    } finally {
      lock.unlock();
    }
    send(toSend);
    return false;
  }

  /** Gives back what a call has taken that does not go. */
  void giveBack(List<Need> needs) {
    needs.forEach(need -> giveBack(need.queue(), need.places()));
  }

  /** Gives back places in a queue; those of calls that took none are not counted. */
  void giveBack(Queue queue, int places) {
    List<Admission> toSend;
    lock.lock();
    try {
      var account = accounts.get(queue);
      if (account == null) {
        return;
      }
      account.taken = Math.max(0, account.taken - places);
      account.roomCame();
      toSend = admit(List.of(queue));
    } finally {
      lock.unlock();
    }
    send(toSend);
  }

  /** Lets calls go that are at the head of their lines; returns those that are to be sent. */
  private List<Admission> admit(Collection<Queue> changed) {
    List<Admission> toSend = new ArrayList<>(0);
    var open = new ArrayDeque<>(changed);
    for (Queue queue; (queue = open.poll()) != null; ) {
      var account = accounts.get(queue);
      var head = account == null ? null : account.line.peek();
      if (head != null && !head.isSending && head.mayGo()) {
        take(head.needs);
        head.isSending = true;
        if (head.send != null) {
          toSend.add(head);
        } else {
          dequeue(head);
          if (!head.wait.settle(new Outcome.Success<>(null))) { // it has failed
            head.isSending = false;
            head.needs.forEach(need -> accounts.get(need.queue()).taken -= need.places());
          }
          open.addAll(queues(head.needs));
        }
      } else if (account != null && account.taken == 0 && head == null) {
        account.roomCame();
        accounts.remove(queue);
      }
    }
    return toSend;
  }

  private static List<Queue> queues(List<Need> needs) {
    return needs.stream().map(Need::queue).toList();
  }

  private void send(List<Admission> calls) {
    if (!calls.isEmpty()) {
      Thread.startVirtualThread(() -> sendAll(calls));
    }
  }

  private void sendAll(List<Admission> first) {
    for (var calls = first; !calls.isEmpty(); ) {
      List<Admission> next = new ArrayList<>(0);
      for (var each : calls) {
        try {
          each.send.run();
        } finally {
          lock.lock();
          try {
            dequeue(each);
            each.wait.settle(new Outcome.Success<>(null));
            next.addAll(admit(queues(each.needs)));
          } finally {
            lock.unlock();
          }
        }
      }
      calls = next;
    }
  }

  /**
   * Runs what has to keep its place behind the calls to a queue that wait, without room of its own:
   * at once if none does.
   */
  void behindWaiting(Queue queue, Runnable action) {
    if (isCrowded) {
      lock.lock();
      try {
        var account = accounts.get(queue);
        if (account != null && !account.line.isEmpty()) {
          enqueue(
              new Admission(
                  List.of(new Need(queue, account.method, account.bound, 0)), "", action, 0));
          return;
        }
      } finally {
        lock.unlock();
      }
    }
    action.run();
  }

  /** The queues of a node, or of a body, are gone: no call waits for them any more. */
  void close(Object home) {
    List<Admission> toSend;
    lock.lock();
    try {
      var closed = accounts.keySet().stream().filter(each -> each.home() == home).toList();
      for (var queue : closed) {
        var account = accounts.get(queue);
        account.closed = true;
        account.taken = 0;
        account.roomCame();
      }
      toSend = admit(closed);
    } finally {
      lock.unlock();
    }
    send(toSend);
  }

  /** How many queues of a node calls of this one are in, or wait for. */
  int accounts(Peer home) {
    lock.lock();
    try {
      return (int) accounts.keySet().stream().filter(each -> each.home() == home).count();
    } finally {
      lock.unlock();
    }
  }
}
