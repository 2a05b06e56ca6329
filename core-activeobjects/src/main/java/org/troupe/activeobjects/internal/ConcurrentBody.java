package org.troupe.activeobjects.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.Options;

/** A body that serves compatible requests at the same time; the others keep their order. */
final class ConcurrentBody extends Body {

  /*
   * A request starts when it is compatible with all that run and with all older ones that wait. Under the lock only
   * the choice is made; requests are served on virtual threads of their own.
   */
  private final int parallelism;
  private final LinkedList<QueuedRequest> waiting = new LinkedList<>();
  private final List<QueuedRequest> running = new ArrayList<>();
  private boolean begun;

  ConcurrentBody(NodeRuntime node, ActiveType<?> type, Options options) {
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
  void put(QueuedRequest request) {
    if (request instanceof CallRequest call && rule(call) instanceof Scheduling.Rule.AtOnce) {
      putImmediate(call);
      return;
    }
    synchronized (this) {
      waiting.add(request);
    }
    startWhatMay();
  }

  @Override
  void putImmediate(CallRequest request) {
    serveBeside(request, () -> {});
  }

  @Override
  void terminateNow() {
    synchronized (this) {
      waiting.addFirst(new QueuedRequest.Termination());
    }
    startWhatMay();
  }

  @Override
  boolean isSequential() {
    return false;
  }

  private void startWhatMay() {
    for (var request : chosen()) {
      Thread.startVirtualThread(() -> serve(request));
    }
  }

  private synchronized List<QueuedRequest> chosen() {
    var chosen = new ArrayList<QueuedRequest>();
    Set<Scheduling.Rule> before = new HashSet<>();
    for (var each : running) {
      before.add(rule(each));
    }
    var all = waiting.iterator();
    while (begun && all.hasNext() && running.size() < parallelism) {
      var request = all.next();
      var rule = rule(request);
      if (before.stream().allMatch(other -> areCompatible(rule, other))) {
        all.remove();
        running.add(request);
        chosen.add(request);
      } else if (!(rule instanceof Scheduling.Rule.Beside)) {
        break; // nothing is compatible with it, so nothing behind it may pass
      }
      before.add(rule);
    }
    return chosen;
  }

  private void serve(QueuedRequest request) {
    var context = new Context(this, false).enter();
    try {
      serveOrRefuse(request, context);
    } finally {
      context.leave();
      synchronized (this) {
        running.remove(request);
      }
      startWhatMay();
    }
  }

  private Scheduling.Rule rule(QueuedRequest request) {
    return request instanceof CallRequest call
        ? type().scheduling().rule(call.method)
        : Scheduling.IN_TURN;
  }

  private static boolean areCompatible(Scheduling.Rule one, Scheduling.Rule other) {
    return one instanceof Scheduling.Rule.Beside(var group, var compatible)
        && other instanceof Scheduling.Rule.Beside(var otherGroup, var otherCompatible)
        && compatible.contains(otherGroup)
        && otherCompatible.contains(group);
  }
}
