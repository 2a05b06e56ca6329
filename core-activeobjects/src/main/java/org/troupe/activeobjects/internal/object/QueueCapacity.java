package org.troupe.activeobjects.internal.object;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RequestDroppedException;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.futures.WaitInterruptedException;

/**
 * The capacity of the queues to which one node sends calls: the places in use, and the calls that
 * wait for one. Thread-safe.
 */
public final class QueueCapacity {

  /*
   * Design: admission of calls to bounded queues
   *
   * Accounts. A bounded queue has an account here while calls of this node are in it or wait for it. The
   * account counts the places in use.
   *
   * Waiting lines. A waiting call joins the lines of all queues that it goes to in one step, so the lines of
   * any two queues agree on the order of the calls in both. A call at the head of all its lines takes all its
   * places in one step. Invariant: no call holds a place while it waits for another, so two multicasts cannot
   * block each other.
   *
   * Deferred calls. A call whose caller must not wait joins the lines like any other, and a virtual thread
   * sends it when it has its places. It leaves its lines only after it has been sent, so later calls to the
   * same object stay behind it.
   *
   * Deadlock detection. A waiting call depends on every queue that has no place for it and, at a queue that
   * has one, on the call at the head of the line. The detector sees these dependencies as vacancies of full
   * queues (QueueVacancy), each of which waits for its object to take a request.
   *
   * Memory. While the object's node has a backlog (QueueMemory), calls to unbounded queues have an account,
   * too, and wait like others if their object is behind. If such a wait were endless, the call is admitted,
   * and so is everything that the same request sends afterwards: memory is a soft limit, and an error would
   * break a program that may well have enough.
   *
   * Locks. The lock is acquired after those of inboxes and of CausalOrder; nothing is sent while it is held.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** The approximate size of a request without its arguments. */
  static final long REQUEST_BYTES = 200;

  /**
   * The limit on the memory of deferred calls: an eighth of the heap. No other limit applies to
   * callers that do not wait.
   */
  public static final long MOST_DEFERRED_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private final NodeObjects node;
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by the lock
  private final Map<Queue, Account> accounts = new HashMap<>();
  private final Set<Admission> line = new LinkedHashSet<>(); // all waiting calls
  private final ArrayDeque<Queue> toAsk = new ArrayDeque<>(); // at nodes to be asked for memory
  private long deferredBytes;

  private volatile long warnMillis = 10_000;
  private volatile Consumer<String> printer = text -> LOG.log(Level.WARNING, text);
  private volatile boolean isCrowded; // whether any call waits

  public QueueCapacity(NodeObjects node) {
    this.node = node;
  }

  /**
   * The queue of one object.
   *
   * @param home the body if it is of this node, else the remote node
   * @param number 0, or the number by which the remote node knows the object
   */
  public record Queue(Object home, long number) {

    public static Queue of(Reference.Target target) {
      return switch (target) {
        case Reference.Target.Here(Body body) -> new Queue(body, 0);
        case Reference.Target.Elsewhere elsewhere ->
            new Queue(elsewhere.home(), elsewhere.number());
      };
    }

    /** Returns the body that takes requests from the queue, if it is of this node. */
    public Body body() {
      return home instanceof Body body ? body : null;
    }

    String nodeName() {
      return home instanceof RemoteNode peer ? peer.id().name() : ((Body) home).node().name();
    }

    /**
     * Returns whether the object is behind while its node has a backlog, as far as this node knows.
     */
    private boolean isBehind() {
      return switch (home) {
        case Body body -> body.isBehind() && body.node().memory().isFull();
        case RemoteNode peer -> peer.isBacklogged();
        default -> throw new AssertionError(home);
      };
    }
  }

  /**
   * The capacity that a call needs of one queue.
   *
   * @param method the method called
   * @param bound the number of places for calls of this node, or 0
   * @param places the number of places that the call takes; 0 if it only has to keep its order
   * @param needsMemory whether it waits while the object is behind and its node has a backlog
   */
  public record Need(Queue queue, CallMethod method, int bound, int places, boolean needsMemory) {

    /** Returns the need of a call that does not bypass the queue. */
    public static Need of(Queue queue, CallMethod method, int bound, boolean isBacklogged) {
      var isControl = method.isOfBody();
      var places = bound == 0 || isControl ? 0 : 1;
      return new Need(
          queue, method, bound, places, isBacklogged && !isControl && !isRequestUnheld());
    }

    /** Returns the need of a call that only has to keep its order. */
    public static Need ofOrder(Queue queue, CallMethod method, int bound) {
      return new Need(queue, method, bound, 0, false);
    }

    /** Returns the common need of two calls to one queue. */
    public Need plus(Need other) {
      var needs = needsMemory || other.needsMemory;
      return new Need(queue, method, bound, places + other.places, needs);
    }
  }

  /** Returns whether the calls of the current request are exempt from waiting for memory. */
  private static boolean isRequestUnheld() {
    var context = ServiceContext.current();
    return context != null && context.unheld != null && context.unheld == context.request;
  }

  private static void unholdRequest() {
    var context = ServiceContext.current();
    if (context != null) {
      context.unheld = context.request;
    }
  }

  /** The state of one queue. Guarded by the lock. */
  private final class Account {
    final Queue queue;
    final CallMethod method; // the method that opened the account
    final int bound;
    final ArrayDeque<Admission> line = new ArrayDeque<>(0);
    int taken;
    int passes; // how many calls are admitted although the remote node has a backlog
    boolean asked; // whether the remote node was asked to admit a call
    QueueVacancy full; // created when first inspected
    boolean closed;

    Account(Need first) {
      this.queue = first.queue();
      this.method = first.method();
      this.bound = first.bound();
      this.closed = queue.home() instanceof RemoteNode peer && peer.isLost(); // lost before
    }

    boolean hasPlaces(Need need) {
      return closed || need.places() == 0 || taken + need.places() <= bound;
    }

    boolean hasMemory(Need need) {
      return closed || !need.needsMemory() || passes > 0 || !queue.isBehind();
    }

    void take(Need need) {
      taken += closed ? 0 : need.places();
      if (need.needsMemory() && passes > 0) {
        passes--;
      }
    }

    void giveBack(int places) {
      taken = Math.max(0, taken - places);
    }

    /** Asks the remote node to report when it has memory for a call. */
    void askFor(Need need) {
      if (!asked && queue.home() instanceof RemoteNode && !hasMemory(need)) {
        asked = true;
        toAsk.add(queue);
      }
    }

    /** Returns the vacancy that the call at the head of the line waits for. */
    QueueVacancy full(Need need) {
      if (full == null) {
        full = new QueueVacancy(node, queue, method, bound);
      }
      full.places(need.places());
      return full;
    }

    void capacityFreed() {
      if (full != null) {
        full.settle(new Outcome.Success<>(null));
        full = null;
      }
    }
  }

  /** A waiting call. Guarded by the lock. */
  private final class Admission {
    final List<Need> needs;
    final CapacityWait wait;
    final Runnable send; // null: a thread waits, and sends the call itself
    final long bytes; // memory of the deferred call; 0 if a thread waits
    final boolean endsByItself; // at its time limit
    volatile boolean isSending;
    volatile boolean isUnheld; // it need not wait for memory, because that wait would be endless

    Admission(List<Need> needs, String call, Runnable send, long bytes, boolean endsByItself) {
      this.needs = needs;
      this.wait = new CapacityWait(node, call, () -> ResultSources.all(fullFor(this)));
      this.send = send;
      this.bytes = bytes;
      this.endsByItself = endsByItself;
    }

    boolean hasRoom(Account account, Need need) {
      return account.hasPlaces(need) && (isUnheld || account.hasMemory(need));
    }

    boolean hasPlaces() {
      return needs.stream().allMatch(need -> accounts.get(need.queue()).hasPlaces(need));
    }

    boolean mayGo() {
      for (var need : needs) {
        var account = accounts.get(need.queue());
        if (account.line.peek() != this || !hasRoom(account, need)) {
          return false;
        }
      }
      return true;
    }

    List<Queue> queues() {
      return QueueCapacity.queues(needs);
    }
  }

  private static List<Queue> queues(List<Need> needs) {
    return needs.stream().map(Need::queue).toList();
  }

  /** Returns the full queues that hold a call back. */
  private List<FutureResult<?>> fullFor(Admission call) {
    lock.lock();
    try {
      Set<FutureResult<?>> full = new LinkedHashSet<>();
      Set<Admission> seen = new HashSet<>();
      var open = new ArrayDeque<>(List.of(call));
      for (Admission at; (at = open.poll()) != null; ) {
        if (!line.contains(at) || at.isSending || !seen.add(at)) {
          continue;
        }
        for (var need : at.needs) {
          var account = accounts.get(need.queue());
          var head = account.line.peek();
          if (head != at && !head.endsByItself) {
            open.add(head);
          } else if (!at.hasRoom(account, need)) {
            full.add(account.full(need));
          }
        }
      }
      return List.copyOf(full);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether any call waits, so that calls to unbounded queues may have to wait, too. */
  public boolean isCrowded() {
    return isCrowded;
  }

  // Taking

  /**
   * Takes capacity for a call of the current thread, which waits for it.
   *
   * @param call the call, for messages
   * @param nanos the time limit; {@code Long.MAX_VALUE} for none
   * @return whether the call has its capacity; if not, the time limit has expired
   * @throws WaitCycleException if the wait could never end
   * @throws WaitInterruptedException if the thread is interrupted while it waits
   */
  public boolean await(List<Need> needs, String call, long nanos) {
    Admission waiting;
    List<Admission> toSend;
    lock.lock();
    try {
      if (takeAtOnce(needs)) {
        return true;
      }
      waiting = new Admission(needs, call, null, 0, nanos != Long.MAX_VALUE);
      toSend = enqueue(waiting);
    } finally {
      lock.unlock();
    }
    afterwards(toSend);
    var warning = node.timer().schedule(() -> warn(waiting, call), warnMillis, MILLISECONDS);
    try {
      var outcome = waiting.wait.await(nanos);
      if (outcome instanceof Outcome.Failure<Object>(Throwable cycle)) {
        throw new WaitCycleException(cycle.getMessage()); // with the stack of this thread
      }
      if (waiting.isUnheld) {
        unholdRequest();
      }
      return outcome != null || endWait(waiting);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (!endWait(waiting)) {
        throw new WaitInterruptedException(
            call + " was not sent: its thread was interrupted while it waited for room");
      }
      return true; // capacity and interrupt came at the same time
    } catch (RuntimeException | Error cycle) {
      if (endWait(waiting)) {
        giveBack(needs);
      }
      throw cycle;
    } finally {
      warning.cancel(false);
    }
  }

  /** Logs a wait that may be endless in a way that cannot be proved. */
  private void warn(Admission waiting, String call) {
    var full =
        fullFor(waiting).stream().map(FutureResult::describe).collect(Collectors.joining(", "));
    printer.accept(
        ("%s has waited for %d s for %s: no request was taken from there meanwhile. If that object"
                + " waits for the thread that calls, as by Thread.join, neither goes on: call by"
                + " tell(..), or do not join inside the object")
            .formatted(call, MILLISECONDS.toSeconds(warnMillis), full));
  }

  /** Shortens the delay of the warning, and passes its text on, for tests. */
  void warnAfter(long millis, Consumer<String> reader) {
    warnMillis = millis;
    printer = reader;
  }

  /**
   * Takes capacity for calls whose caller does not wait.
   *
   * @param results the results of the calls
   * @param bytes the memory that the calls occupy while they wait
   * @param send sends the calls on another thread when they have their capacity
   * @return whether the calls are deferred; if not, they have their capacity and the caller sends
   *     them
   * @throws RequestDroppedException if the deferred calls occupy too much memory already
   */
  public boolean takeOrDefer(
      List<Need> needs, List<CallResult> results, long bytes, Runnable send) {
    Admission deferred;
    List<Admission> toSend;
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
      var areLimited = results.stream().allMatch(CallResult::isLimited);
      deferred =
          new Admission(needs, call, () -> sendDeferred(needs, results, send), kept, areLimited);
      for (var each : results) {
        each.delegatedTo = deferred.wait;
      }
      toSend = enqueue(deferred);
    } finally {
      lock.unlock();
    }
    afterwards(toSend);
    var awaited = new AtomicInteger(results.size());
    for (var each : results) {
      each.onSettled(
          outcome -> {
            if (awaited.decrementAndGet() == 0 && !deferred.isSending) {
              giveUp(deferred);
            }
          });
    }
    return true;
  }

  /**
   * Removes a deferred call whose results are no longer awaited, so that it holds back no others.
   */
  private void giveUp(Admission deferred) {
    change(
        () -> {
          if (!deferred.isSending && dequeue(deferred)) {
            deferred.wait.settle(new Outcome.Success<>(null));
          }
          return deferred.queues();
        });
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

  /**
   * Returns the error for a caller that does not wait, when deferred calls occupy too much memory.
   */
  public static RequestDroppedException overflow(String call, String what, long kept, long most) {
    return new RequestDroppedException(
        ("%s was not sent: %s keep %d MiB of this node's heap already, of at most %d; wait for"
                + " earlier answers before you ask for more")
            .formatted(call, what, kept >> 20, most >> 20));
  }

  /** Returns the error for a call whose time limit has expired. */
  public static CallTimeoutException timeOut(String call, long nanos) {
    return new CallTimeoutException(
        call
            + " was not sent: its object's queue had no room within "
            + Duration.ofNanos(nanos)
            + ". Give it longer with ref.within(..), or the queue more room");
  }

  private boolean takeAtOnce(List<Need> needs) {
    for (var need : needs) {
      var account = accounts.computeIfAbsent(need.queue(), queue -> new Account(need));
      if (!account.line.isEmpty() || !account.hasPlaces(need) || !account.hasMemory(need)) {
        return false;
      }
    }
    needs.forEach(need -> accounts.get(need.queue()).take(need));
    if (needs.stream().anyMatch(need -> accounts.get(need.queue()).taken == 0)) {
      admit(queues(needs)); // closes the accounts without calls
    }
    return true;
  }

  /** Adds a call to its lines; returns the calls to send, since capacity may have become free. */
  private List<Admission> enqueue(Admission call) {
    isCrowded = true; // set before the accounts are checked again: memory is freed without the lock
    line.add(call);
    for (var need : call.needs) {
      var account = accounts.computeIfAbsent(need.queue(), queue -> new Account(need));
      account.line.add(call);
      account.askFor(need);
    }
    return admit(call.queues());
  }

  /**
   * Runs an action that needs no capacity but must keep its place behind the calls that wait for a
   * queue; at once if none does.
   */
  public void behindWaiting(Queue queue, Runnable action) {
    List<Admission> toSend = null;
    if (isCrowded) {
      lock.lock();
      try {
        var account = accounts.get(queue);
        if (account != null && !account.line.isEmpty()) {
          var need = Need.ofOrder(queue, account.method, account.bound);
          toSend = enqueue(new Admission(List.of(need), "", action, 0, false));
        }
      } finally {
        lock.unlock();
      }
    }
    if (toSend == null) {
      action.run();
    } else {
      afterwards(toSend);
    }
  }

  // Leaving the lines

  /** Removes a call from its lines; returns whether it was in them. */
  private boolean dequeue(Admission call) {
    if (!line.remove(call)) {
      return false;
    }
    isCrowded = !line.isEmpty();
    deferredBytes -= call.bytes;
    for (var queue : call.queues()) {
      accounts.get(queue).line.remove(call);
    }
    return true;
  }

  /** Ends the wait of a thread; returns whether its capacity has been granted nevertheless. */
  private boolean endWait(Admission call) {
    var withdrawn = new Outcome.Failure<Object>(new IllegalStateException("withdrawn"));
    if (!call.wait.settle(withdrawn) && call.wait.outcomeNow() instanceof Outcome.Success) {
      return true;
    }
    change(
        () -> {
          dequeue(call);
          return call.queues();
        });
    return false;
  }

  /** Changes accounts, and admits the calls that can be sent as a result. */
  private void change(Supplier<Collection<Queue>> change) {
    List<Admission> toSend;
    lock.lock();
    try {
      toSend = admit(change.get());
    } finally {
      lock.unlock();
    }
    afterwards(toSend);
  }

  /** Does the work that must not be done under the lock. */
  private void afterwards(List<Admission> toSend) {
    for (var queue = nextToAsk(); queue != null; queue = nextToAsk()) {
      ((RemoteNode) queue.home()).requestCapacity(queue.number());
    }
    if (!toSend.isEmpty()) {
      Thread.startVirtualThread(() -> sendAll(toSend));
    }
  }

  private Queue nextToAsk() {
    lock.lock();
    try {
      return toAsk.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Admits calls at the head of their lines; returns those to send. */
  private List<Admission> admit(Collection<Queue> changed) {
    List<Admission> toSend = new ArrayList<>(0);
    var open = new ArrayDeque<>(changed);
    for (Queue queue; (queue = open.poll()) != null; ) {
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
      } else if (!head.isSending && head.mayGo()) {
        go(head, toSend);
        open.addAll(head.queues());
      } else if (!head.isSending) {
        head.needs.forEach(need -> accounts.get(need.queue()).askFor(need));
      }
    }
    return toSend;
  }

  private void go(Admission call, List<Admission> toSend) {
    call.needs.forEach(need -> accounts.get(need.queue()).take(need));
    call.isSending = true;
    if (call.send != null) {
      toSend.add(call); // it keeps its place until it has been sent
      return;
    }
    dequeue(call);
    if (!call.wait.settle(new Outcome.Success<>(null))) { // it has failed
      call.needs.forEach(need -> accounts.get(need.queue()).giveBack(need.places()));
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
            next.addAll(admit(each.queues()));
          } finally {
            lock.unlock();
          }
          afterwards(List.of());
        }
      }
      calls = next;
    }
  }

  // Giving back

  /**
   * Returns the action that frees the places of a request when it is taken; {@code null} if it has
   * none.
   */
  public Runnable returning(Need need) {
    return need == null || need.places() == 0 ? null : () -> giveBack(need.queue(), need.places());
  }

  /** Frees the capacity of a call that is not sent. */
  public void giveBack(List<Need> needs) {
    needs.forEach(need -> giveBack(need.queue(), need.places()));
  }

  /** Frees places in a queue; calls that took none are not counted. */
  public void giveBack(Queue queue, int places) {
    change(
        () -> {
          var account = accounts.get(queue);
          if (account != null) {
            account.giveBack(places);
            account.capacityFreed();
          }
          return List.of(queue);
        });
  }

  /**
   * Admits calls that were held back for lack of memory.
   *
   * @param home a body that is no longer behind, a remote node, or this node for all of its bodies
   */
  public void memoryFreed(Object home) {
    if (!isCrowded) {
      return;
    }
    change(
        () -> {
          var queues =
              accounts.keySet().stream()
                  .filter(each -> each.home() == home || home == node && each.body() != null)
                  .toList();
          for (var queue : queues) {
            var account = accounts.get(queue);
            account.asked = false;
            account.passes = 0;
            account.capacityFreed();
          }
          return queues;
        });
  }

  /** Admits one call to an object although its node has a backlog. */
  public void mayPass(Queue queue) {
    change(
        () -> {
          var account = accounts.get(queue);
          if (account != null) {
            account.asked = false;
            account.passes = 1;
            account.capacityFreed();
          }
          return List.of(queue);
        });
  }

  /** Closes the queues of a lost node: no call waits for them any more. */
  public void close(RemoteNode home) {
    change(
        () -> {
          var queues = accounts.keySet().stream().filter(each -> each.home() == home).toList();
          for (var queue : queues) {
            var account = accounts.get(queue);
            account.closed = true;
            account.taken = 0;
            account.capacityFreed();
          }
          return queues;
        });
  }

  /**
   * Returns the number of queues of a node that contain calls of this node, or for which calls
   * wait.
   */
  public int accounts(RemoteNode home) {
    lock.lock();
    try {
      return (int) accounts.keySet().stream().filter(each -> each.home() == home).count();
    } finally {
      lock.unlock();
    }
  }

  // Waits that would be for ever

  /** Returns whether a call waits only for memory, and would have its places. */
  public boolean isForMemory(CapacityWait wait) {
    lock.lock();
    try {
      var before = withThoseBefore(wait);
      return !before.isEmpty() && before.stream().allMatch(Admission::hasPlaces);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Admits a call whose wait would be endless, with those before it, if it waits only for memory;
   * returns whether it does.
   */
  public boolean letPass(CapacityWait wait) {
    if (!isForMemory(wait)) {
      return false;
    }
    change(
        () -> {
          var before = withThoseBefore(wait);
          before.forEach(each -> each.isUnheld = true);
          return before.stream().flatMap(each -> each.queues().stream()).toList();
        });
    return true;
  }

  /** Returns a waiting call and all calls that it waits behind; empty if it does not wait. */
  private Set<Admission> withThoseBefore(CapacityWait wait) {
    Set<Admission> before = new LinkedHashSet<>();
    var open = new ArrayDeque<Admission>();
    line.stream().filter(each -> each.wait == wait).forEach(open::add);
    for (Admission at; (at = open.poll()) != null; ) {
      if (before.add(at)) {
        for (var queue : at.queues()) {
          for (var each : accounts.get(queue).line) {
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
}
