package org.troupe.activeobjects.internal.deadlock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ConcurrentBody;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.capacity.CapacityWait;
import org.troupe.activeobjects.internal.capacity.QueueVacancy;
import org.troupe.activeobjects.internal.object.BodyEnd;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.ForwardedFuture;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.DeadlockSearch;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Detects waits that can never end: of bodies for each other, and of futures for themselves. */
public final class DeadlockDetector implements DeadlockSearch {

  private static final int LONGEST = 10_000;

  /** The limit on the number of derived results followed in sequence. */
  private static final int MOST_NESTED = 100;

  private final NodeObjects node;

  public DeadlockDetector(NodeObjects node) {
    this.node = node;
  }

  /**
   * Checks a body that is about to wait, without a time limit, for a result.
   *
   * <p>Each body publishes what it waits for before it searches, so that the last of several bodies
   * that close a cycle at the same time detects it.
   *
   * @throws WaitCycleException if the result can only be computed by bodies that wait for this one
   */
  public static void check(Body waiting) {
    var path = new ArrayList<Step>(2);
    while (leadsBack(waitOf(waiting), waiting, path, null)) {
      // The steps were found in sequence; steps that all still hold have held at the same time.
      if (path.stream().allMatch(each -> each.awaited().isAwaited()) && !admitsOne(path, waiting)) {
        throw proved(NodeObjects.of(waiting), describe(path.stream().map(Step::toString).toList()));
      }
      path.clear();
    }
  }

  /** Admits a call of the cycle that only waits for queue memory, if there is one. */
  private static boolean admitsOne(List<Step> path, Body waiting) {
    for (var each : path) {
      if (each.awaited() instanceof CapacityWait wait
          && NodeObjects.of(waiting).queueCapacity().exemptFromMemory(wait)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Follows the wait-for edges from a step.
   *
   * @param path receives the steps if they lead back to the body
   * @param seen bodies that are known not to lead back; {@code null} if there are none
   * @return whether the wait can end only after the body resumes
   */
  private static boolean leadsBack(
      @Nullable Step first, Body to, List<Step> path, @Nullable Set<Body> seen) {
    var begin = path.size();
    for (var at = first; at != null && at.awaited().isAwaited(); ) {
      if (path.size() >= LONGEST) {
        break;
      }
      var awaited = behind(at.awaited());
      if (awaited instanceof DerivedResult<?> pending) {
        var wants = pending.wants();
        if (wants.spare() > 0) {
          if (AnyOfDeadlockSearch.leadsBack(at.waiting(), pending, to, path)) {
            return true;
          }
          break;
        }
        var isOnWay = seen == null ? new HashSet<Body>() : seen;
        if (path.size() < MOST_NESTED && leadsBack(at, wants, to, path, isOnWay)) {
          return true;
        }
        break;
      }
      path.add(at);
      var next = computing(awaited);
      if (next == to) {
        return true;
      }
      if (next == null || seen != null && !seen.add(next)) {
        break;
      }
      at = waitOf(next);
    }
    path.subList(begin, path.size()).clear();
    return false;
  }

  /** Follows the wait-for edges from a result that needs all of several others. */
  private static boolean leadsBack(
      Step at, DerivedResult.Wants wants, Body to, List<Step> path, Set<Body> seen) {
    for (var each : wants.results()) {
      if (!isLimited(each) && leadsBack(new Step(at.waiting(), each), to, path, seen)) {
        return true;
      }
    }
    return false;
  }

  static boolean isLimited(FutureResult<?> awaited) {
    return awaited instanceof CallResult call && call.isLimited();
  }

  /**
   * Checks a request that is served concurrently with others and is about to wait. If it waits for
   * a call to its own object, that call may overtake the requests that cannot start before this one
   * ends.
   *
   * @param bounded whether the wait has a time limit
   * @throws WaitCycleException if the call cannot start in spite of that
   */
  public static void checkOwn(ServiceContext context, FutureResult<?> awaited, boolean bounded) {
    if (context.rule instanceof ServicePolicy.Rule.Beside
        && context.body instanceof ConcurrentBody body) {
      var impossible = ownCallThatCannotOvertake(awaited, body, context.rule);
      if (impossible != null && !bounded) {
        throw proved(
            NodeObjects.of(body), describe(List.of(new Step(body, impossible).toString())));
      }
    }
  }

  /**
   * Checks a request that is about to wait for the end of a body.
   *
   * @throws WaitCycleException if the body is its own, which ends only after the request
   */
  public static void checkOwnEnd(ServiceContext context, BodyEnd end) {
    var body = end.body();
    if (body != null
        && body == context.body
        && !(context.rule instanceof ServicePolicy.Rule.AtOnce)) {
      throw proved(
          NodeObjects.of(body),
          body
              + " waits for its own end, which comes only after the request that waits; call"
              + " terminate() and return");
    }
  }

  /**
   * Returns the call to the request's own object that makes the wait endless; {@code null} if there
   * is none.
   */
  private static @Nullable FutureResult<?> ownCallThatCannotOvertake(
      FutureResult<?> awaited, ConcurrentBody body, ServicePolicy.Rule rule) {
    return switch (behind(awaited)) {
      case CallResult call
          when computing(call) == body && !body.letPass(call, call.method(), rule) ->
          awaited;
      case DerivedResult<?> pending -> {
        var wants = pending.wants();
        var spare = wants.spare();
        for (var each : wants.results()) {
          var its = ownCallThatCannotOvertake(each, body, rule);
          if (its != null && !isLimited(each) && spare-- == 0) {
            yield its;
          }
        }
        yield null;
      }
      default -> null;
    };
  }

  /**
   * Returns the body of this JVM that alone can complete a result; {@code null} if it is unknown.
   */
  static @Nullable Body computing(FutureResult<?> awaited) {
    return switch (behind(awaited)) {
      case CallResult call -> {
        var body = bodyOf(call);
        yield body == null || body.isServedAtOnce(call.method()) ? null : body;
      }
      case QueueVacancy full -> full.queue().body();
      case BodyEnd end -> end.body();
      default -> null;
    };
  }

  /**
   * Returns the body of this JVM in which the object of a call is; {@code null} if there is none.
   */
  private static @Nullable Body bodyOf(CallResult call) {
    var target = call.target().target();
    return target instanceof Reference.Target.Here(Body body) && !body.hasLeft()
        ? body
        : call.target().runtime().host().movedWith(call);
  }

  /** Returns the other nodes that may have a call; none if its object is in this JVM. */
  private static Collection<? extends RemoteNode> otherNodes(CallResult call) {
    return bodyOf(call) != null ? List.of() : call.target().runtime().host().mayHave(call);
  }

  /** Returns the future of this JVM at the end of the chain of results that a result depends on. */
  static FutureResult<?> behind(FutureResult<?> awaited) {
    FutureResult<?> result = awaited;
    for (var steps = 0; steps < LONGEST; steps++) {
      @Nullable FutureResult<?> next = // read once, because it is cleared when the result arrives
          switch (result) {
            case CallResult call -> call.delegatedTo;
            case ForwardedFuture holder -> holder.source;
            case DerivedResult<?> pending -> pending.only();
            default -> null;
          };
      if (next == null) {
        return result;
      }
      result = next;
    }
    return result;
  }

  /** Follows a chain of results, each of which equals exactly one other result. */
  private static FutureResult<?> behindSingles(FutureResult<?> awaited) {
    FutureResult<?> result = awaited;
    for (var steps = 0; steps < LONGEST; steps++) {
      var next = result instanceof DerivedResult<?> pending ? pending.only() : null;
      if (next == null) {
        return result;
      }
      result = next;
    }
    return result;
  }

  private static String describe(List<String> path) {
    return "these waits could never end:\n  - "
        + String.join("\n  - ", path)
        + (path.size() == 1
            ? ", which can come only when it waits no longer\n"
            : ", which is the first of this list\n")
        + "Use ask(...) and return instead of waiting, or make the called method @Immediate";
  }

  /** Returns the exception for waits that can never end, after it has been recorded. */
  private static WaitCycleException proved(NodeObjects node, String text) {
    node.observer().events().add(NodeEvent.Kind.CYCLE, text);
    return new WaitCycleException(text);
  }

  /** Returns the exception for a body that is about to wait for a stage that it must run itself. */
  public static WaitCycleException stageOfItself(Body body) {
    return proved(
        NodeObjects.of(body),
        body
            + " waits for a stage of an ask that it made itself; the stage is a request of the same"
            + " object and would be served after this one. Return the stage, or give it an executor:"
            + " thenApplyAsync(.., executor)");
  }

  // Searches across nodes

  /*
   * Design: edge chasing across nodes
   *
   * A search sends probes along wait-for edges from node to node, as in [1], and has found a cycle when a
   * probe returns to the call with which it began. A wait without a time limit ends only when its result
   * arrives, so each edge is valid when it is followed and stays valid as long as the first call is
   * unanswered: a cycle that is found is proved. A search from an answer that waits for a future begins at
   * once; a search from a waiting body begins with the heartbeat, so that calls that are answered soon cost
   * nothing.
   *
   * A search for a call to an object that has moved goes to all nodes that may have the call, as far as the caller's node
   * knows: that of the object, and each that may owe the answer. A node that has no such call lets the search end, and a
   * later one follows the news of the move.
   *
   * A result that depends on many others sends probes to a few of them, different ones each time, and to fewer
   * the longer the path is. In a cycle, the results that remain in the end are those that never complete.
   *
   * [1] K. M. Chandy, J. Misra, L. M. Haas, Distributed deadlock detection, ACM Transactions on Computer
   * Systems 1(2), 1983.
   */
  private static final int MOST_BRANCHES = 8;

  /**
   * An edge of the wait-for graph: a future, and the body, if any, that serves nothing until it
   * completes.
   */
  record Step(@Nullable Body waiting, FutureResult<?> awaited) {

    @Override
    public String toString() {
      return (waiting == null ? "" : waiting + " waits for ") + awaited.describe();
    }
  }

  /**
   * Searches from a call whose answer waits for a future, along the origin of that future's value.
   *
   * @param call the call, made in this JVM
   */
  @Override
  public void delegated(CallResult call, FutureResult<?> future) {
    follow(
        new Search(node.id().incarnation(), node.idOf(call), false, List.of(call.describe())),
        new Step(null, future));
  }

  /** Searches from a call of another node whose answer waits for a future. */
  @Override
  public void delegated(RemoteNode caller, long callId, String call, FutureResult<?> future) {
    follow(
        new Search(caller.id().incarnation(), callId, false, List.of(call)),
        new Step(null, future));
  }

  /** Searches for bodies of this node that wait for themselves across other nodes. */
  public void searchAll() {
    for (var body : node.bodies()) {
      if (body.waitingFor != null) {
        search(body);
      }
    }
  }

  /** Searches whether a body waits for itself across other nodes. */
  public void search(Body body) {
    var step = waitOf(body);
    if (step != null && step.awaited() instanceof CapacityWait wait) {
      var forMemory = node.queueCapacity().isOnlyForMemory(wait);
      follow(new Search(node.id().incarnation(), wait.id, forMemory, List.of()), step);
    } else {
      search(step, 0);
    }
  }

  private void search(@Nullable Step first, int depth) {
    var step = depth < MOST_NESTED ? first : null;
    for (var steps = 0; step != null && steps < LONGEST; steps++) {
      step = new Step(step.waiting(), behindSingles(step.awaited()));
      if (step.awaited() instanceof CallResult call && bodyOf(call) == null && call.isAwaited()) {
        follow(new Search(node.id().incarnation(), node.idOf(call), false, List.of()), step);
        return;
      }
      for (var each : branches(step, depth)) {
        search(each, depth + 1);
      }
      step = next(step.awaited());
    }
  }

  /** Returns some of the results that a derived result depends on. */
  private static List<Step> branches(Step at, int depth) {
    if (!(at.awaited() instanceof DerivedResult<?> pending)) {
      return List.of();
    }
    var wants = pending.wants();
    var all = wants.results();
    if (all.isEmpty() || wants.spare() > 0) { // a subset of any-of dependencies proves nothing
      return List.of();
    }
    var branches = new ArrayList<Step>();
    var from = ThreadLocalRandom.current().nextInt(all.size());
    for (var i = 0; i < Math.min(all.size(), Math.max(1, MOST_BRANCHES >> depth)); i++) {
      branches.add(new Step(at.waiting(), all.get((from + i) % all.size())));
    }
    return branches;
  }

  /** Continues a search that another node began. */
  @Override
  public void probed(RemoteNode sender, Message.Probe probe) {
    var from = Peer.of(sender);
    var search = new Search(probe.starter(), probe.startCall(), probe.forMemory(), probe.path());
    switch (probe.follows()) {
      case FUTURE -> follow(search, step(from.futures().registered(probe.id())));
      case CALL -> {
        var served = from.incoming().unanswered(probe.id());
        if (served != null) {
          var beside = from.incoming().waitBeside(served);
          var step =
              served.delegate() != null
                  ? step(served.delegate())
                  : beside != null ? step(beside) : waitOf(served.waiting());
          // Otherwise the wait may belong to the request served next.
          if (from.incoming().unanswered(probe.id()) == served) {
            follow(search, step);
          }
        }
      }
      case QUEUE -> {
        var step = waitOf(node.body(probe.id()));
        // Otherwise a grant may be in transit, or the wait may belong to requests already taken
        // from the queue.
        if (from.incoming().fills(probe.id(), probe.places())) {
          follow(search, step);
        }
      }
    }
  }

  /** The origin of a search, and the steps that it has followed. */
  private record Search(long starter, long startCall, boolean forMemory, List<String> path) {

    Search plus(Step step) {
      var longer = new ArrayList<>(path);
      longer.add(step.toString());
      return new Search(starter, startCall, forMemory, longer);
    }

    Message.Probe probe(Message.Probe.Follows follows, long id, int places) {
      return new Message.Probe(starter, startCall, follows, id, places, forMemory, path);
    }
  }

  private void follow(Search begun, @Nullable Step first) {
    var search = begun;
    for (var from = first; from != null && from.awaited().isAwaited(); ) {
      if (search.path().size() >= LONGEST) {
        return;
      }
      if (from.awaited() instanceof CapacityWait wait) {
        if (isStart(wait.id, search)) {
          if (!node.queueCapacity().exemptFromMemory(wait)) {
            wait.settle(new Outcome.Failure<>(proved(node, describe(search.path()))));
          }
          return;
        }
        if (!search.forMemory() && node.queueCapacity().isOnlyForMemory(wait)) {
          return; // a search of its own will admit it
        }
      }
      var at = new Step(from.waiting(), behindSingles(from.awaited()));
      if (at.awaited() instanceof DerivedResult<?> pending) {
        if (search.path().size() >= MOST_NESTED) {
          return;
        }
        var begin = startAmong(pending.wants(), search);
        if (begin != null) {
          fail(new Step(at.waiting(), begin), begin, search);
          return;
        }
        for (var each : branches(at, search.path().size())) {
          follow(search, each);
        }
        return;
      }
      if (at.awaited() instanceof CallResult call && isStart(call, search)) {
        fail(at, call, search);
        return;
      }
      search = search.plus(from.awaited() instanceof CapacityWait ? from : at);
      probeOtherNodes(at.awaited(), search);
      from = next(at.awaited());
      if (!at.awaited().isAwaited()) {
        return; // it has completed meanwhile, so the edge behind it may belong to a later wait
      }
    }
  }

  private boolean isStart(CallResult call, Search search) {
    return isStart(node.idOf(call), search);
  }

  private boolean isStart(long id, Search search) {
    return search.starter() == node.id().incarnation()
        && !search.path().isEmpty()
        && id == search.startCall();
  }

  private @Nullable CallResult startAmong(DerivedResult.Wants wants, Search search) {
    for (var each : wants.results()) {
      if (wants.spare() == 0 && each instanceof CallResult call && isStart(call, search)) {
        return call;
      }
    }
    return null;
  }

  private static @Nullable Step step(@Nullable FutureResult<?> future) {
    return future == null ? null : new Step(null, future);
  }

  private static @Nullable Step waitOf(@Nullable Body body) {
    var awaited = body == null ? null : body.waitingFor;
    return awaited == null ? null : new Step(body, awaited);
  }

  /** Returns what a future waits for in this JVM; {@code null} if nothing is known here. */
  private static @Nullable Step next(FutureResult<?> at) {
    return switch (at) {
      case CallResult call when call.delegatedTo != null -> step(call.delegatedTo);
      case CallResult call -> waitOf(computing(call));
      case QueueVacancy full -> waitOf(computing(full));
      case BodyEnd end -> waitOf(end.body());
      case ForwardedFuture holder -> step(holder.source);
      default -> null;
    };
  }

  private static void probeOtherNodes(FutureResult<?> at, Search search) {
    switch (at) {
      case CallResult call when call.delegatedTo == null -> {
        for (var each : otherNodes(call)) {
          Peer.of(each).send(search.probe(Message.Probe.Follows.CALL, call.callId, 0));
        }
      }
      case ForwardedFuture holder when holder.source == null && holder.origin != null ->
          Peer.of(holder.origin).send(search.probe(Message.Probe.Follows.FUTURE, holder.id, 0));
      case QueueVacancy full when full.queue().home() instanceof Peer home ->
          home.send(
              search.probe(Message.Probe.Follows.QUEUE, full.queue().number(), full.places()));
      default -> {
        // The search continues on this node or ends.
      }
    }
  }

  private void fail(Step last, CallResult call, Search search) {
    if (last.waiting() != null) {
      var others = otherNodes(call);
      call.settle(new Outcome.Failure<>(proved(node, describe(search.path()))));
      // The request must not be served any more, and its caller may wait in an exchange.
      call.abandoned();
      for (var each : others) {
        if (each != call.peer()) { // its object has moved there
          Peer.of(each).abandonMoved(call.callId);
        }
      }
      return;
    }
    call.settle(
        new Outcome.Failure<>(
            proved(
                node,
                "this future can never have a value, for it waits for itself:\n  - "
                    + String.join("\n  - which is that of ", search.path())
                    + "\n  - which is that of the first of this list")));
  }
}
