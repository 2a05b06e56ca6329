package org.troupe.activeobjects.internal.body;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePolicy;

/** A body that serves compatible requests concurrently; all other requests keep their order. */
public final class ConcurrentBody extends Body {

  /*
   * Design: compatible requests and calls to the own object
   *
   * A request starts when it is compatible with all running requests and with all older queued ones. The lock
   * protects the choice only; requests are served on virtual threads of their own.
   *
   * A running request may wait for a call to its own object. If that call is queued behind requests that
   * cannot start before the running one ends, none of them could ever start. A call that is awaited from
   * within therefore overtakes all queued requests, and it does not count against the limit on parallelism,
   * since the waiting request uses no processor. Only calls that the object itself has sent earlier keep their
   * place before it.
   *
   * A mark is a task of the middleware that belongs behind what one sender has sent. As soon as those requests
   * have begun, it runs concurrently with everything. No other request starts while it runs, because it may
   * change which requests may start.
   */
  private final int parallelism;
  private final LinkedList<QueuedRequest> waiting = new LinkedList<>();
  private final List<QueuedRequest> awaitedWithin =
      new ArrayList<>(); // they overtake the queued requests
  private final List<Running> running = new ArrayList<>();
  private volatile int marks; // queued marks; written under the lock of this
  private int uncounted; // bytes below the next chunk of memory
  private QueuedRequest.@Nullable Task takenMark; // running, but still in the queue
  private boolean begun;
  private boolean dying;
  private boolean suspended; // for a restart; no queued request starts
  private boolean stopped; // suspended, and none is running

  /** A request in service, and when its service began. */
  private record Running(QueuedRequest request, long sinceNanos) {}

  ConcurrentBody(BodyHost node, ActiveType<?> type, Options options) {
    super(node, type, options);
    this.parallelism = options.parallelism();
  }

  @Override
  void begin(@Nullable QueuedRequest first) {
    synchronized (this) {
      begun = true;
      if (first != null) {
        waiting.addFirst(first);
      }
    }
    startWhatMay();
  }

  @Override
  public void put(QueuedRequest request) {
    if (request instanceof CallRequest call && rule(call) instanceof ServicePolicy.Rule.AtOnce) {
      putImmediate(call);
      return;
    }
    synchronized (this) {
      request.count(uncounted, request.bytes());
      uncounted = request.rest();
      if (request.chunks() != 0) {
        node().memory().queued(this, request.chunks());
      }
      waiting.add(request);
      if (isMark(request)) {
        marks++;
      }
    }
    startWhatMay();
  }

  private static boolean isMark(QueuedRequest request) {
    return request instanceof QueuedRequest.Task task && task.hasSender();
  }

  @Override
  void die() {
    synchronized (this) {
      dying = true; // the end overtakes held requests
      waiting.addFirst(new QueuedRequest.Termination());
    }
    startWhatMay();
  }

  @Override
  void released() {
    startWhatMay();
  }

  @Override
  public synchronized int queued() {
    return waiting.size() + awaitedWithin.size();
  }

  @Override
  public void forEachQueued(int most, Consumer<? super CallRequest> consumer) {
    List<CallRequest> calls;
    synchronized (this) {
      calls =
          Stream.concat(awaitedWithin.stream(), waiting.stream())
              .limit(most)
              .filter(CallRequest.class::isInstance)
              .map(CallRequest.class::cast)
              .toList();
    }
    calls.forEach(consumer);
  }

  @Override
  public synchronized @Nullable RequestInService inService() {
    var calls = running.stream().filter(each -> each.request() instanceof CallRequest).toList();
    return calls.isEmpty() ? null : inService(calls.getFirst(), calls.size() - 1);
  }

  @Override
  public synchronized List<RequestInService> allInService(int most) {
    return running.stream()
        .filter(each -> each.request() instanceof CallRequest)
        .limit(most)
        .map(each -> inService(each, 0))
        .toList();
  }

  private static RequestInService inService(Running call, int more) {
    return new RequestInService(
        (CallRequest) call.request(), call.sinceNanos(), 0, more, null, null);
  }

  @Override
  public int parallelism() {
    return parallelism;
  }

  @Override
  public String threads() {
    return "a virtual thread for each request";
  }

  @Override
  boolean isSequential() {
    return true;
  }

  /**
   * Lets a call overtake the queued requests, because a running request is about to wait for it.
   *
   * @param awaited the receiver of the answer
   * @param method the method called
   * @param rule the rule of the request that is about to wait
   * @return whether the call can be served before that request ends
   */
  public boolean letPass(ReplyTo awaited, CallMethod method, ServicePolicy.Rule rule) {
    synchronized (this) {
      var its = type().scheduling().rule(method);
      if (!areCompatible(its, rule)) {
        return false;
      }
      var request = waitingFor(awaited);
      if (request == null) {
        return true; // it is running or has ended
      }
      for (var older : waiting.subList(0, waiting.indexOf(request))) {
        if (isOwnCall(older) && !areCompatible(its, rule(older))) {
          return false; // it waits for the request that is about to wait
        }
      }
      waiting.remove(request);
      awaitedWithin.add(request);
    }
    startWhatMay();
    return true;
  }

  private @Nullable QueuedRequest waitingFor(ReplyTo awaited) {
    for (var each : waiting) {
      if (each instanceof CallRequest call && call.answers(awaited)) {
        return each;
      }
    }
    return null;
  }

  private boolean isOwnCall(QueuedRequest request) {
    return request instanceof CallRequest call && call.caller == this;
  }

  private void startWhatMay() {
    List<QueuedRequest> chosen;
    do {
      for (var mark = takeMark(); mark != null; mark = takeMark()) {
        run(mark);
      }
      chosen = chosen();
      for (var request : chosen) {
        Thread.startVirtualThread(() -> serve(request));
      }
    } while (!chosen.isEmpty() && (isHeld() || marks > 0));
  }

  /** Returns a mark for the current thread to run; {@code null} if there is none. */
  private synchronized QueuedRequest.@Nullable Task takeMark() {
    if (marks > 0 && takenMark == null && begun && !suspended) {
      for (var each : waiting) {
        if (isMark(each) && (dying || hasEnded() || !staysBehindOlder(each))) {
          takenMark = (QueuedRequest.Task) each;
          return takenMark;
        }
      }
    }
    return null;
  }

  private void run(QueuedRequest.Task mark) {
    var context = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
    try {
      serveOrRefuse(mark, context);
    } finally {
      context.leave();
      synchronized (this) {
        waiting.remove(mark);
        marks--;
        takenMark = null;
      }
      stopIfIdle();
    }
  }

  private synchronized List<QueuedRequest> chosen() {
    var chosen = new ArrayList<QueuedRequest>();
    if (!begun || takenMark != null) {
      return chosen; // the thread that runs the mark calls this again afterwards
    }
    Set<ServicePolicy.Rule> before = new HashSet<>();
    var startable = new HashSet<>(type().scheduling().rulesBeside());
    for (var each : running) {
      note(rule(each.request()), before, startable);
    }
    for (var all = awaitedWithin.iterator(); all.hasNext(); ) {
      var request = all.next();
      var rule = rule(request);
      if (before.isEmpty() || startable.contains(rule)) {
        all.remove();
        running.add(new Running(request, node().recentNanos()));
        chosen.add(request);
      }
      note(rule, before, startable);
    }
    var gates = gates();
    List<QueuedRequest.Task> behind =
        new ArrayList<>(0); // marks that must stay behind older requests
    var all = waiting.iterator();
    while (!suspended
        && all.hasNext()
        && running.size() < parallelism
        && (before.isEmpty() || !startable.isEmpty())) {
      var request = all.next();
      if (isMark(request)) {
        if (!staysBehindOlder(request)) {
          return chosen; // the termination must be chosen first
        }
        behind.add((QueuedRequest.Task) request);
        continue;
      }
      if (behind.stream().anyMatch(each -> each.keeps(request))) {
        continue; // it must not overtake the mark
      }
      var rule = rule(request);
      if (!dying && !hasEnded() && (!gates.admits(request) || staysBehindOlder(request))) {
        continue; // later requests that are admitted may overtake it
      }
      if (before.isEmpty() || startable.contains(rule)) {
        all.remove();
        running.add(new Running(request, node().recentNanos()));
        begins(request);
        chosen.add(request);
        if (!gates.isEmpty()) {
          return chosen; // it may have opened a gate for older requests: they are checked again
        }
      }
      note(rule, before, startable);
    }
    return chosen;
  }

  private boolean staysBehindOlder(QueuedRequest request) {
    if (request instanceof QueuedRequest.Termination) {
      return waiting.getFirst() != request; // all older requests are served first
    }
    if (request instanceof QueuedRequest.Task task) {
      for (var older : waiting) {
        if (older == task) {
          return false;
        }
        if (task.staysBehind(older)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Records a running or older request: only requests compatible with it may start. */
  private static void note(
      ServicePolicy.Rule rule, Set<ServicePolicy.Rule> before, Set<ServicePolicy.Rule> startable) {
    if (before.add(rule)) {
      startable.removeIf(other -> !areCompatible(rule, other));
    }
  }

  private void serve(QueuedRequest request) {
    var context = new ServiceContext(this, rule(request)).enter();
    try {
      serveOrRefuse(request, context);
      Thread.interrupted(); // an interrupt was meant for this request, not for the next
    } finally {
      context.leave();
      synchronized (this) {
        running.removeIf(each -> each.request() == request);
      }
      startWhatMay();
      stopIfIdle();
    }
  }

  @Override
  void suspend(boolean isInTurn) {
    synchronized (this) {
      suspended = true;
    }
    stopIfIdle();
  }

  private void stopIfIdle() {
    synchronized (this) {
      if (!suspended || stopped || !running.isEmpty() || takenMark != null) {
        return;
      }
      stopped = true;
    }
    stopped();
  }

  @Override
  void resume(@Nullable QueuedRequest first) {
    synchronized (this) {
      suspended = false;
      stopped = false;
      if (first != null) {
        waiting.addFirst(first);
      }
    }
    startWhatMay();
  }

  @Override
  void endStopped() {
    resume(null);
  }

  private ServicePolicy.Rule rule(QueuedRequest request) {
    return request instanceof CallRequest call
        ? type().scheduling().rule(call.method)
        : ServicePolicy.IN_TURN;
  }

  private static boolean areCompatible(ServicePolicy.Rule one, ServicePolicy.Rule other) {
    return one instanceof ServicePolicy.Rule.Beside(var group, var compatible)
        && other instanceof ServicePolicy.Rule.Beside(var otherGroup, var otherCompatible)
        && compatible.contains(otherGroup)
        && otherCompatible.contains(group);
  }
}
