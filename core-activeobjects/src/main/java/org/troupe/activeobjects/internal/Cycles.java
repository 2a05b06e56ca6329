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
   * A request that runs beside others is about to wait: if for a call to its own object, that one
   * may pass those which cannot start before this one is done.
   *
   * @param bounded whether the wait ends by itself
   * @throws WaitCycleException if the call cannot start either
   */
  static void checkOwn(Context context, FutureResult<?> awaited, boolean bounded) {
    if (context.rule instanceof Scheduling.Rule.Beside
        && context.body instanceof ConcurrentBody body
        && callBehind(awaited) instanceof CallResult call
        && computing(call) == body
        && !body.letPass(call, context.rule)
        && !bounded) {
      throw new WaitCycleException(describe(List.of(body), List.of(awaited)));
    }
  }

  /** The body of this JVM that alone can bring a result, or {@code null} if that is not known. */
  private static Body computing(FutureResult<?> awaited) {
    var call = callBehind(awaited);
    return call != null
            && call.target().target() instanceof Reference.Target.Here(Body body)
            && !body.isServedAtOnce(call.method())
        ? body
        : null;
  }

  /** The call that brings a result, or {@code null} if none is known. */
  private static CallResult callBehind(FutureResult<?> awaited) {
    FutureResult<?> result = awaited;
    for (var steps = 0; steps < LONGEST; steps++) {
      switch (result) {
        case CallResult call when call.delegatedTo != null -> result = call.delegatedTo;
        case CallResult call -> {
          return call;
        }
        case Holder holder when holder.source != null -> result = holder.source;
        default -> {
          return null;
        }
      }
    }
    return null;
  }

  private static String describe(List<Body> bodies, List<FutureResult<?>> waits) {
    var path = new ArrayList<String>();
    for (var i = 0; i < bodies.size(); i++) {
      path.add(new Step(bodies.get(i), waits.get(i)).toString());
    }
    return describe(path);
  }

  private static String describe(List<String> path) {
    return "these waits could never end:\n  - "
        + String.join("\n  - ", path)
        + ", which is the first of this list\n"
        + "Use ask(...) and return instead of waiting, or make the called method @Immediate";
  }

  /** A stage is about to be waited for by the body that would have to run it. */
  static WaitCycleException stageOfItself(Body body) {
    return new WaitCycleException(
        body
            + " waits for a stage of an ask that it made itself; the stage is a request of the same"
            + " object and would be served after this one. Return the stage, or give it an executor:"
            + " thenApplyAsync(.., executor)");
  }

  // Over several nodes

  /*
   * A search goes along what waits for what, from node to node, and has found a cycle when it is back at the call that
   * it began with. Each step is true when it is made, and stays true as long as the first call has no answer: a wait
   * without bound ends only when what it waits for arrives. So what is found is proved. Searches from answers that wait
   * for futures begin at once; those from bodies that wait, with the heartbeat, so that calls that are answered soon
   * pay nothing for it.
   */

  /**
   * One link of a chain: a future, and the body that serves nothing before that is here, if any.
   */
  private record Step(Body waiting, FutureResult<?> awaited) {

    @Override
    public String toString() {
      return (waiting == null ? "" : waiting + " waits for ") + awaited.describe();
    }
  }

  /**
   * The answer of a call waits for a future: follows that future to where its value comes from.
   *
   * @param call the call, made in this JVM
   */
  void delegated(CallResult call, FutureResult<?> future) {
    follow(
        new Search(node.id().incarnation(), node.idOf(call), List.of(call.describe())),
        new Step(null, future));
  }

  /** The same for a call of another node. */
  void delegated(Peer caller, long callId, String call, FutureResult<?> future) {
    follow(new Search(caller.id().incarnation(), callId, List.of(call)), new Step(null, future));
  }

  /** Looks whether a body waits, over other nodes, for itself. */
  void search(Body body) {
    var step = waitOf(body);
    for (var steps = 0; step != null && steps < LONGEST; steps++) {
      if (step.awaited() instanceof CallResult call && call.peer() != null && call.isAwaited()) {
        follow(new Search(node.id().incarnation(), call.callId, List.of()), step);
        return;
      }
      step = next(step.awaited());
    }
  }

  /** Goes on with a search that another node began. */
  void probed(Peer from, Message.Probe probe) {
    var search = new Search(probe.starter(), probe.startCall(), probe.path());
    if (!probe.followCall()) {
      follow(search, step(from.owed(probe.id())));
      return;
    }
    var served = from.served(probe.id());
    if (served != null) {
      follow(
          search, served.delegate() == null ? waitOf(served.waiting()) : step(served.delegate()));
    }
  }

  /** Where a search began, and what it has passed. */
  private record Search(long starter, long startCall, List<String> path) {

    Search plus(Step step) {
      var longer = new ArrayList<>(path);
      longer.add(step.toString());
      return new Search(starter, startCall, longer);
    }

    Message.Probe probe(boolean followCall, long id) {
      return new Message.Probe(starter, startCall, followCall, id, path);
    }
  }

  private void follow(Search begun, Step first) {
    var search = begun;
    for (var at = first; at != null && at.awaited().isAwaited(); at = next(at.awaited())) {
      if (search.path().size() >= LONGEST) {
        return;
      }
      var hasBegunHere = search.starter() == node.id().incarnation() && !search.path().isEmpty();
      if (hasBegunHere
          && at.awaited() instanceof CallResult call
          && node.idOf(call) == search.startCall()) {
        fail(at, call, search);
        return;
      }
      search = search.plus(at);
      goOnElsewhere(at.awaited(), search);
    }
  }

  private static Step step(FutureResult<?> future) {
    return future == null ? null : new Step(null, future);
  }

  private static Step waitOf(Body body) {
    var awaited = body == null ? null : body.waitingFor;
    return awaited == null ? null : new Step(body, awaited);
  }

  /** What a future waits for in this JVM; {@code null} if nothing, as far as is known here. */
  private static Step next(FutureResult<?> at) {
    return switch (at) {
      case CallResult call when call.delegatedTo != null -> step(call.delegatedTo);
      case CallResult call -> waitOf(computing(call));
      case Holder holder -> step(holder.source);
      default -> null;
    };
  }

  private static void goOnElsewhere(FutureResult<?> at, Search search) {
    switch (at) {
      case CallResult call when call.delegatedTo == null && call.peer() != null ->
          call.peer().send(search.probe(true, call.callId));
      case Holder holder when holder.source == null && holder.origin != null ->
          holder.origin.send(search.probe(false, holder.id));
      default -> {
        // It goes on here, or not at all.
      }
    }
  }

  private static void fail(Step last, CallResult call, Search search) {
    if (last.waiting() != null) {
      call.settle(new Outcome.Failure<>(new WaitCycleException(describe(search.path()))));
      call.abandoned(); // it is not to be served any more; and its caller may wait in an exchange
      return;
    }
    call.settle(
        new Outcome.Failure<>(
            new WaitCycleException(
                "this future can never have a value, for it waits for itself:\n  - "
                    + String.join("\n  - which is that of ", search.path())
                    + "\n  - which is that of the first of this list")));
  }
}
