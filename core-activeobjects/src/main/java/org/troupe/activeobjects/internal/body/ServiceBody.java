package org.troupe.activeobjects.internal.body;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.futures.FutureRuntime;

/** A body whose object serves its requests in a loop of its own. */
final class ServiceBody extends Body implements RequestQueue {

  /*
   * Design: the service loop
   *
   * The loop runs on a platform thread: the kind of thread can be chosen only once, and a loop that computes
   * between its requests would withhold a carrier from all virtual threads. Stages and other tasks are not
   * requests that the loop could choose. They run first whenever the loop accesses its queue, except those
   * that belong behind certain requests.
   *
   * Departures. While the object is to leave the node, the queue tells a resumable loop that it is closed. When the
   * loop has returned, its thread makes the image at the next safe point and waits. Either the departure is cancelled,
   * and the thread enters the loop again, or the object has left and the thread ends. From then on the queue is a
   * list of requests to be forwarded, which a virtual thread empties whenever one is added. The calls that
   * were queued go to that list first, followed by the end, if the object is to end; both happen under the lock, before
   * anything that is added later.
   */
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final LinkedList<CallRequest> calls = new LinkedList<>();
  private final LinkedList<QueuedRequest> tasks = new LinkedList<>();
  private final List<Behind> behind = new LinkedList<>();
  private boolean open = true; // until terminate()
  private boolean suspended; // for a restart; the loop sees no request
  private boolean dying; // told to end before it serves the queued requests
  private boolean isLoopToReturn; // the loop was told so because the object is to leave
  private final LinkedList<QueuedRequest> onward = new LinkedList<>(); // to the next node
  private boolean isQueueOnward; // whether the calls are in that list
  private boolean isForwarding; // whether a thread empties that list
  private int uncounted; // bytes below the next chunk of memory
  private int fruitlessRounds; // rounds that called isOpen and served nothing; guarded by the lock
  private volatile long arrivals; // written under the lock
  private volatile boolean hasServed; // written by the thread of the loop
  private @Nullable ServiceContext context; // accessed only by the thread of the loop
  private volatile boolean isAwaitingRequest; // written by the thread of the loop

  /**
   * How often isOpen returns true without a request being served in between, while requests sent
   * before {@code terminate()} still wait. More than once, because a loop may call it twice in a
   * round; not for ever, because its filter may match none of them.
   */
  private static final int FRUITLESS_ROUNDS = 2;

  /** A task, and the requests that have to begin before it. */
  private record Behind(QueuedRequest.Task task, List<CallRequest> older) {

    /** Returns whether a request has to begin before the task. */
    boolean holds(CallRequest call) {
      return task.keeps(call) && !older.contains(call);
    }
  }

  ServiceBody(BodyHost node, ActiveType<?> type, Options options) {
    super(node, type, options);
  }

  @Override
  void begin(@Nullable QueuedRequest first) {
    if (first != null) {
      lock.lock(); // the constructor may have published the body
      try {
        tasks.addFirst(first);
      } finally {
        lock.unlock();
      }
    }
    node().platformThreads().execute(this::run);
  }

  private void run() {
    var own = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
    context = own;
    try {
      if (!hasEnded()) { // its constructor may have failed
        do {
          runTasks();
          ((Service) Objects.requireNonNull(target())).serve(this);
        } while (returnedToLeave() && stays());
      }
    } catch (InterruptedException e) {
      // An interrupt of the loop means that it should end.
    } catch (Throwable failure) {
      var serve = type().name() + ".serve(..)";
      fail(serve + " threw " + FailureSummary.line(failure), own);
      node().failures().background(serve + " of " + this, failure);
    } finally {
      if (isSuspended()) {
        own.leave();
        stopped();
      } else if (hasLeft()) {
        own.leave();
      } else {
        finish();
        refuseAll();
        own.leave();
      }
    }
  }

  /** Returns whether the loop was told to return because the object is to leave. */
  private boolean returnedToLeave() {
    lock.lock();
    try {
      return isLoopToReturn && !suspended;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the image of an object whose loop has returned, and waits until it has left.
   *
   * @return whether it stays, so that the loop is to be entered again
   */
  private boolean stays() throws InterruptedException {
    for (; ; ) {
      var seenArrivals = arrivals();
      runTasks();
      var departure = departure();
      if (departure == null) {
        enterAgain();
        return true;
      }
      if (departure.isCompleted()) {
        forwardQueue();
        return false;
      }
      if (departures().obstacle() == null) {
        departure.reachedSafePoint();
      }
      waitForArrival(seenArrivals, Long.MAX_VALUE);
    }
  }

  private void enterAgain() {
    List<CallRequest> immediate = new ArrayList<>();
    lock.lock();
    try {
      isLoopToReturn = false;
      fruitlessRounds = 0;
      for (var all = calls.iterator(); all.hasNext(); ) {
        var each = all.next();
        if (isImmediate(each)) { // queued while the object was about to leave
          all.remove();
          immediate.add(each);
        }
      }
    } finally {
      lock.unlock();
    }
    immediate.forEach(this::put);
  }

  private boolean isImmediate(CallRequest call) {
    return type().scheduling().rule(call.method) instanceof ServicePolicy.Rule.AtOnce;
  }

  /** Forwards what is queued when the object has left. */
  private void forwardQueue() {
    lock.lock();
    try {
      addOnward(null);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds the queued requests, and a further one if there is one, to those to be forwarded; under
   * the lock.
   */
  private void addOnward(@Nullable QueuedRequest request) {
    if (!isQueueOnward) {
      isQueueOnward = true;
      onward.addAll(calls);
      calls.clear();
      if (!open) {
        onward.add(new QueuedRequest.Termination());
      }
    }
    if (request != null) {
      onward.add(request);
    }
    if (!isForwarding && !onward.isEmpty()) {
      isForwarding = true;
      Thread.startVirtualThread(this::forwardAll);
    }
  }

  private void forwardAll() {
    var own = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
    var departure = Objects.requireNonNull(departure(), "the departure of an object that has left");
    for (var next = nextOnward(); next != null; next = nextOnward()) {
      if (hasEnded()) {
        next.refuse(this);
      } else if (next instanceof QueuedRequest.Task task) {
        task.serve(this, own);
      } else {
        departure.forward(next);
      }
    }
    own.leave();
  }

  private @Nullable QueuedRequest nextOnward() {
    lock.lock();
    try {
      isForwarding = !onward.isEmpty();
      return onward.poll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isSuspended() {
    lock.lock();
    try {
      return suspended;
    } finally {
      lock.unlock();
    }
  }

  @Override
  void suspend(boolean isInTurn) {
    lock.lock();
    try {
      suspended = true;
      arrivals++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  void resume(@Nullable QueuedRequest first) {
    lock.lock();
    try {
      suspended = false;
      fruitlessRounds = 0;
    } finally {
      lock.unlock();
    }
    begin(first);
  }

  @Override
  void endStopped() {
    Thread.startVirtualThread(
        () -> {
          var own = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
          finish();
          refuseAll();
          own.leave();
        });
  }

  @Override
  public void put(QueuedRequest request) {
    if (request instanceof CallRequest call && isImmediate(call) && putImmediate(call)) {
      return;
    }
    lock.lock();
    try {
      if (hasLeft()) {
        addOnward(request);
        return;
      }
      if (!hasEnded()) {
        switch (request) {
          case CallRequest call when call.method.isOfBody() -> tasks.add(call);
          case CallRequest call when open -> {
            call.count(uncounted, call.bytes());
            uncounted = call.rest();
            if (call.chunks() != 0) {
              node().memory().queued(this, call.chunks());
            }
            calls.add(call);
          }
          case CallRequest call -> Thread.startVirtualThread(() -> call.refuse(this));
          case QueuedRequest.Termination end -> open = false;
          case QueuedRequest.Task task when !older(task).isEmpty() ->
              behind.add(new Behind(task, older(task)));
          default -> tasks.add(request);
        }
        arrivals++;
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    Thread.startVirtualThread(() -> request.refuse(this)); // sending the answer may block
  }

  private List<CallRequest> older(QueuedRequest.Task task) {
    return calls.stream().filter(task::staysBehind).toList();
  }

  @Override
  void die() {
    List<CallRequest> unserved;
    lock.lock();
    try {
      open = false;
      dying = true;
      if (hasLeft()) {
        addOnward(isQueueOnward ? new QueuedRequest.Termination() : null);
        return;
      }
      unserved = List.copyOf(calls);
      calls.clear();
      arrivals++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (!unserved.isEmpty()) {
      Thread.startVirtualThread(() -> unserved.forEach(each -> each.refuse(this)));
    }
  }

  @Override
  void released() {
    lock.lock();
    try {
      arrivals++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int queued() {
    lock.lock();
    try {
      return calls.size() + onward.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDying() {
    lock.lock();
    try {
      return dying;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean hasServed() {
    return hasServed;
  }

  @Override
  void servedBeside() {
    hasServed = true;
  }

  @Override
  public boolean takeServed() {
    var served = hasServed;
    hasServed = false;
    return served;
  }

  @Override
  public boolean canDepart() {
    return type().scheduling().isResumable();
  }

  @Override
  public void forEachQueued(int most, Consumer<? super CallRequest> consumer) {
    List<CallRequest> first;
    lock.lock();
    try {
      first = calls.stream().limit(most).toList();
    } finally {
      lock.unlock();
    }
    first.forEach(consumer);
  }

  @Override
  public @Nullable RequestInService inService() {
    return RequestInService.in(context);
  }

  @Override
  public String threads() {
    return "a platform thread for its service loop";
  }

  @Override
  public boolean isInOwnLoop() {
    return context != null && !isAwaitingRequest && !hasEnded() && !hasLeft();
  }

  @Override
  boolean isSequential() {
    return false; // while its loop is blocked, terminateNow still ends the calls that wait for it
  }

  private void refuseAll() {
    List<QueuedRequest> left = new ArrayList<>();
    lock.lock();
    try {
      left.addAll(tasks);
      behind.forEach(each -> left.add(each.task));
      left.addAll(calls);
      tasks.clear();
      behind.clear();
      calls.clear();
    } finally {
      lock.unlock();
    }
    left.forEach(each -> each.refuse(this));
  }

  /** Returns the context of the loop, whose thread alone calls this. */
  private ServiceContext context() {
    return Objects.requireNonNull(context, "the context of the loop");
  }

  private void runTasks() {
    for (; ; ) {
      QueuedRequest task;
      lock.lock();
      try {
        task = nextTask();
      } finally {
        lock.unlock();
      }
      if (task == null) {
        return;
      }
      hasServed = true;
      task.serve(this, context());
    }
  }

  private @Nullable QueuedRequest nextTask() {
    if (!tasks.isEmpty()) {
      return tasks.removeFirst();
    }
    for (var all = behind.iterator(); all.hasNext(); ) {
      var each = all.next();
      if (Collections.disjoint(calls, each.older)) {
        all.remove();
        return each.task;
      }
    }
    return null;
  }

  // The view of the service loop

  @Override
  public boolean isOpen() {
    lock.lock();
    try {
      return !suspended
          && (open || !calls.isEmpty() && fruitlessRounds++ < FRUITLESS_ROUNDS)
          && !isToLeave();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether the loop is to return because the object leaves, and records that it was told.
   */
  private boolean isToLeave() {
    var isToLeave = departure() != null;
    isLoopToReturn |= isToLeave;
    return isToLeave;
  }

  @Override
  public int size() {
    lock.lock();
    try {
      return calls.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Request> pending() {
    lock.lock();
    try {
      return List.copyOf(calls);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean serveOldest(Predicate<Request> filter) throws InterruptedException {
    return serve(taken(filter, true, Long.MAX_VALUE));
  }

  @Override
  public boolean serveOldest(Predicate<Request> filter, Duration timeout)
      throws InterruptedException {
    return serve(taken(filter, true, FutureRuntime.nanos(timeout)));
  }

  @Override
  public boolean serveYoungest(Predicate<Request> filter) throws InterruptedException {
    return serve(taken(filter, false, Long.MAX_VALUE));
  }

  @Override
  public boolean tryServeOldest(Predicate<Request> filter) throws InterruptedException {
    return serve(taken(filter, true, 0));
  }

  @Override
  public boolean tryServeYoungest(Predicate<Request> filter) throws InterruptedException {
    return serve(taken(filter, false, 0));
  }

  @Override
  public boolean await(Predicate<Request> filter, Duration timeout) throws InterruptedException {
    return find(filter, true, FutureRuntime.nanos(timeout)) != null;
  }

  @Override
  public int drop(Predicate<Request> filter) {
    List<CallRequest> seen;
    lock.lock();
    try {
      seen = List.copyOf(calls);
    } finally {
      lock.unlock();
    }
    var dropped = seen.stream().filter(filter).toList();
    lock.lock();
    try {
      dropped = dropped.stream().filter(calls::remove).toList();
    } finally {
      lock.unlock();
    }
    dropped.forEach(each -> each.drop(this));
    return dropped.size();
  }

  private boolean serve(@Nullable CallRequest request) {
    if (request == null) {
      return false;
    }
    var context = context();
    context.beganNanos = node().recentNanos();
    hasServed = true;
    request.serve(this, context);
    if (context.request == null) { // otherwise it was served within another request
      Thread.interrupted(); // an interrupt was meant for this request, not for the loop
    }
    return true;
  }

  private @Nullable CallRequest taken(Predicate<Request> filter, boolean oldest, long nanos)
      throws InterruptedException {
    for (; ; ) {
      var found = find(filter, oldest, nanos);
      if (found == null) {
        return null;
      }
      lock.lock();
      try {
        if (calls.remove(found)) {
          fruitlessRounds = 0;
          begins(found);
          return found;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Finds a request, waiting for one if necessary; the filter, which is user code, runs without the
   * lock.
   */
  private @Nullable CallRequest find(Predicate<Request> filter, boolean oldest, long nanos)
      throws InterruptedException {
    var left = nanos;
    for (; ; ) {
      // Read first, so that a task that arrives after the tasks were run counts as an arrival.
      var seenArrivals = arrivals();
      runTasks();
      lock.lockInterruptibly();
      List<CallRequest> seen;
      List<Behind> marks;
      boolean mayCome;
      try {
        if (suspended || isToLeave()) {
          return null;
        }
        seen = List.copyOf(oldest ? calls : calls.reversed());
        marks = List.copyOf(behind);
        mayCome = open;
      } finally {
        lock.unlock();
      }
      var gates = gates();
      for (var call : seen) {
        if (filter.test(call)) {
          if (gates.admits(call) && marks.stream().noneMatch(mark -> mark.holds(call))) {
            return call;
          }
          mayCome = true; // it is held by a gate, and the end stays behind it
        }
      }
      if (!mayCome || left <= 0) {
        return null;
      }
      if (seen.isEmpty()) {
        left = waitForArrival(seenArrivals, left);
      } else {
        starves();
        try {
          left = waitForArrival(seenArrivals, left);
        } finally {
          feeds();
        }
      }
    }
  }

  private long arrivals() {
    lock.lock();
    try {
      return arrivals;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an arrival; returns the remaining nanoseconds, or 0 if the time is over. */
  private long waitForArrival(long seenArrivals, long nanos) throws InterruptedException {
    var began = System.nanoTime();
    isAwaitingRequest = true;
    node().receiveWhile(() -> arrivals == seenArrivals);
    lock.lock();
    try {
      if (nanos == Long.MAX_VALUE) {
        if (arrivals == seenArrivals) {
          changed.await();
        }
        return nanos;
      }
      var left = nanos - (System.nanoTime() - began);
      return arrivals == seenArrivals ? changed.awaitNanos(left) : left;
    } finally {
      isAwaitingRequest = false;
      lock.unlock();
    }
  }
}
