package org.troupe.activeobjects.internal.object;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.IdTable;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.listing.DepartedObject;
import org.troupe.activeobjects.internal.listing.NodeDeaths;
import org.troupe.activeobjects.internal.listing.NodeTrials;

/** The bodies of one node that have a number by which other nodes know them. */
public final class ExportedBodies {

  /*
   * Design: bodies that are held for other nodes
   *
   * An exported body is held strongly while another node may refer to it (HostedCopies). Otherwise it is held weakly, and
   * the collector of the JVM decides, as for bodies that were never exported. A body that is given away again is held
   * strongly again.
   *
   * Some bodies are held for good, and their copies are not counted: the node's own service, bodies whose objects move
   * and are not counted, those that have called a moved object or given up a call to another node, since the receiver
   * may ask for a reference to the caller, and bodies that another node of this JVM has passed on.
   *
   * A body whose object has left is held weakly whatever other nodes refer to. If it was cleared, another one succeeds it
   * as soon as something of this node refers to the object, and forwards its requests. So a cleared body proves that
   * nothing of this node does. The copies of references are listed here until the object ends; when its host has the only
   * ones, or it has come home and no other node has any, the releases of MovedObjects let it be collected (DepartedObject).
   *
   * Others are held for some time, and reviewed with each report to other nodes: members of groups in step while their
   * group lives, and callers of one-way calls until these have been served. For the latter all other nodes are asked at
   * once how many calls they have served. If these are all calls, the receivers have reported the references that they made
   * of callers before. A body that makes another one-way call meanwhile waits for the next time.
   *
   * An object on trial (ObjectTrials) is held weakly although other nodes refer to it. A request for its body lets it return.
   * If the body was cleared meanwhile, another succeeds it, whose copies are those of the former one.
   *
   * A review is made by the timer without locks, since it asks the extensions.
   *
   * Lock order: the lock of an inbox or an outbox, the losses, the monitor of an exported body, those of the deaths and of the
   * trials.
   */

  private final NodeObjects node;
  private final CollectionMode mode;
  private final ExportTable table;
  private final IdTable<ExportedBody> bodies;
  private final NodeDeaths deaths;
  private final NodeTrials trials;

  /** Guards the order of losses and statements; each of them is struck out for all bodies. */
  private final Object losses = new Object();

  private final AtomicBoolean isAsking = new AtomicBoolean(); // whether calls have been served

  /** Makes the bodies that forward requests to an object that has left this node. */
  @FunctionalInterface
  public interface Forwarding {

    /** Makes another body with the number of the one that the object has left. */
    Body again();
  }

  ExportedBodies(NodeObjects node, CollectionMode mode) {
    this.node = node;
    this.mode = mode;
    table = new ExportTable(node, mode);
    bodies = table.bodies;
    deaths = table.deaths;
    trials = table.trials;
  }

  /** Makes a body known by a number. */
  void add(Body body, long number) {
    var exported = new ExportedBody(table, body, number);
    bodies.put(number, exported);
    if (body.isHeldForCalls()) {
      exported.holdForGood(body);
    }
    if (mode != CollectionMode.OFF && !NodeObjects.isService(number)) {
      node.tellsLater();
    }
    Reference.reachabilityFence(body);
  }

  /** Returns the body of a number; {@code null} if there is none, or it has ended. */
  @Nullable Body body(long number) {
    var exported = bodies.get(number);
    return exported == null ? null : exported.body();
  }

  /** Returns all of them. */
  Collection<Body> all() {
    List<Body> all = new ArrayList<>();
    for (var each : bodies.values()) {
      var body = each.bodyIfPresent();
      if (body != null) {
        all.add(body);
      }
    }
    return all;
  }

  /**
   * Passes on the bodies in a part of the table; returns where the next part begins, and 0 after
   * the last one.
   */
  public int visit(int from, int length, Consumer<? super Body> visitor) {
    return visit(from, length, visitor, () -> {});
  }

  /**
   * Passes on the bodies in a part of the table.
   *
   * @param onCollected runs for each entry whose body was collected, and whose object is not on
   *     trial
   * @return where the next part begins; 0 after the last one
   */
  public int visit(int from, int length, Consumer<? super Body> visitor, Runnable onCollected) {
    return bodies.visit(
        from,
        length,
        each -> {
          var body = each.bodyIfPresent();
          if (body != null) {
            visitor.accept(body);
          } else if (!each.isOnTrial()) {
            onCollected.run();
          }
        });
  }

  /** Returns how many there are. */
  public int size() {
    return bodies.size();
  }

  /** Returns the types of the objects on trial that have no body at present, by their numbers. */
  public Map<Long, ActiveType<?>> cleared() {
    return trials.areAny() ? node.trials().cleared() : Map.of();
  }

  /** Returns the states of the objects that are on trial. */
  NodeTrials trials() {
    return trials;
  }

  /** Returns the entries of all bodies. */
  Collection<ExportedBody> entries() {
    return bodies.values();
  }

  @Nullable ExportedBody entry(long number) {
    return bodies.get(number);
  }

  /** Returns whether cycles over several nodes are searched for. */
  public boolean findsCycles() {
    return mode == CollectionMode.CYCLES;
  }

  /** Returns whether there are any besides the node's own service. */
  boolean areAny() {
    return bodies.size() > 1;
  }

  void remove(long number) {
    table.remove(number);
  }

  /** Returns whether copies are counted. */
  public boolean areCounted() {
    return mode != CollectionMode.OFF;
  }

  /** Counts a copy of a reference to a body that a node of this JVM is about to send. */
  public void given(Body body, NodeObjects giver, long receiver) {
    var exported = bodies.get(body.number());
    if (exported == null) {
      return; // it has ended
    }
    if (body.copies() instanceof CopyCount copies) {
      copies.given(giver, receiver);
    } else if (giver != node || body.origin() != null) {
      exported.holdForGood(body);
    } else {
      exported.given(body, receiver);
      CopyStep.GIVEN.passes(node.id());
    }
  }

  /**
   * Counts a copy that has come home from another node.
   *
   * @return the body, which the copy refers to; {@code null} if it has ended
   */
  public @Nullable Body cameHome(long number, long giver) {
    var exported = bodies.get(number);
    var body = exported == null ? null : exported.body();
    if (exported != null && exported.isCounted()) {
      exported.changed(copies -> copies.cameHome(giver));
      CopyStep.TAKEN_OFF_WIRE.passes(node.id());
    }
    Reference.reachabilityFence(body);
    return body;
  }

  /** Counts a copy that another node has made of a name, such as that of a caller. */
  public void keptBy(long number, long receiver) {
    var exported = bodies.get(number);
    if (exported != null) {
      exported.keptBy(receiver);
    }
  }

  /** Counts what another node tells of its copies. */
  public void told(long teller, List<RemoteObjects.Change> changes) {
    for (var each : changes) {
      var exported = bodies.get(each.number());
      if (exported != null) {
        exported.changed(copies -> copies.told(teller, each.copies()));
      }
    }
  }

  /**
   * Holds an object until it ends that has left this node: a node has made a reference of its name,
   * which holds nothing. It may have been collected.
   */
  public void named(long number) {
    var exported = bodies.get(number);
    if (exported != null) {
      exported.pin();
    }
  }

  /** Holds a body until it ends, if it has a number. */
  public void holdForGood(Body body) {
    var exported = bodies.get(body.numberIfKnown());
    if (exported != null) {
      exported.holdForGood(body);
    }
  }

  /** Holds a body for good no longer, as no object is in it any more. */
  public void letGo(Body body) {
    var exported = bodies.get(body.numberIfKnown());
    if (exported != null) {
      exported.letGo();
    }
  }

  /** Holds another body for good instead of one that their object has left, if it was held so. */
  public void succeeded(Body left, Body later) {
    var exported = bodies.get(left.numberIfKnown());
    if (exported != null && !exported.isCounted()) {
      holdForGood(later);
      exported.letGo();
    }
  }

  /** Holds a body that has got an extension, or has made a one-way call. */
  void review(Body body) {
    var exported = bodies.get(body.numberIfKnown());
    if (exported != null) {
      exported.keepForReview(body);
    }
  }

  // Lost nodes

  /** Records a loss that was announced, so that nothing is collected before it is settled. */
  public void announced(long lost, Object grid, long view) {
    deaths.announced(lost, grid, view);
  }

  /**
   * Strikes out a lost node, from which no frame is taken any more.
   *
   * @param grid identifies the grid that announced the loss
   * @param view the number of its view
   */
  public void died(long lost, Object grid, long view) {
    synchronized (losses) {
      if (deaths.died(lost, grid, view)) {
        strikeOut(lost);
      }
    }
  }

  private void strikeOut(long lost) {
    bodies.values().forEach(each -> each.died(lost));
  }

  /** Puts what a member has stated. */
  public void stated(long lost, long teller, List<RemoteObjects.Stated> statement) {
    synchronized (losses) {
      if (deaths.statedBefore(lost)) {
        strikeOut(lost);
      }
      for (var each : statement) {
        var exported = bodies.get(each.number());
        if (exported != null) {
          exported.changed(copies -> copies.stated(lost, teller, each.count()));
        }
      }
    }
  }

  /** Handles the news that all members of a grid have stated everything up to a view of it. */
  public void settled(Object grid, long view) {
    synchronized (losses) {
      deaths.settled(grid, view);
      bodies.values().forEach(each -> each.changed(copies -> {}));
    }
    CopyStep.SETTLED.passes(node.id());
  }

  /** Strikes out the members of a grid that this node has left, which cannot reach it any more. */
  public void left(Collection<Long> members) {
    synchronized (losses) {
      for (var each : members) {
        if (deaths.left(each)) {
          strikeOut(each);
        }
      }
      bodies.values().forEach(each -> each.changed(copies -> {}));
    }
  }

  // Objects that move

  /** Returns whether the copies of references to an object are counted. */
  public boolean isCounted(long number) {
    var exported = bodies.get(number);
    return exported != null && exported.isCounted();
  }

  /**
   * Returns the other nodes that may have references to the object of a body; {@code null} if they
   * are not known, as of an object that has come from another node.
   */
  public @Nullable Set<Long> holders(Body body) {
    if (!areCounted() || body.origin() != null) {
      return null;
    }
    var exported = bodies.get(body.numberIfKnown());
    return exported == null ? Set.of() : exported.isCounted() ? exported.holders() : null;
  }

  /** Returns what counts the copies of references to an object; {@code null} if nothing does. */
  public @Nullable CopyCount copies(long number) {
    var exported = bodies.get(number);
    return exported != null && exported.isCounted() ? exported : null;
  }

  /** Holds the body of an object that is about to leave, for good if it does not. */
  public void leaves(long number) {
    var exported = bodies.get(number);
    if (exported != null) {
      exported.leaves();
    }
  }

  /** Records that the object of a body has left the node on which it was created. */
  public void departed(Body body, Forwarding forwarding) {
    var exported = bodies.get(body.numberIfKnown());
    if (exported != null) {
      exported.departed(body, forwarding);
    }
  }

  /** Returns the numbers of the objects that have left and are to be released, if they may be. */
  public List<Long> unreleased() {
    return table.unreleased.due().stream().map(ExportedBody::number).toList();
  }

  /** Returns what other nodes are to be asked about; {@code null} if an object is in use. */
  public DepartedObject.@Nullable Question question(long number) {
    var exported = bodies.get(number);
    return exported == null ? null : exported.question();
  }

  /**
   * Decides, when all have answered a question, whether an object is released. Here it is.
   *
   * @return whether another host is to release it
   */
  public boolean release(long number, DepartedObject.Question question) {
    var exported = bodies.get(number);
    return exported != null && exported.release(question);
  }

  /** Returns whether something of this node waits for the end of an object that leaves a body. */
  public boolean isEndAwaited(Body body) {
    var exported = bodies.get(body.numberIfKnown());
    var known = exported == null ? 0 : exported.waiting();
    var leaders = Links.leaders(body).size(); // which the next node watches
    return body.endListeners().size() > known + leaders + 1; // the one of MovedObject
  }

  /**
   * Records the end of an object that has left, and was counted. One that was lost stays known, so
   * that references to it can be passed on, and calls learn of the loss.
   */
  public void endedElsewhere(long number, End end) {
    var exported = bodies.get(number);
    if (exported != null && exported.hasLeft()) {
      if (end.how() != End.How.LOST) {
        node.ended(number, end);
        exported.forget();
      }
      exported.watchers().forEach(watcher -> watcher.collected(end));
    }
  }

  // Collected bodies

  /** Forgets the bodies that were collected, and releases those whose group has ended. */
  void sweep() {
    reviewCallers();
    for (var each : List.copyOf(table.reviewed)) {
      table.reviewed.remove(each); // first: a change after this look adds it again
      var body = table.has(each) ? each.bodyIfPresent() : null;
      if (body == null) {
        continue; // it has ended
      }
      if (body.hasExtensions() || body.mayHaveUnservedCalls()) {
        each.keepForReview(body);
      } else {
        each.releaseReviewed();
      }
    }
    for (Reference<? extends Body> each; (each = table.gone.poll()) != null; ) {
      switch (each) {
        case ExportedBody exported when exported.hasLeft() -> exported.forwarderCleared();
        case ExportedBody exported -> {
          var isKnown = table.has(exported);
          if (isKnown && !exported.isOnTrial()) { // else it had ended, or is kept
            collected(exported);
          }
        }
        case ExportedBody.Forwarder forwarder -> forwarder.exported.forwarderCleared();
        default -> throw new AssertionError(each);
      }
    }
  }

  private void collected(ExportedBody exported) {
    node.collected(exported.number());
    bodies.remove(exported.number());
    var first = exported.birthplace();
    if (first != null) {
      first.guestCollected();
    }
    trials.ended(exported.number());
    var watchers = exported.watchers();
    if (!watchers.isEmpty()) {
      var end = node.recordedEnd(exported.number());
      watchers.forEach(watcher -> watcher.collected(end));
    }
  }

  /** Frees an object that was proved to be garbage. */
  boolean free(long number) {
    var exported = bodies.get(number);
    if (exported == null || !exported.free()) {
      return false;
    }
    collected(exported);
    return true;
  }

  /** Asks other nodes whether all one-way calls were served, if that may release a caller. */
  private void reviewCallers() {
    List<Body> callers = new ArrayList<>();
    for (var each : table.reviewed) {
      var body = each.bodyIfPresent();
      if (body != null && body.mayHaveUnservedCalls()) {
        callers.add(body);
      }
    }
    if (callers.isEmpty() || !isAsking.compareAndSet(false, true)) {
      return;
    }
    callers.forEach(Body::asksForServedCalls);
    node.host()
        .areAllCallsServed()
        .whenComplete(
            (areServed, _) -> {
              if (Boolean.TRUE.equals(areServed)) {
                callers.forEach(Body::earlierCallsServed); // the next review releases them
              }
              isAsking.set(false);
            });
  }

  /** Lets a caller of another node watch a body without holding it. */
  public BodyEnd watch(Body body) {
    var exported = bodies.get(body.number());
    var end = BodyEnd.ofWeak(body, node.waiting());
    if (exported != null) {
      exported.watch(end);
    }
    Reference.reachabilityFence(body); // not collected before it is watched
    return end;
  }
}
