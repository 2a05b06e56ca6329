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
 * The room in the queues that calls of one node go to: how much of it is taken, and which calls
 * wait for some. May be shared between threads.
 */
public final class QueueCapacity {

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
   * line. What that amounts to is told to whoever looks for cycles, as queues without room (QueueVacancy), each of which
   * waits for its object to take a request.
   *
   * Where the object's node has a backlog (QueueMemory), calls to queues without bound have an account as well, and wait like others if
   * their object is behind. If that would be for ever, such a call goes, and so does what the same request sends after it: memory
   * is a matter of degree, and an error would break a program that may well have enough.
   *
   * The lock comes after those of inboxes and of Multicasts; nothing is sent under it.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** What a request takes beside its arguments, about. */
  static final long REQUEST_BYTES = 200;

  /**
   * How much is kept of calls that wait and whose callers do not: an eighth of the heap. Those
   * callers have no other bound.
   */
  public static final long MOST_DEFERRED_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private final NodeObjects node;
  private final ReentrantLock lock = new ReentrantLock();

  // Under the lock
  private final Map<Queue, Account> accounts = new HashMap<>();
  private final Set<Admission> line = new LinkedHashSet<>(); // of all that wait
  private final ArrayDeque<Queue> toAsk = new ArrayDeque<>(); // their nodes, for memory
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
   * @param home the body if it is of this node, else the peer
   * @param number 0, or by which the peer knows the object
   */
  public record Queue(Object home, long number) {

    public static Queue of(Reference.Target target) {
      return switch (target) {
        case Reference.Target.Here(Body body) -> new Queue(body, 0);
        case Reference.Target.Elsewhere elsewhere ->
            new Queue(elsewhere.home(), elsewhere.number());
      };
    }

    /** The body that takes requests from the queue, if it is of this node. */
    public Body body() {
      return home instanceof Body body ? body : null;
    }

    String nodeName() {
      return home instanceof RemoteNode peer ? peer.id().name() : ((Body) home).node().name();
    }

    /** Says whether the object is behind while its node has a backlog, as far as is known here. */
    private boolean isBehind() {
      return switch (home) {
        case Body body -> body.isBehind() && body.node().memory().isFull();
        case RemoteNode peer -> peer.isBacklogged();
        default -> throw new AssertionError(home);
      };
    }
  }

  /**
   * What a call needs of one queue.
   *
   * @param method the method called
   * @param bound how many places it has for calls of this node, or 0
   * @param places how many the call takes; none if it only has to keep its order
   * @param needsMemory whether it waits while the object is behind and its node has a backlog
   */
  public record Need(Queue queue, CallMethod method, int bound, int places, boolean needsMemory) {

    /** What a call needs that does not pass the queue. */
    public static Need of(Queue queue, CallMethod method, int bound, boolean isBacklogged) {
      var isControl = method.isOfBody();
      var places = bound == 0 || isControl ? 0 : 1;
      return new Need(
          queue, method, bound, places, isBacklogged && !isControl && !isRequestUnheld());
    }

    /** What a call needs that only has to keep its order. */
    public static Need ofOrder(Queue queue, CallMethod method, int bound) {
      return new Need(queue, method, bound, 0, false);
    }

    /** The same for more calls. */
    public Need plus(Need other) {
      var needs = needsMemory || other.needsMemory;
      return new Need(queue, method, bound, places + other.places, needs);
    }
  }

  /** Says whether what the current request sends is no longer held back for want of memory. */
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

  /** What is known of one queue. Under the lock. */
  private final class Account {
    final Queue queue;
    final CallMethod method; // that opened the account
    final int bound;
    final ArrayDeque<Admission> line = new ArrayDeque<>(0);
    int taken;
    int passes; // how many calls may go although the other node has a backlog
    boolean asked; // the other node, for a pass
    QueueVacancy full; // as long as somebody has looked at it
    boolean closed;

    Account(Need first) {
      this.queue = first.queue();
      this.method = first.method();
      this.bound = first.bound();
      this.closed = queue.home() instanceof RemoteNode peer && peer.isLost(); // close came before
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

    /** Notes that the other node is to tell when there is memory for a call. */
    void askFor(Need need) {
      if (!asked && queue.home() instanceof RemoteNode && !hasMemory(need)) {
        asked = true;
        toAsk.add(queue);
      }
    }

    /** What the call at the head of the line waits for. */
    QueueVacancy full(Need need) {
      if (full == null) {
        full = new QueueVacancy(node, queue, method, bound);
      }
      full.places(need.places());
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
    final CapacityWait wait;
    final Runnable send; // null: a thread waits, and sends it itself
    final long bytes; // kept for it; 0 if a thread waits
    final boolean endsByItself; // after some time
    volatile boolean isSending;
    volatile boolean isUnheld; // by want of memory, which would be for ever

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

  /** The queues without room that keep a call back. */
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

  /** Says whether any call waits; so that those that go to queues without bound may have to. */
  public boolean isCrowded() {
    return isCrowded;
  }

  // Taking

  /**
   * Takes room for a call of the current thread, which waits for it.
   *
   * @param call for messages
   * @param nanos how long it may wait; {@code Long.MAX_VALUE} for ever
   * @return whether it has its room; if not, the time is over
   * @throws WaitCycleException if the room could never come
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
        throw new WaitCycleException(cycle.getMessage()); // with this thread's stack
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
      return true; // both came at the same time
    } catch (RuntimeException | Error cycle) {
      if (endWait(waiting)) {
        giveBack(needs);
      }
      throw cycle;
    } finally {
      warning.cancel(false);
    }
  }

  /** The wait may be for ever in a way that cannot be proved. */
  private void warn(Admission waiting, String call) {
    var full =
        fullFor(waiting).stream().map(FutureResult::describe).collect(Collectors.joining(", "));
    printer.accept(
        ("%s has waited for %d s for %s: no request was taken from there meanwhile. If that object"
                + " waits for the thread that calls, as by Thread.join, neither goes on: call by"
                + " tell(..), or do not join inside the object")
            .formatted(call, MILLISECONDS.toSeconds(warnMillis), full));
  }

  /** For tests, which do not wait so long, and read what is printed. */
  void warnAfter(long millis, Consumer<String> reader) {
    warnMillis = millis;
    printer = reader;
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
   * Nobody wants the answers of a call any more that has not been sent: it keeps back no others.
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

  /** The error for a caller that does not wait when too much is kept for such callers. */
  public static RequestDroppedException overflow(String call, String what, long kept, long most) {
    return new RequestDroppedException(
        ("%s was not sent: %s keep %d MiB of this node's heap already, of at most %d; wait for"
                + " earlier answers before you ask for more")
            .formatted(call, what, kept >> 20, most >> 20));
  }

  /** The error for a caller whose time is over. */
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
      admit(queues(needs)); // closes the accounts that nothing was taken of
    }
    return true;
  }

  /** Lets a call stand in line; returns what is to be sent, as room may have come meanwhile. */
  private List<Admission> enqueue(Admission call) {
    isCrowded = true; // before anything is looked at again: memory is freed without the lock
    line.add(call);
    for (var need : call.needs) {
      var account = accounts.computeIfAbsent(need.queue(), queue -> new Account(need));
      account.line.add(call);
      account.askFor(need);
    }
    return admit(call.queues());
  }

  /**
   * Runs what has to keep its place behind the calls to a queue that wait, without room of its own:
   * at once if none does.
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

  /** Takes a call out of its lines; says whether it was there. */
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

  /** A thread waits no longer; says whether its room has come all the same. */
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

  /** Changes accounts, and lets calls go that may go then. */
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

  /** Does what is not done under the lock. */
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

  /** Lets calls go that are at the head of their lines; returns those that are to be sent. */
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
          account.roomCame();
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
      toSend.add(call); // and stays where it is until it has gone
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

  /** What a request gives its places back with, when it is taken; {@code null} if it has none. */
  public Runnable returning(Need need) {
    return need == null || need.places() == 0 ? null : () -> giveBack(need.queue(), need.places());
  }

  /** Gives back what a call has taken that does not go. */
  public void giveBack(List<Need> needs) {
    needs.forEach(need -> giveBack(need.queue(), need.places()));
  }

  /** Gives back places in a queue; those of calls that took none are not counted. */
  public void giveBack(Queue queue, int places) {
    change(
        () -> {
          var account = accounts.get(queue);
          if (account != null) {
            account.giveBack(places);
            account.roomCame();
          }
          return List.of(queue);
        });
  }

  /**
   * There is memory for calls that were held back.
   *
   * @param home a body that is no longer behind, a peer, or this node for all of its bodies
   */
  public void memoryCame(Object home) {
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
            account.roomCame();
          }
          return queues;
        });
  }

  /** One call may go to an object although its node has a backlog. */
  public void mayPass(Queue queue) {
    change(
        () -> {
          var account = accounts.get(queue);
          if (account != null) {
            account.asked = false;
            account.passes = 1;
            account.roomCame();
          }
          return List.of(queue);
        });
  }

  /** The queues of a node are gone: no call waits for them any more. */
  public void close(RemoteNode home) {
    change(
        () -> {
          var queues = accounts.keySet().stream().filter(each -> each.home() == home).toList();
          for (var queue : queues) {
            var account = accounts.get(queue);
            account.closed = true;
            account.taken = 0;
            account.roomCame();
          }
          return queues;
        });
  }

  /** How many queues of a node calls of this one are in, or wait for. */
  public int accounts(RemoteNode home) {
    lock.lock();
    try {
      return (int) accounts.keySet().stream().filter(each -> each.home() == home).count();
    } finally {
      lock.unlock();
    }
  }

  // Waits that would be for ever

  /** Says whether a call waits for want of memory, and would have its places. */
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
   * Lets a call go that would wait for ever, with those before it, if it waits only for want of
   * memory; says whether it does.
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

  /** A call that waits, and all that it waits behind; none if it does not wait. */
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
