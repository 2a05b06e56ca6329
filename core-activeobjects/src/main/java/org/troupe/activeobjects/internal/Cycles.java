package org.troupe.activeobjects.internal;

import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Finds waits that can never end: of bodies for each other, and of futures for themselves. */
final class Cycles {

  private static final int LONGEST = 10_000;

  private final NodeRuntime node;

  Cycles(NodeRuntime node) {
    this.node = node;
  }

  /**
   * A body is about to wait, without bound, for a result.
   *
   * <p>Each body notes what it waits for before it looks; so of several that close a cycle at the
   * same time, the last one sees it.
   *
   * @throws WaitCycleException if the result can only be computed by bodies that wait for this one
   */
  static void check(Body waiting) {
    List<FutureResult<?>> waits = new ArrayList<>();
    List<Body> bodies = new ArrayList<>();
    var at = waiting;
    while (waits.size() < LONGEST) {
      var result = at.waitingFor;
      if (result == null || !result.isAwaited()) {
        return;
      }
      bodies.add(at);
      waits.add(result);
      var next = computing(result);
      if (next == null) {
        return;
      }
      if (next == waiting) {
        throw new WaitCycleException(describe(bodies, waits));
      }
      at = next;
    }
  }

  /**
   * A request that runs beside others is about to wait for one that cannot start before it is done.
   */
  static void checkOwn(Context context, FutureResult<?> awaited) {
    var body = context.body;
    if (context.rule instanceof Scheduling.Rule.Beside
        && awaited instanceof CallResult call
        && computing(call) == body
        && body.type().scheduling().rule(call.method()) instanceof Scheduling.Rule.InTurn) {
      throw new WaitCycleException(describe(List.of(body), List.of(awaited)));
    }
  }

  /** The body of this JVM that alone can bring a result, or {@code null} if that is not known. */
  private static Body computing(FutureResult<?> awaited) {
    FutureResult<?> result = awaited;
    for (var steps = 0; steps < LONGEST; steps++) {
      switch (result) {
        case CallResult call when call.delegatedTo != null -> result = call.delegatedTo;
        case CallResult call -> {
          return call.target().target() instanceof Reference.Target.Here(Body body)
                  && !(body.hasBegun() && isImmediate(body, call.method()))
              ? body
              : null;
        }
        case Holder holder when holder.source != null -> result = holder.source;
        default -> {
          return null;
        }
      }
    }
    return null;
  }

  private static boolean isImmediate(Body body, CallMethod method) {
    return body.type().scheduling().rule(method) instanceof Scheduling.Rule.AtOnce;
  }

  private static String describe(List<Body> bodies, List<FutureResult<?>> waits) {
    var text = new StringBuilder("these waits could never end:");
    for (var i = 0; i < bodies.size(); i++) {
      text.append("\n  - ")
          .append(bodies.get(i))
          .append(" waits for ")
          .append(waits.get(i).describe())
          .append(i + 1 < bodies.size() ? "" : ", which is the first of this list");
    }
    return text.append(
            "\nUse ask(...) and return instead of waiting, or make the called method @Immediate")
        .toString();
  }

  /** A stage is about to be waited for by the body that would have to run it. */
  static WaitCycleException stageOfItself(Body body) {
    return new WaitCycleException(
        body
            + " waits for a stage of an ask that it made itself; the stage is a request of the same"
            + " object and would be served after this one. Return the stage, or give it an executor:"
            + " thenApplyAsync(.., executor)");
  }

  /**
   * The answer of a call waits for a future: follows that future to where its value comes from.
   *
   * @param call the call, made in this JVM
   */
  void delegated(CallResult call, FutureResult<?> future) {
    follow(new Search(node.id().incarnation(), node.idOf(call), List.of(call.describe())), future);
  }

  /** The same for a call of another node. */
  void delegated(Peer caller, long callId, String call, FutureResult<?> future) {
    follow(new Search(caller.id().incarnation(), callId, List.of(call)), future);
  }

  /** Goes on with a search that another node began. */
  void probed(Peer from, Message.Probe probe) {
    var next = probe.followCall() ? from.delegate(probe.id()) : from.owed(probe.id());
    if (next != null) {
      follow(new Search(probe.starter(), probe.startCall(), probe.path()), next);
    }
  }

  /** Where a search began, and what it has passed. */
  private record Search(long starter, long startCall, List<String> path) {

    Search plus(String step) {
      var longer = new ArrayList<>(path);
      longer.add(step);
      return new Search(starter, startCall, longer);
    }
  }

  private void follow(Search begun, FutureResult<?> from) {
    var search = begun;
    FutureResult<?> at = from;
    while (at != null && at.isAwaited() && search.path().size() < LONGEST) {
      if (at instanceof CallResult call
          && search.starter() == node.id().incarnation()
          && node.idOf(call) == search.startCall()) {
        fail(call, search);
        return;
      }
      search = search.plus(at.describe());
      at = next(at, search);
    }
  }

  /** The next future of this JVM, or {@code null} when the search ends or goes on elsewhere. */
  private static FutureResult<?> next(FutureResult<?> at, Search search) {
    switch (at) {
      case CallResult call when call.delegatedTo != null -> {
        return call.delegatedTo;
      }
      case CallResult call when call.peer != null ->
          call.peer.send(
              new Message.Probe(
                  search.starter(), search.startCall(), true, call.callId, search.path()));
      case Holder holder when holder.source != null -> {
        return holder.source;
      }
      case Holder holder when holder.origin != null ->
          holder.origin.send(
              new Message.Probe(
                  search.starter(), search.startCall(), false, holder.id, search.path()));
      default -> {
        // What else there is waits for nothing that is known.
      }
    }
    return null;
  }

  private static void fail(CallResult call, Search search) {
    call.settle(
        new Outcome.Failure<>(
            new WaitCycleException(
                "this future can never have a value, for it waits for itself:\n  - "
                    + String.join("\n  - which is that of ", search.path())
                    + "\n  - which is that of the first of this list")));
  }
}
