package org.troupe.activeobjects.internal.body;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.observe.TierSwitch;

/**
 * A body with the default service: one request at a time, oldest first, and no thread while it is
 * idle.
 */
class FifoBody extends Body implements Runnable {

  /*
   * Design: a multi-producer, single-consumer queue
   *
   * 'inbox' is a stack onto which senders push by compare-and-set. The serving thread takes the whole stack by
   * one atomic exchange and reverses it into 'batch', so the atomic operation is shared by all requests taken
   * together. Two marks stand for an empty stack:
   *
   *   null  idle: no thread serves. The sender whose push replaces null starts the service.
   *   BUSY  a thread serves, and has taken all requests that were pushed.
   *
   * Invariants: a request is never stranded, because the serving thread leaves the body only by the transition
   * from BUSY to null, which fails if a request has been pushed. At most one thread serves at a time; it alone
   * changes the fields marked so below, and successive serving threads are ordered by the transitions of
   * 'inbox'. Any thread may push. Two requests of one sender are served in the order sent.
   *
   * Start of the service. The sender that finds the body idle must start a thread, and may lack the stack or the
   * memory to do so. It therefore first sets 'start' to NEEDED, which takes neither. Each sender that finds this value
   * tries to start a thread, until one of them has succeeded. A new thread resets 'start' before it serves, and ends
   * if another thread has already done that. So one thread serves, even if a start fails after the scheduler has
   * accepted the thread, or if two senders start one at the same time.
   *
   * The stack is that of R. K. Treiber, Systems programming: coping with parallelism, IBM RJ 5118, 1986; it
   * needs no protection from ABA, since only whole stacks are removed.
   */
  private static final QueuedRequest BUSY = new QueuedRequest.Termination();

  /** After this number of requests a virtual thread yields its carrier. */
  private static final int YIELD_AFTER = 512;

  /** The number of requests between two reads of the clock, which cost as much as a request. */
  private static final int LOOK_AT_CLOCK_AFTER = 16;

  private static final long COMPUTING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /*
   * Measured: which bodies move to a platform thread
   *
   * A long request counts for this number of short ones, and three long ones in a row classify a body as one
   * that computes. One long request proves nothing: on a busy machine the system preempts the thread for 10 ms
   * in the middle of any request, and a body of small requests that is moved to a platform thread for it
   * answers in 20-70 us instead of 0.8 (./troupe bench local, row call-and-wait, c708719, 2026-11-21).
   */
  private static final int WEIGHT_OF_LONG = 8;

  private static final int MOST_COUNTED = 1_000_000;

  private static final int COMPUTES = 3 * WEIGHT_OF_LONG;

  /*
   * Design: adaptive spinning
   *
   * Starting a thread for a request, and waking a processor for it, takes ten times as long as serving it. A thread that
   * has served an ask therefore spins on the empty inbox for at most SPIN_NANOS before it leaves the body. After
   * MOST_FAILED_SPINS without a request the body does not spin during the next SERVICES_WITHOUT_SPIN services.
   *
   * A thread does not spin after other calls. A caller that waits serves its next request itself if it finds the body
   * idle. One-way calls are faster without spinning: while a thread starts, the senders fill the inbox undisturbed,
   * whereas a spinning thread would take each request singly, with two transfers of the cache line.
   */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private static final int MOST_FAILED_SPINS = 4;
  private static final int SERVICES_WITHOUT_SPIN = 64;

  /** Whether a caller can run while a thread spins. */
  private static final boolean CAN_SPIN = Runtime.getRuntime().availableProcessors() > 1;

  // Values of 'start'
  private static final byte NONE = 0;
  static final byte NEEDED = 1;
  private static final byte STARTED = 2; // and not yet running

  private static final VarHandle INBOX;
  private static final VarHandle START;

  static {
    try {
      var lookup = MethodHandles.lookup();
      INBOX = lookup.findVarHandle(FifoBody.class, "inbox", QueuedRequest.class);
      START = lookup.findVarHandle(FifoBody.class, "start", byte.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile @Nullable QueuedRequest inbox = BUSY; // until begin is called

  /** Taken from the inbox. Accessed only by the serving thread; queued() counts it inexactly. */
  private @Nullable Batch batch;

  /*
   * While gates hold requests, many requests may wait in the batch, and later ones overtake them. A request
   * that gates have refused stays refused until one of them is released, so it is checked once only. Accessed
   * only by the serving thread.
   */
  private @Nullable Object refusedBy; // the gates, or the departure
  private @Nullable QueuedRequest lastRefused; // it and all older ones are refused
  private @Nullable List<QueuedRequest.Task> stuck; // marks among the refused requests, if any

  /** Whether a thread must be started that serves, or has been. Accessed by stress tests. */
  volatile byte start;

  private volatile boolean dying;
  private volatile boolean onPlatformThread;

  /**
   * The context of the thread that serves, which {@link #serveReserved} reuses. Changed only by the
   * serving thread; others only inspect it.
   */
  private @Nullable ServiceContext serving;

  /** Whether the service stops for a restart. Accessed only by the serving thread. */
  private boolean suspended;

  /** The balance of long and short requests. Accessed only by the serving thread. */
  private byte computing;

  /**
   * The number of failed spins after which this body stops spinning; if negative, the number of
   * services after which it spins again. Accessed only by the serving thread.
   */
  private byte spinBudget = -SERVICES_WITHOUT_SPIN;

  private boolean hasServed; // written by the serving thread

  /**
   * Requests taken from the inbox and not yet served; at least one. Not fields of the body: senders
   * read the body's cache line for each request, and a body in the old generation costs the serving
   * thread a memory fence for each reference to a new request that it stores there.
   */
  private static final class Batch {
    QueuedRequest oldest;
    QueuedRequest last;

    Batch(QueuedRequest oldest, QueuedRequest last) {
      this.oldest = oldest;
      this.last = last;
    }
  }

  FifoBody(BodyHost node, ActiveType<?> type, Options options) {
    super(node, type, options);
  }

  @Override
  void begin(@Nullable QueuedRequest first) {
    batch = first == null ? null : new Batch(first, first);
    if (first != null || !INBOX.compareAndSet(this, BUSY, (QueuedRequest) null)) {
      start = NEEDED;
      activate();
    }
  }

  @Override
  public void put(QueuedRequest request) {
    if (!(request instanceof CallRequest call && putAtOnce(call))) {
      push(request);
    }
  }

  private boolean putAtOnce(CallRequest call) {
    if (type().scheduling().hasImmediate()
        && type().scheduling().rule(call.method) instanceof ServicePolicy.Rule.AtOnce) {
      return putImmediate(call);
    }
    return false;
  }

  private void push(QueuedRequest request) {
    var bytes = request.bytes();
    for (; ; ) {
      var seen = inbox;
      // Read beside the inbox: after the push the server has the cache line.
      var mustStart = seen == null || start == NEEDED;
      var before = seen == BUSY ? null : seen;
      request.next = before;
      request.count(before == null ? 0 : before.rest(), bytes);
      var chunks = request.chunks();
      var isPushed = false;
      if (chunks != 0) {
        node()
            .memory()
            .queued(this, chunks); // first, because the stack may overflow between the two
      }
      try {
        isPushed = INBOX.compareAndSet(this, seen, request);
      } finally {
        if (chunks != 0 && !isPushed) {
          node().memory().taken(this, chunks);
        }
      }
      if (isPushed) {
        if (seen == null) {
          start = NEEDED;
        }
        if (mustStart) {
          activate();
        }
        return;
      }
    }
  }

  /** Starts a thread that serves, unless another thread does. */
  private void activate() {
    if (onPlatformThread) {
      node().platformThreads().execute(this);
    } else {
      Thread.startVirtualThread(this);
    }
    START.compareAndSet(this, NEEDED, STARTED);
  }

  /** Serves until the queue is empty. */
  @Override
  public void run() {
    if ((byte) START.getAndSet(this, NONE) == NONE) {
      return; // another thread serves
    }
    var context = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
    try {
      serveAll(context);
    } finally {
      context.leave();
    }
  }

  private void serveAll(ServiceContext context) {
    var watch = watchIfSuspected();
    var began = System.nanoTime();
    var servedBefore = 0; // when the clock was last read
    context.waitedNanos = 0;
    context.beganNanos = began;
    for (var served = 1; ; served++) {
      var request = isHeld() ? pollAdmitted() : poll();
      if (request == null) { // from here on another thread may serve
        stop(watch);
        return;
      }
      if (serving != context) { // a store costs a memory fence, as those in a batch
        serving = context;
      }
      serve(request, context);
      Thread.interrupted(); // an interrupt was meant for this request, not for the next
      if (suspended) {
        stop(watch);
        stopped();
        return;
      }
      if (onPlatformThread && Thread.currentThread().isVirtual()) {
        stop(watch);
        handOver();
        return;
      }
      if (isTimeToLookAtClock(served) || batch == null) {
        var now = System.nanoTime();
        if (served == servedBefore + 1 && request instanceof CallRequest call) {
          call.method.pace().served(now - began);
        }
        servedBefore = served;
        if (now - began - context.waitedNanos > COMPUTING_NANOS) {
          computing = (byte) Math.min(computing + WEIGHT_OF_LONG, 2 * COMPUTES);
          stop(watch);
          watch = watchIfSuspected();
        } else if (computing > 0 && request instanceof CallRequest && --computing == 0) {
          onPlatformThread = false; // from the next activation on
        }
        began = now;
        context.waitedNanos = 0;
        context.beganNanos = now;
      }
      if (TierSwitch.isTracing()) {
        context.served(batch != null && served % YIELD_AFTER != 0);
      }
      if (served % YIELD_AFTER == 0) {
        Thread.yield();
      }
      if (CAN_SPIN
          && batch == null
          && request instanceof CallRequest call
          && call.isFromAsk()
          && spins()) {
        began = System.nanoTime(); // the time of the spin is not that of the next request
        context.beganNanos = began;
      }
    }
  }

  /**
   * Spins on the empty inbox for a short time.
   *
   * @return whether a request has arrived
   */
  private boolean spins() {
    if (inbox != BUSY) {
      return false;
    }
    if (spinBudget < 0) {
      spinBudget++;
      return false;
    }
    var until = System.nanoTime() + SPIN_NANOS;
    do {
      for (var i = 0; i < LOOK_AT_CLOCK_AFTER; i++) {
        Thread.onSpinWait();
        if (inbox != BUSY) {
          spinBudget = MOST_FAILED_SPINS;
          return true;
        }
      }
    } while (System.nanoTime() < until);
    spinBudget = (byte) (spinBudget > 0 ? spinBudget - 1 : -SERVICES_WITHOUT_SPIN);
    return false;
  }

  /** Returns whether to read the clock: often at first, to detect long requests early. */
  private static boolean isTimeToLookAtClock(int served) {
    return served % LOOK_AT_CLOCK_AFTER == 0 || (served & (served - 1)) == 0;
  }

  @Override
  public void expectComputing() {
    extras().isInStep = true;
    computing = 2 * COMPUTES;
    if (!onPlatformThread) { // a volatile write costs more than the rest
      onPlatformThread = true;
    }
  }

  @Override
  public void waitsForPacket() {
    if (extras().isInStep) {
      expectComputing(); // even if its requests are short
    }
  }

  /** Continues the service on a platform thread; the body stays busy meanwhile. */
  private void handOver() {
    start = NEEDED;
    activate();
  }

  private void serve(QueuedRequest request, ServiceContext context) {
    if (!hasServed) { // most are served after another, and senders read the body's cache line
      hasServed = true;
    }
    if (dying && departure() == null) {
      finish();
    }
    serveOrRefuse(request, context);
  }

  /** Takes the oldest request; after {@code null} the body is idle, and another may serve it. */
  private @Nullable QueuedRequest poll() {
    for (; ; ) {
      var taken = batch;
      if (taken != null) {
        var oldest = taken.oldest;
        var rest = oldest.next;
        if (rest == null) { // an idle body keeps no served request alive
          batch = null;
          if (refusedBy != null) {
            refuseNone(null);
          }
        } else {
          taken.oldest = rest;
          oldest.next = null;
        }
        return oldest;
      }
      if (inbox == BUSY) {
        serving = null;
        if (INBOX.compareAndSet(this, BUSY, (QueuedRequest) null)) {
          return null;
        }
      } else {
        append((QueuedRequest) INBOX.getAndSet(this, BUSY));
      }
    }
  }

  /**
   * Takes the oldest request that the gates admit; refused requests stay in the batch, even while
   * the body is idle.
   */
  private @Nullable QueuedRequest pollAdmitted() {
    for (; ; ) {
      var departure = departure();
      if (hasEnded() || dying && departure == null) {
        return poll(); // the end overtakes held requests
      }
      if (departure != null && departure.isCompleted()) {
        return departure.forwardAll(this::poll);
      }
      var seen = holds().releases();
      var gates = gates();
      if (inbox != BUSY) {
        append((QueuedRequest) INBOX.getAndSet(this, BUSY));
      }
      if (departure != null && batch != null && departure.endsForRequests()) {
        continue;
      }
      var refuses = departure == null ? gates : departure;
      if (refuses != refusedBy) {
        refuseNone(refuses);
      }
      for (var each = afterRefused(); each != null; each = afterRefused()) {
        var isAdmitted =
            departure == null
                ? gates.admits(each)
                : each instanceof QueuedRequest.Task && !departure.isAsleep();
        if (isAdmitted && !staysBehindOlder(each)) {
          takeOut(each);
          begins(each);
          feeds();
          return each;
        }
        if (each instanceof QueuedRequest.Task mark) {
          stick(mark);
        }
        lastRefused = each;
      }
      if (departure != null && departures().obstacle() == null) {
        departure.reachedSafePoint();
      } else if (departure == null && batch != null) {
        starves();
      }
      if (departure != null && batch != null) {
        departure.isCalled();
      }
      serving = null;
      var isIdle = INBOX.compareAndSet(this, BUSY, (QueuedRequest) null);
      var isNewsless = seen == holds().releases() && (!dying || departure != null);
      if (isIdle && (isNewsless || !INBOX.compareAndSet(this, (QueuedRequest) null, BUSY))) {
        return null; // the body is idle, or another thread serves
      }
    }
  }

  private @Nullable QueuedRequest oldest() {
    var taken = batch;
    return taken == null ? null : taken.oldest;
  }

  @Override
  public void runDueTasks() {
    var context = contextInTurn();
    if (context == null) {
      return;
    }
    while (fillBatch() && oldest() instanceof QueuedRequest.Task task && task.hasSender()) {
      refuseNone(null); // a task that was behind calls may have become the oldest request
      takeOut(task);
      serveOrRefuse(task, context);
    }
  }

  @Override
  public boolean isServingLast() {
    return contextInTurn() != null && !fillBatch();
  }

  /** Returns the context of the current thread if it serves a request of this body in its turn. */
  private @Nullable ServiceContext contextInTurn() {
    var context = ServiceContext.current();
    return context != null
            && context.body == this
            && context.rule instanceof ServicePolicy.Rule.InTurn
            && hasBegun()
            && !dying
        ? context
        : null;
  }

  /** Returns whether the batch has a request, after taking those of the inbox if it has none. */
  private boolean fillBatch() {
    if (batch == null && inbox != BUSY) {
      append((QueuedRequest) INBOX.getAndSet(this, BUSY));
    }
    return batch != null;
  }

  private void refuseNone(@Nullable Object by) {
    refusedBy = by;
    lastRefused = null;
    stuck = null;
  }

  private void stick(QueuedRequest.Task mark) {
    if (stuck == null) {
      stuck = new ArrayList<>(1);
    }
    stuck.add(mark);
  }

  private @Nullable QueuedRequest afterRefused() {
    return lastRefused == null ? oldest() : lastRefused.next;
  }

  /** Removes a request from the batch behind the refused ones. */
  private void takeOut(QueuedRequest request) {
    var from = Objects.requireNonNull(batch, "the batch that holds the request");
    if (lastRefused != null) {
      lastRefused.next = request.next;
      if (from.last == request) {
        from.last = lastRefused;
      }
    } else if (request.next != null) {
      from.oldest = request.next;
    } else {
      batch = null;
    }
    request.next = null;
  }

  private boolean staysBehindOlder(QueuedRequest request) {
    return switch (request) {
      case QueuedRequest.Termination end ->
          oldest() != end; // older requests are served before the end
      case QueuedRequest.Task task when task.hasSender() -> {
        var older = oldest();
        while (older != null && older != task && !task.staysBehind(older)) {
          older = older.next;
        }
        yield older != task;
      }
      // A later request of its sender must not overtake a mark.
      default -> stuck != null && stuck.stream().anyMatch(each -> each.keeps(request));
    };
  }

  private void append(QueuedRequest newest) {
    var younger = QueuedRequest.reversed(newest);
    var held = batch;
    if (held == null) {
      batch = new Batch(younger, newest);
    } else {
      held.last.next = younger;
      held.last = newest;
    }
  }

  @Override
  void released() {
    if (INBOX.compareAndSet(this, (QueuedRequest) null, BUSY)) {
      start = NEEDED;
      activate();
    }
  }

  @Override
  void forwardHeld() {
    if (!INBOX.compareAndSet(this, (QueuedRequest) null, BUSY)) {
      holds().wake(); // the thread that serves chooses again
    } else if (batch == null) {
      release();
    } else {
      start = NEEDED;
      activate();
    }
  }

  /** Serves nothing: a departure that is cancelled at once would tie the thread to the requests. */
  @Override
  void looksForSafePoint() {
    if (onPlatformThread || !INBOX.compareAndSet(this, (QueuedRequest) null, BUSY)) {
      holds().wake();
      return;
    }
    var seen = holds().releases();
    var isAtSafePoint = reachesSafePoint();
    release();
    if (!isAtSafePoint || seen != holds().releases()) {
      released(); // another thread chooses among the requests
    }
  }

  private boolean reachesSafePoint() {
    var departure = departure();
    if (departure == null || batch != null || hasEnded() || departures().obstacle() != null) {
      return false;
    }
    var context = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
    try {
      departure.reachedSafePoint();
    } finally {
      context.leave();
    }
    return true;
  }

  /**
   * Schedules a check of this thread, if the body seems to compute, of whether it runs rather than
   * blocks. A body that computes would withhold a carrier from all other virtual threads.
   *
   * @return the check, or {@code null} if none is needed
   */
  private @Nullable Future<?> watchIfSuspected() {
    var thread = Thread.currentThread();
    return computing < COMPUTES || onPlatformThread
        ? null
        : node()
            .timer()
            .schedule(
                () -> {
                  if (thread.getState() == Thread.State.RUNNABLE) {
                    onPlatformThread = true;
                  }
                },
                COMPUTING_NANOS,
                TimeUnit.NANOSECONDS);
  }

  private static void stop(@Nullable Future<?> watch) {
    if (watch != null) {
      watch.cancel(false);
    }
  }

  @Override
  public boolean tryReserve() {
    if (!INBOX.compareAndSet(this, (QueuedRequest) null, BUSY)) {
      return false;
    }
    if (batch == null && !isHeld()) {
      return true;
    }
    start = NEEDED;
    activate(); // older requests are queued, or this one is refused
    return false;
  }

  @Override
  boolean tryReserveForCaller(CallMethod method) {
    if (inbox != null || onPlatformThread || passesQueue(method) || !tryReserve()) {
      return false;
    }
    if (dying || hasEnded()) {
      release();
      return false;
    }
    return true;
  }

  @Override
  void servesIn(@Nullable ServiceContext context) {
    serving = context;
  }

  @Override
  void release() {
    if (suspended) {
      stopped(); // and stay busy
    } else if (!INBOX.compareAndSet(this, BUSY, (QueuedRequest) null)) {
      start = NEEDED;
      activate();
    }
  }

  @Override
  public void forward(QueuedRequest.Passage message) {
    if (!hasLeft() || !INBOX.compareAndSet(this, (QueuedRequest) null, BUSY)) {
      push(message);
      return;
    }
    try {
      if (batch == null) {
        Objects.requireNonNull(departure(), "the departure of an object that has left")
            .forward(message);
      } else {
        push(message);
      }
    } finally {
      release();
    }
  }

  @Override
  public void serveReserved(CallRequest request) {
    if (serving == null) {
      serving = new ServiceContext(this, ServicePolicy.IN_TURN);
    }
    var context = serving.enter();
    context.beganNanos = node().recentNanos();
    try {
      serve(request, context); // an interrupt is meant for the caller, whose thread this is
    } finally {
      context.leave();
      release();
    }
  }

  @Override
  public boolean hasServingThread() {
    return inbox != null && start == NONE;
  }

  /** Counts a list that other threads may change meanwhile; an inexact count still terminates. */
  @Override
  public int queued() {
    var count = 0;
    for (var each = oldest(); each != null && count < MOST_COUNTED; each = each.next) {
      count++;
    }
    for (var each = inbox; each != null && each != BUSY && count < MOST_COUNTED; each = each.next) {
      count++;
    }
    return count;
  }

  @Override
  public boolean hasQueued() {
    var newest = inbox;
    return oldest() != null || newest != null && newest != BUSY;
  }

  @Override
  public void forEachQueued(int most, Consumer<? super CallRequest> consumer) {
    var left = most;
    for (var each = oldest(); each != null && left > 0; each = each.next, left--) {
      passOn(each, consumer);
    }
    for (var each = inbox; each != null && each != BUSY && left > 0; each = each.next, left--) {
      passOn(each, consumer);
    }
  }

  private static void passOn(QueuedRequest request, Consumer<? super CallRequest> consumer) {
    if (request instanceof CallRequest call) {
      consumer.accept(call);
    }
  }

  @Override
  public @Nullable RequestInService inService() {
    return RequestInService.in(serving);
  }

  @Override
  public String threads() {
    return onPlatformThread
        ? "a platform thread, as its requests compute for long"
        : "virtual threads, and for short requests those of callers and of call lanes";
  }

  @Override
  void suspend(boolean isInTurn) {
    if (isInTurn) {
      suspended = true;
    } else {
      push(new QueuedRequest.Suspension());
    }
  }

  @Override
  void resume(@Nullable QueuedRequest first) {
    suspended = false;
    if (first != null) {
      first.next = oldest();
      if (batch == null) {
        batch = new Batch(first, first);
      } else {
        batch.oldest = first;
      }
      refuseNone(null);
    }
    handOver();
  }

  @Override
  void endStopped() {
    resume(null);
  }

  @Override
  void die() {
    dying = true;
    push(new QueuedRequest.Termination());
  }

  @Override
  public boolean isDying() {
    return dying;
  }

  @Override
  public boolean hasServed() {
    VarHandle.acquireFence(); // a body that has become idle has published the field
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
    return true;
  }

  @Override
  boolean isSequential() {
    return true;
  }
}
