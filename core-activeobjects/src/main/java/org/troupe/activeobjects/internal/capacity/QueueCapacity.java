package org.troupe.activeobjects.internal.capacity;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.RequestDroppedException;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyHost;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.CapacityPeer;
import org.troupe.activeobjects.internal.body.QueueMemory;
import org.troupe.activeobjects.internal.body.QueuePlace;
import org.troupe.activeobjects.internal.body.ReportedResult;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.capacity.AdmissionTable.Admission;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;
import org.troupe.futures.WaitInterruptedException;

/**
 * The capacity of the queues to which one node sends calls: the places in use, and the calls that
 * wait for one. Thread-safe.
 */
public final class QueueCapacity implements QueueMemory.Listener {

  /*
   * Design: admission of calls to bounded queues
   *
   * Accounts. A bounded queue has an account (AdmissionTable) while calls of this node are in it or wait for
   * it. The account counts the places in use.
   *
   * Lines. A waiting call joins the lines of all queues that it goes to in one step, so the lines of any two
   * queues agree on the order of the calls in both. A call at the head of all its lines takes all its places
   * in one step. Invariant: no call holds a place while it waits for another, so two multicasts cannot block
   * each other.
   *
   * Deferred calls. A call whose caller must not wait joins the lines like any other, and a virtual thread
   * sends it when it has its places. It leaves its lines only after it has been sent, so later calls to the
   * same object stay behind it.
   *
   * Deadlock detection. A waiting call depends on every queue that has no place for it and, at a queue that
   * has one, on the call at the head of the line. The detector sees these dependencies as vacancies of full
   * queues (QueueVacancy), each of which waits for its object to take a request.
   *
   * Moved objects. A place moves along with its request, and the node that takes the request gives it back. A place
   * whose request was lost with a node would never come back. After a death this node therefore forgets the places that it
   * holds in queues of moved objects, so that such a queue may exceed its bound once, by as many.
   *
   * Memory. While the object's node has a backlog (QueueMemory), calls to unbounded queues have an account,
   * too, and wait like others if their object is behind. If such a wait were endless, the call is admitted,
   * and so is everything that the same request sends afterwards: memory is a soft limit, and an error would
   * break a program that may well have enough.
   *
   * Locks. The lock guards the table. It is acquired after those of inboxes and of CausalOrder; nothing is
   * sent while it is held.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /**
   * The limit on the memory of deferred calls: an eighth of the heap. No other limit applies to
   * callers that do not wait.
   */
  public static final long MOST_DEFERRED_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private final BodyHost node;
  private final FutureRuntime waiting;
  private final LongSupplier ids;
  private final ReentrantLock lock = new ReentrantLock();
  private final AdmissionTable table; // guarded by the lock
  private volatile long warnMillis = 10_000;
  private volatile Consumer<String> printer = text -> LOG.log(Level.WARNING, text);

  /**
   * Creates the capacity that no call has taken yet.
   *
   * @param waiting the actions of a thread that waits for capacity
   * @param ids returns a new number, unique on the node
   */
  public QueueCapacity(BodyHost node, FutureRuntime waiting, LongSupplier ids) {
    this.node = node;
    this.waiting = waiting;
    this.ids = ids;
    this.table = new AdmissionTable(waiting);
  }

  private Admission newAdmission(
      List<CapacityNeed> needs,
      String call,
      @Nullable Runnable send,
      long bytes,
      boolean isLimited) {
    return new Admission(
        needs,
        admission ->
            new CapacityWait(
                waiting,
                node.failures(),
                ServiceContext.currentBody(node),
                ids.getAsLong(),
                call,
                () -> ResultSources.all(vacanciesFor(admission))),
        send,
        bytes,
        isLimited);
  }

  private List<FutureResult<?>> vacanciesFor(Admission call) {
    lock.lock();
    try {
      return table.vacanciesFor(call);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether any call waits, so that calls to unbounded queues may have to wait, too. */
  public boolean isCrowded() {
    return table.isCrowded();
  }

  // Acquiring

  /**
   * Acquires capacity for a call of the current thread, which waits for it.
   *
   * @param call the call, for messages
   * @param nanos the time limit; {@code Long.MAX_VALUE} for none
   * @return whether the call has its capacity; if not, the time limit has expired
   * @throws OverloadedException if a queue is full and refuses calls
   * @throws WaitCycleException if the wait could never end
   * @throws WaitInterruptedException if the thread is interrupted while it waits
   */
  public boolean acquire(List<CapacityNeed> needs, String call, long nanos) {
    Admission waiting;
    List<Admission> toSend;
    lock.lock();
    try {
      if (table.takeAtOnce(needs)) {
        return true;
      }
      throwIfRefused(needs);
      waiting = newAdmission(needs, call, null, 0, nanos != Long.MAX_VALUE);
      toSend = table.enqueue(waiting);
    } finally {
      lock.unlock();
    }
    afterwards(toSend);
    var warning = node.timer().schedule(() -> warn(waiting, call), warnMillis, MILLISECONDS);
    try {
      var outcome = waiting.wait.await(nanos);
      if (outcome instanceof Outcome.Failure<Object>(Throwable cycle)) {
        throw new WaitCycleException(
            String.valueOf(cycle.getMessage())); // with the stack of this thread
      }
      if (waiting.isExemptFromMemory) {
        ServiceContext.exemptFromMemory();
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
        release(needs);
      }
      throw cycle;
    } finally {
      warning.cancel(false);
    }
  }

  /** Throws if a call without capacity is refused; called with the lock. */
  private void throwIfRefused(List<CapacityNeed> needs) {
    for (var refusal : table.refusals(needs).values()) {
      throw refusal;
    }
  }

  /** Returns the queues that would refuse a call now, with the errors. */
  public Map<CallQueue, OverloadedException> refusals(List<CapacityNeed> needs) {
    lock.lock();
    try {
      return table.refusals(needs);
    } finally {
      lock.unlock();
    }
  }

  /** Logs a wait that may be endless in a way that cannot be proved. */
  private void warn(Admission waiting, String call) {
    var full =
        vacanciesFor(waiting).stream()
            .map(FutureResult::describe)
            .collect(Collectors.joining(", "));
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
   * Acquires capacity for calls whose caller does not wait.
   *
   * @param results the results of the calls
   * @param bytes the memory that the calls occupy while they wait
   * @param send sends the calls on another thread when they have their capacity
   * @return whether the calls are deferred; if not, they have their capacity and the caller sends
   *     them
   * @throws OverloadedException if a queue is full and refuses calls
   * @throws RequestDroppedException if the deferred calls occupy too much memory already
   */
  public boolean acquireOrDefer(
      List<CapacityNeed> needs,
      List<? extends ReportedResult<Object>> results,
      long bytes,
      Runnable send) {
    Admission deferred;
    List<Admission> toSend;
    lock.lock();
    try {
      if (table.takeAtOnce(needs)) {
        return false;
      }
      throwIfRefused(needs);
      var kept = bytes + results.size() * CallRequest.REQUEST_BYTES;
      var deferredBytes = table.deferredBytes();
      var call = results.getFirst().describe();
      if (deferredBytes > 0 && deferredBytes + kept > MOST_DEFERRED_BYTES) {
        table.admit(AdmissionTable.queues(needs)); // closes the accounts that were opened for this
        throw overflow(
            call, "calls that wait for room in queues", deferredBytes, MOST_DEFERRED_BYTES);
      }
      var areLimited = results.stream().allMatch(ReportedResult::isLimited);
      deferred =
          newAdmission(needs, call, () -> sendDeferred(needs, results, send), kept, areLimited);
      results.forEach(each -> each.dependsOn(deferred.wait));
      toSend = table.enqueue(deferred);
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
   * Acquires capacity for a call that may have been accepted before, and that its object would miss
   * if it were not sent: it is neither refused nor limited by the memory of deferred calls.
   *
   * @param call the call, for messages
   * @param result of the call; {@code null} for a one-way call
   * @param bytes the memory that the call occupies while it waits
   * @param send sends the call on another thread when it has its capacity; an exception of it is
   *     the outcome of the call
   * @return whether the call is deferred; if not, it has its capacity and the caller sends it
   */
  public boolean acquireOrDefer(
      CapacityNeed need,
      String call,
      @Nullable ReportedResult<Object> result,
      long bytes,
      Runnable send) {
    var needs = List.of(need);
    List<Admission> toSend;
    lock.lock();
    try {
      if (table.takeAtOnce(needs)) {
        return false;
      }
      var kept = bytes + CallRequest.REQUEST_BYTES;
      var deferred =
          newAdmission(needs, call, () -> sendAgain(need, call, result, send), kept, false);
      if (result != null) {
        result.dependsOn(deferred.wait);
      }
      toSend = table.enqueue(deferred);
    } finally {
      lock.unlock();
    }
    afterwards(toSend);
    return true;
  }

  private void sendAgain(
      CapacityNeed need, String call, @Nullable ReportedResult<Object> result, Runnable send) {
    if (result != null) {
      result.dependsOn(null);
    }
    try {
      send.run();
    } catch (RuntimeException | Error failure) {
      release(List.of(need));
      if (result == null) {
        node.failures().report(null, call, failure);
      } else {
        result.settle(new Outcome.Failure<>(failure));
      }
    }
  }

  /**
   * Removes a deferred call whose results are no longer awaited, so that it holds back no others.
   */
  private void giveUp(Admission deferred) {
    change(
        () -> {
          if (!deferred.isSending && table.dequeue(deferred)) {
            deferred.wait.grant();
          }
          return deferred.queues();
        });
  }

  private void sendDeferred(
      List<CapacityNeed> needs, List<? extends ReportedResult<Object>> results, Runnable send) {
    results.forEach(each -> each.dependsOn(null));
    if (results.stream().noneMatch(FutureResult::isAwaited)) { // all were given up
      release(needs);
      return;
    }
    try {
      send.run();
    } catch (RuntimeException | Error failure) {
      release(needs);
      results.forEach(each -> each.settle(new Outcome.Failure<>(unsent(each, failure))));
    }
  }

  private static Throwable unsent(FutureResult<?> result, Throwable failure) {
    return failure instanceof NodeLostException lost
        ? new NodeLostException(
            lost.getMessage() + "; " + result.describe() + " was not sent",
            lost.exitReport().orElse(null))
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

  /**
   * Runs an action that needs no capacity but must keep its place behind the calls that wait for a
   * queue; at once if none does.
   */
  public void runBehindWaiting(CallQueue queue, Runnable action) {
    @Nullable List<Admission> toSend = null;
    if (isCrowded()) {
      lock.lock();
      try {
        var need = table.needOfOrder(queue);
        if (need != null) {
          toSend = table.enqueue(newAdmission(List.of(need), "", action, 0, false));
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

  /** Ends the wait of a thread; returns whether its capacity has been granted nevertheless. */
  private boolean endWait(Admission call) {
    var withdrawn = new Outcome.Failure<Object>(new IllegalStateException("withdrawn"));
    if (!call.wait.settle(withdrawn) && call.wait.outcomeNow() instanceof Outcome.Success) {
      return true;
    }
    change(
        () -> {
          table.dequeue(call);
          return call.queues();
        });
    return false;
  }

  /** Changes the table, and admits the calls that can be sent as a result. */
  private void change(Supplier<Collection<CallQueue>> change) {
    List<Admission> toSend;
    lock.lock();
    try {
      toSend = table.admit(change.get());
    } finally {
      lock.unlock();
    }
    afterwards(toSend);
  }

  /** Does the work that must not be done under the lock. */
  private void afterwards(List<Admission> toSend) {
    for (var queue = nextToAsk(); queue != null; queue = nextToAsk()) {
      ((CapacityPeer) queue.home()).requestCapacity(queue.number());
    }
    if (!toSend.isEmpty()) {
      Thread.startVirtualThread(() -> sendAll(toSend));
    }
  }

  private @Nullable CallQueue nextToAsk() {
    lock.lock();
    try {
      return table.nextToAsk();
    } finally {
      lock.unlock();
    }
  }

  private void sendAll(List<Admission> first) {
    for (var calls = first; !calls.isEmpty(); ) {
      List<Admission> next = new ArrayList<>(0);
      for (var each : calls) {
        try {
          Objects.requireNonNull(each.send, "a deferred call").run();
        } catch (RuntimeException | Error failure) { // the calls behind it are sent
          node.failures().background("sending a call that waited for room", failure);
        } finally {
          lock.lock();
          try {
            table.dequeue(each);
            each.wait.grant();
            next.addAll(table.admit(each.queues()));
          } finally {
            lock.unlock();
          }
          afterwards(List.of());
        }
      }
      calls = next;
    }
  }

  // Releasing

  /**
   * Returns the action that frees the places of a request when it is taken; {@code null} if it has
   * none.
   */
  public @Nullable QueuePlace releaseOf(@Nullable CapacityNeed need) {
    return need == null || need.places() == 0 ? null : () -> release(need.queue(), need.places());
  }

  /** Frees the capacity of a call that is not sent. */
  public void release(List<CapacityNeed> needs) {
    needs.forEach(need -> release(need.queue(), need.places()));
  }

  /** Frees places in a queue; calls that took none are not counted. */
  public void release(CallQueue queue, int places) {
    change(
        () -> {
          table.release(queue, places);
          return List.of(queue);
        });
  }

  /** Admits calls to all bodies of this node that were held back for lack of memory. */
  @Override
  public void memoryFreed() {
    memoryFreed(queue -> queue.body() != null);
  }

  /** Admits calls to a body that were held back for lack of memory. */
  @Override
  public void caughtUp(Body body) {
    memoryFreed(queue -> queue.home() == body);
  }

  /** Admits calls to another node that were held back for lack of memory. */
  public void memoryFreed(CapacityPeer home) {
    memoryFreed(queue -> queue.home() == home);
  }

  private void memoryFreed(Predicate<CallQueue> isAffected) {
    if (isCrowded()) {
      change(() -> table.memoryFreed(isAffected));
    }
  }

  /** Admits one call to an object although its node has a backlog. */
  public void grant(CallQueue queue) {
    change(
        () -> {
          table.grant(queue, 1);
          return List.of(queue);
        });
  }

  /**
   * Closes the queues of a lost node: no call waits for them any more. Objects that were created
   * there may have moved before this node hears of it; of their queues it only forgets the places,
   * which may be lost.
   */
  public void close(CapacityPeer home) {
    change(() -> table.close(queue -> queue.home() == home && queue.isOfLostNode()));
    change(() -> table.forget(queue -> queue.home() == home && !queue.isOfLostNode()));
  }

  /** Closes the queue of an object that is lost: no call waits for it any more. */
  public void close(CallQueue lost) {
    change(() -> table.close(lost::equals));
  }

  /** Forgets the places of calls in a queue, of which some may be lost. */
  public void forget(CallQueue queue) {
    release(queue, Integer.MAX_VALUE);
  }

  /**
   * Returns the number of queues of a node that contain calls of this node, or for which calls
   * wait.
   */
  public int accounts(CapacityPeer home) {
    lock.lock();
    try {
      return table.accounts(home);
    } finally {
      lock.unlock();
    }
  }

  // Endless waits

  /** Returns whether a call waits only for memory, and would have its places. */
  public boolean isOnlyForMemory(CapacityWait wait) {
    lock.lock();
    try {
      var before = table.withThoseBefore(wait);
      return !before.isEmpty() && before.stream().allMatch(table::hasPlaces);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Admits a call whose wait would be endless, with those before it, if it waits only for memory;
   * returns whether it does.
   */
  public boolean exemptFromMemory(CapacityWait wait) {
    if (!isOnlyForMemory(wait)) {
      return false;
    }
    change(
        () -> {
          var before = table.withThoseBefore(wait);
          before.forEach(each -> each.isExemptFromMemory = true);
          return before.stream().flatMap(each -> each.queues().stream()).toList();
        });
    return true;
  }
}
