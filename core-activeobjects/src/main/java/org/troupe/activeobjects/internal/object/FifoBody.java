package org.troupe.activeobjects.internal.object;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;

/**
 * A body with the default service: one request at a time, oldest first, and no thread while idle.
 */
final class FifoBody extends Body implements Runnable {

  /*
   * Many senders, one server. 'inbox' is a stack that senders push on by compare-and-set; the server takes it whole and
   * turns it round, so its cost per request is a fraction of an atomic operation. Two marks stand for an empty stack:
   * null when nobody serves, BUSY when somebody does. Whoever pushes on null starts the service, so a request is
   * never left behind. Order: two requests of one sender are served in the order sent.
   */
  private static final QueuedRequest BUSY = new QueuedRequest.Termination();

  /** After so many requests a virtual thread lets others have its carrier. */
  private static final int YIELD_AFTER = 512;

  /** How often the clock is read, in requests: it costs as much as a small request. */
  private static final int LOOK_AT_CLOCK_AFTER = 16;

  private static final long COMPUTING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /*
   * A long request counts for as many short ones, and three of them in a row make a body that computes. One proves
   * nothing: on a busy machine the system takes the core away for 10 ms in the middle of any request, and a body of
   * small requests that is moved to a platform thread for it answers in 20-70 us instead of 0.8 (./troupe
   * bench local, row call-and-wait, c708719, 2026-11-21).
   */
  private static final int WEIGHT_OF_LONG = 8;

  private static final int MOST_COUNTED = 1_000_000;

  private static final int COMPUTES = 3 * WEIGHT_OF_LONG;

  private static final VarHandle INBOX;

  static {
    try {
      INBOX = MethodHandles.lookup().findVarHandle(FifoBody.class, "inbox", QueuedRequest.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile QueuedRequest inbox = BUSY; // until begin

  /** Taken from the inbox, oldest first. Changed only by the thread that serves. */
  private QueuedRequest batch;

  private QueuedRequest last; // of the batch, if there is any

  /*
   * While requests are held, many may wait in the batch, and others pass them: what gates have refused they refuse until
   * one of them is released, so those are looked at once only. Touched only by the thread that serves.
   */
  private RequestGates.Gates refusedBy;
  private QueuedRequest lastRefused; // with all that is older
  private final List<QueuedRequest.Task> stuck = new ArrayList<>(0); // marks among those

  private volatile boolean dying;
  private volatile boolean onPlatformThread;

  /** For {@link #serveReserved}, again and again. Touched only by the thread that serves. */
  private ServiceContext reserved;

  /** Long requests against short ones. Touched only by the thread that serves. */
  private byte computing;

  private boolean isInStep; // with others, for whom it waits in its requests

  FifoBody(NodeObjects node, ActiveType<?> type, Options options) {
    super(node, type, options);
  }

  @Override
  void begin(QueuedRequest first) {
    batch = first;
    last = first;
    if (first != null || !INBOX.compareAndSet(this, BUSY, (QueuedRequest) null)) {
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
      putImmediate(call);
      return true;
    }
    return false;
  }

  private void push(QueuedRequest request) {
    var bytes = request.bytes();
    for (; ; ) {
      var seen = inbox;
      var before = seen == BUSY ? null : seen;
      request.next = before;
      request.count(before == null ? 0 : before.rest(), bytes);
      var chunks = request.chunks();
      if (INBOX.compareAndSet(this, seen, request)) {
        if (chunks != 0) {
          node().memory().queued(this, chunks);
        }
        if (seen == null) {
          activate();
        }
        return;
      }
    }
  }

  private void activate() {
    if (onPlatformThread) {
      node().platformThreads().execute(this);
    } else {
      Thread.startVirtualThread(this);
    }
  }

  /** Serves until nothing waits. */
  @Override
  public void run() {
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
    context.waitedNanos = 0;
    for (var served = 1; ; served++) {
      var request = dying || hasEnded() || !isHeld() ? poll() : pollAdmitted();
      if (request == null) { // from here on another thread may serve
        stop(watch);
        return;
      }
      serve(request, context);
      if (onPlatformThread && Thread.currentThread().isVirtual()) {
        stop(watch);
        handOver();
        return;
      }
      if (isTimeToLookAtClock(served) || batch == null) {
        var now = System.nanoTime();
        if (now - began - context.waitedNanos > COMPUTING_NANOS) {
          computing = (byte) Math.min(computing + WEIGHT_OF_LONG, 2 * COMPUTES);
          stop(watch);
          watch = watchIfSuspected();
        } else if (computing > 0 && --computing == 0) {
          onPlatformThread = false; // from the next activation on
        }
        began = now;
        context.waitedNanos = 0;
      }
      if (served % YIELD_AFTER == 0) {
        Thread.yield();
      }
    }
  }

  /** Often at first, so that a few long requests show soon. */
  private static boolean isTimeToLookAtClock(int served) {
    return served % LOOK_AT_CLOCK_AFTER == 0 || (served & (served - 1)) == 0;
  }

  @Override
  public void expectComputing() {
    isInStep = true;
    computing = 2 * COMPUTES;
    onPlatformThread = true;
  }

  @Override
  public void waitsForParcel() {
    if (isInStep) {
      expectComputing(); // however short its requests are
    }
  }

  /** Lets a platform thread go on; the body stays busy meanwhile. */
  private void handOver() {
    node().platformThreads().execute(this);
  }

  private void serve(QueuedRequest request, ServiceContext context) {
    if (dying) {
      end();
    }
    serveOrRefuse(request, context);
    Thread.interrupted(); // an interrupt was meant for this request, not for the next
  }

  /** Takes the oldest request; with {@code null}, the body is idle and no longer this thread's. */
  private QueuedRequest poll() {
    for (; ; ) {
      var oldest = batch;
      if (oldest != null) {
        batch = oldest.next;
        oldest.next = null;
        if (batch == null) { // an idle body keeps nothing that was served
          last = null;
          refuseNone(null);
        }
        return oldest;
      }
      if (inbox == BUSY) {
        if (INBOX.compareAndSet(this, BUSY, (QueuedRequest) null)) {
          return null;
        }
      } else {
        append((QueuedRequest) INBOX.getAndSet(this, BUSY));
      }
    }
  }

  /**
   * The same for the oldest that may begin; what may not stays in the batch, even of an idle body.
   */
  private QueuedRequest pollAdmitted() {
    for (; ; ) {
      if (dying) {
        return poll(); // the end passes what is held
      }
      var seen = holds().releases();
      var gates = gates();
      if (inbox != BUSY) {
        append((QueuedRequest) INBOX.getAndSet(this, BUSY));
      }
      if (gates != refusedBy) {
        refuseNone(gates);
      }
      for (var each = afterRefused(); each != null; each = afterRefused()) {
        if (gates.admits(each) && !staysBehindOlder(each)) {
          takeOut(each);
          begins(each);
          feeds();
          return each;
        }
        if (each instanceof QueuedRequest.Task mark) {
          stuck.add(mark);
        }
        lastRefused = each;
      }
      if (batch != null) {
        starves();
      }
      var isIdle = INBOX.compareAndSet(this, BUSY, (QueuedRequest) null);
      var isNewsless = seen == holds().releases() && !dying;
      if (isIdle && (isNewsless || !INBOX.compareAndSet(this, (QueuedRequest) null, BUSY))) {
        return null; // idle, or another thread serves
      }
    }
  }

  private void refuseNone(RequestGates.Gates gates) {
    refusedBy = gates;
    lastRefused = null;
    stuck.clear();
  }

  private QueuedRequest afterRefused() {
    return lastRefused == null ? batch : lastRefused.next;
  }

  /** Takes out of the batch what is behind those that were refused. */
  private void takeOut(QueuedRequest request) {
    if (lastRefused == null) {
      batch = request.next;
    } else {
      lastRefused.next = request.next;
    }
    if (last == request) {
      last = lastRefused;
    }
    request.next = null;
  }

  private boolean staysBehindOlder(QueuedRequest request) {
    return switch (request) {
      case QueuedRequest.Termination end -> batch != end; // what is older is to be served before
      case QueuedRequest.Task task when task.hasSender() -> {
        var older = batch;
        while (older != task && !task.staysBehind(older)) {
          older = older.next;
        }
        yield older != task;
      }
      // What is behind a mark of its sender does not pass it.
      default -> !stuck.isEmpty() && stuck.stream().anyMatch(each -> each.keeps(request));
    };
  }

  private void append(QueuedRequest newest) {
    var younger = reversed(newest);
    if (batch == null) {
      batch = younger;
    } else {
      last.next = younger;
    }
    last = newest;
  }

  @Override
  void released() {
    if (INBOX.compareAndSet(this, (QueuedRequest) null, BUSY)) {
      activate();
    }
  }

  private static QueuedRequest reversed(QueuedRequest newest) {
    QueuedRequest oldest = null;
    for (var each = newest; each != null; ) {
      var next = each.next;
      each.next = oldest;
      oldest = each;
      each = next;
    }
    return oldest;
  }

  /**
   * Looks at this thread after a while, if the body seems to compute: is it running, rather than
   * blocked? A body that computes would keep a carrier from all other virtual threads.
   *
   * @return the watch, or {@code null} if none is needed
   */
  private Future<?> watchIfSuspected() {
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

  private static void stop(Future<?> watch) {
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
    activate(); // older ones wait, or this one has to
    return false;
  }

  @Override
  public void serveReserved(CallRequest request) {
    if (reserved == null) {
      reserved = new ServiceContext(this, ServicePolicy.IN_TURN);
    }
    var context = reserved.enter();
    try {
      serve(request, context);
    } finally {
      context.leave();
      if (!INBOX.compareAndSet(this, BUSY, (QueuedRequest) null)) {
        activate();
      }
    }
  }

  /** Others change the list meanwhile: a count that goes wrong at least ends. */
  @Override
  public int queued() {
    var count = 0;
    for (var each = batch; each != null && count < MOST_COUNTED; each = each.next) {
      count++;
    }
    for (var each = inbox; each != null && each != BUSY && count < MOST_COUNTED; each = each.next) {
      count++;
    }
    return count;
  }

  @Override
  public void terminateNow() {
    dying = true;
    push(new QueuedRequest.Termination());
  }

  @Override
  boolean isSequential() {
    return true;
  }
}
