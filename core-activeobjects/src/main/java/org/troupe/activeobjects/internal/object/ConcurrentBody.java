package org.troupe.activeobjects.internal.object;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;

/** A body that serves compatible requests at the same time; the others keep their order. */
public final class ConcurrentBody extends Body {

  /*
   * A request starts when it is compatible with all that run and with all older ones that wait. Under the lock only
   * the choice is made; requests are served on virtual threads of their own.
   *
   * A request that runs may wait for a call to its own object. If that call is behind others that cannot start before
   * the running one is done, none of them ever could. So a call that is waited for from within passes all that wait,
   * and the bound on parallelism too, for the one that waits uses no processor; only calls that the object itself has
   * sent before keep their place.
   *
   * A mark, which is a task of ours behind what one sender has sent, runs beside everything, as soon as that has begun.
   * Nothing else starts meanwhile, for it may change what may start.
   */
  private final int parallelism;
  private final LinkedList<QueuedRequest> waiting = new LinkedList<>();
  private final List<QueuedRequest> awaitedWithin = new ArrayList<>(); // passes what is waiting
  private final List<QueuedRequest> running = new ArrayList<>();
  private volatile int marks; // that wait; written under this
  private int uncounted; // of the next chunk of memory
  private QueuedRequest.Task takenMark; // which is being run, and still waits
  private boolean begun;
  private boolean dying;

  ConcurrentBody(NodeObjects node, ActiveType<?> type, Options options) {
    super(node, type, options);
    this.parallelism = options.parallelism();
  }

  @Override
  void begin(QueuedRequest first) {
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
  public void terminateNow() {
    synchronized (this) {
      dying = true; // passes what is held
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
  boolean isSequential() {
    return true;
  }

  /**
   * Lets a call pass those that wait, because a request that runs is about to wait for it.
   *
   * @param rule that of the request that is about to wait
   * @return whether the call can be served before that request is done
   */
  public boolean letPass(CallResult awaited, ServicePolicy.Rule rule) {
    synchronized (this) {
      var its = type().scheduling().rule(awaited.method());
      if (!areCompatible(its, rule)) {
        return false;
      }
      var request = waitingFor(awaited);
      if (request == null) {
        return true; // it runs, or has run
      }
      for (var older : waiting.subList(0, waiting.indexOf(request))) {
        if (isOwnCall(older) && !areCompatible(its, rule(older))) {
          return false; // which waits for the one that is about to wait
        }
      }
      waiting.remove(request);
      awaitedWithin.add(request);
    }
    startWhatMay();
    return true;
  }

  private QueuedRequest waitingFor(CallResult awaited) {
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

  /** Returns a mark that this thread is to run. */
  private synchronized QueuedRequest.Task takeMark() {
    if (marks > 0 && takenMark == null && begun) {
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
    }
  }

  private synchronized List<QueuedRequest> chosen() {
    var chosen = new ArrayList<QueuedRequest>();
    if (!begun || takenMark != null) {
      return chosen; // who runs the mark comes here when it is done
    }
    Set<ServicePolicy.Rule> before = new HashSet<>();
    var startable = new HashSet<>(type().scheduling().rulesBeside());
    for (var each : running) {
      note(rule(each), before, startable);
    }
    for (var all = awaitedWithin.iterator(); all.hasNext(); ) {
      var request = all.next();
      var rule = rule(request);
      if (before.isEmpty() || startable.contains(rule)) {
        all.remove();
        running.add(request);
        chosen.add(request);
      }
      note(rule, before, startable);
    }
    var gates = gates();
    List<QueuedRequest.Task> behind = new ArrayList<>(0); // marks that stay behind others
    var all = waiting.iterator();
    while (all.hasNext()
        && running.size() < parallelism
        && (before.isEmpty() || !startable.isEmpty())) {
      var request = all.next();
      if (isMark(request)) {
        if (!staysBehindOlder(request)) {
          return chosen; // it is to be taken first
        }
        behind.add((QueuedRequest.Task) request);
        continue;
      }
      if (behind.stream().anyMatch(each -> each.keeps(request))) {
        continue; // it does not pass the mark
      }
      var rule = rule(request);
      if (!dying && !hasEnded() && (!gates.admits(request) || staysBehindOlder(request))) {
        continue; // others that are admitted may pass it
      }
      if (before.isEmpty() || startable.contains(rule)) {
        all.remove();
        running.add(request);
        begins(request);
        chosen.add(request);
        if (!gates.isEmpty()) {
          return chosen; // it may have opened a gate for older ones: they are looked at anew
        }
      }
      note(rule, before, startable);
    }
    return chosen;
  }

  private boolean staysBehindOlder(QueuedRequest request) {
    if (request instanceof QueuedRequest.Termination) {
      return waiting.getFirst() != request; // what is older is to be served before
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

  /** What runs or waits before: only what is compatible with it may still start. */
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
        running.remove(request);
      }
      startWhatMay();
    }
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
