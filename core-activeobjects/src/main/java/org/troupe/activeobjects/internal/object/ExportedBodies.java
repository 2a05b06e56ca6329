package org.troupe.activeobjects.internal.object;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.IdTable;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.listing.HostedCopies;
import org.troupe.activeobjects.internal.listing.NodeDeaths;
import org.troupe.activeobjects.internal.listing.NodeTrials;
import org.troupe.activeobjects.internal.listing.ObjectName;

/** The bodies of one node that have a number by which other nodes know them. */
public final class ExportedBodies {

  /*
   * Design: bodies that are held for other nodes
   *
   * An exported body is held strongly while another node may refer to it (HostedCopies). Otherwise it is held weakly, and
   * the collector of the JVM decides, as for bodies that were never exported. A body that is given away again is held
   * strongly again.
   *
   * Some bodies are held for good, and their copies are not counted: the node's own service, bodies whose objects have
   * moved or are about to, those that have called a moved object or given up a call to another node, since the receiver
   * may ask for a reference to the caller, and bodies that another node of this JVM has passed on.
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
  private final IdTable<Exported> bodies = new IdTable<>();
  private final ReferenceQueue<Body> gone = new ReferenceQueue<>();
  private final NodeDeaths deaths;
  private final NodeTrials trials = new NodeTrials();

  /** Guards the order of losses and statements; each of them is struck out for all bodies. */
  private final Object losses = new Object();

  /** Bodies that may be held for their extensions or their one-way calls only. */
  private final Set<Exported> reviewed = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean isAsking = new AtomicBoolean(); // whether calls have been served

  /**
   * A body and the copies of references to it. Its monitor guards what is not final or volatile.
   */
  final class Exported extends WeakReference<Body> {

    private final long number;
    private final HostedCopies copies;
    private volatile @Nullable Body held;
    private boolean isHeldForGood;
    private volatile boolean isOnTrial; // or about to be; it is not held then
    private List<BodyEnd> watchers = List.of();

    Exported(Body body, Exported former) {
      super(body, gone);
      number = former.number;
      copies = former.copies;
      held = body;
      watchers = former.watchers;
      watchers.forEach(each -> body.onEnd(each::collected));
    }

    Exported(Body body, long number) {
      super(body, gone);
      this.number = number;
      copies = new HostedCopies(deaths);
      isHeldForGood = mode == CollectionMode.OFF || NodeObjects.isService(number);
      if (isHeldForGood) {
        held = body;
      } else {
        release(body);
      }
    }

    @Nullable Body body() {
      var known = held;
      if (known != null) {
        return known;
      }
      return isOnTrial ? returned() : get();
    }

    /** Returns the body if there is one at present. */
    @Nullable Body bodyIfPresent() {
      var known = held;
      return known != null ? known : get();
    }

    long number() {
      return number;
    }

    /**
     * Returns the entry of the body that has succeeded one that was cleared on trial; this one
     * stays on trial for good.
     */
    private @Nullable Exported successor() {
      var current = isOnTrial ? bodies.get(number) : this;
      return current == this ? null : current;
    }

    /** Lets the object return from its trial, and returns its body. */
    private synchronized @Nullable Body returned() {
      if (!isOnTrial) {
        return bodyIfPresent();
      }
      var current = bodies.get(number);
      if (current != this) {
        return current == null ? null : current.body();
      }
      trials.returns(number);
      var body = get();
      if (body != null) {
        held = body; // first: a thread that looks for the body sees one of the two
        isOnTrial = false;
        node.trials().returned(number, body);
        return body;
      }
      var made = node.trials().madeAgain(number);
      bodies.put(number, new Exported(made, this));
      return made;
    }

    /**
     * Holds the object weakly from now on, for its trial, unless something needs it.
     *
     * @param names the objects that its image names
     */
    synchronized boolean prepare(Body body, List<ObjectName> names) {
      if (!maySuspect(body)) {
        return false;
      }
      trials.prepared(number, names, copies.isUnreferenced());
      isOnTrial = true;
      held = null;
      return true;
    }

    /** Returns whether only references keep an object from being collected. */
    synchronized boolean maySuspect(Body body) {
      return !isHeldForGood
          && !isOnTrial
          && !body.mayBeNeeded()
          && !reviewed.contains(this)
          && body.endListeners().size() <= waiting();
    }

    private long waiting() {
      return watchers.stream().filter(each -> !each.isOver()).count();
    }

    synchronized Set<Long> holders() {
      return copies.holders();
    }

    /** Records whether an object on trial was cleared, with its body. */
    synchronized void look(WeakReference<Object> object) {
      if (isOnTrial && refersTo(null) && object.refersTo(null)) {
        trials.cleared(number);
      }
    }

    /** Forgets an object that was proved to be garbage; returns {@code false} if it is not. */
    synchronized boolean free() {
      var isGarbage =
          isOnTrial && bodies.get(number) == this && refersTo(null) && copies.isUnreferenced();
      if (isGarbage) {
        bodies.remove(number); // under the monitor, so that it cannot return
      }
      return isGarbage;
    }

    synchronized void holdForGood(Body body) {
      var successor = successor();
      if (successor != null) {
        successor.holdForGood(body);
        return;
      }
      if (isOnTrial) {
        returned();
      }
      isHeldForGood = true;
      held = body;
    }

    synchronized boolean isCounted() {
      return !isHeldForGood;
    }

    synchronized void given(Body body, long receiver) {
      var successor = successor();
      if (successor != null) {
        successor.given(body, receiver);
      } else if (deaths.isDead(receiver)) {
        holdForGood(body); // no message will tell the fate of the copy
      } else if (!isHeldForGood) {
        copies.given(receiver);
        counted();
        release(body);
      }
    }

    private void counted() {
      if (trials.areAny()) {
        trials.counted(number, copies.isUnreferenced());
      }
    }

    /** Applies a change, and holds the body as long as there are copies. */
    synchronized void changed(Consumer<HostedCopies> change) {
      var successor = successor();
      if (successor != null) {
        successor.changed(change);
      } else if (!isHeldForGood) {
        change.accept(copies);
        counted();
        release(bodyIfPresent());
      }
    }

    /** Holds a body strongly if there may be copies, or something else may need it. */
    synchronized void release(@Nullable Body body) {
      if (isHeldForGood || body == null || isOnTrial) {
        return;
      }
      if (!copies.isUnreferenced() || trials.areAny() && trials.isHeld(number)) {
        held = body;
      } else if (body.mayBeNeeded()) {
        keepForReview(body);
      } else {
        held = null;
      }
    }

    /** Holds a body until a review finds that nothing needs it. */
    synchronized void keepForReview(Body body) {
      if (isOnTrial) {
        returned();
      }
      held = body;
      reviewed.add(this);
    }

    /** Releases a body that is not needed, unless something has asked for another review. */
    synchronized void releaseReviewed() {
      if (!isHeldForGood
          && copies.isUnreferenced()
          && !reviewed.contains(this)
          && !(trials.areAny() && trials.isHeld(number))) {
        held = null;
      }
    }

    synchronized boolean watch(BodyEnd end) {
      var successor = successor();
      if (successor != null) {
        return successor.watch(end);
      }
      watchers = watchers.isEmpty() ? new ArrayList<>(1) : watchers;
      watchers.removeIf(BodyEnd::isOver);
      return watchers.add(end);
    }

    synchronized List<BodyEnd> watchers() {
      return List.copyOf(watchers);
    }
  }

  ExportedBodies(NodeObjects node, CollectionMode mode) {
    this.node = node;
    this.mode = mode;
    deaths = new NodeDeaths(node.id().incarnation());
  }

  /** Makes a body known by a number. */
  void add(Body body, long number) {
    var exported = new Exported(body, number);
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
    return bodies.visit(
        from,
        length,
        each -> {
          var body = each.bodyIfPresent();
          if (body != null) {
            visitor.accept(body);
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
  Collection<Exported> entries() {
    return bodies.values();
  }

  @Nullable Exported entry(long number) {
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
    bodies.remove(number);
    if (trials.areAny()) {
      trials.ended(number);
    }
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
    if (giver != node || body.origin() != null) {
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
      exported.changed(copies -> copies.given(receiver));
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

  /** Holds a body until it ends, if it has a number. */
  public void holdForGood(Body body) {
    var exported = bodies.get(body.numberIfKnown());
    if (exported != null) {
      exported.holdForGood(body);
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
    bodies.values().forEach(each -> each.changed(copies -> copies.died(lost)));
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

  // Collected bodies

  /** Forgets the bodies that were collected, and releases those whose group has ended. */
  void sweep() {
    reviewCallers();
    for (var each : List.copyOf(reviewed)) {
      reviewed.remove(each); // first: a change after this look adds it again
      var body = bodies.get(each.number) == each ? each.bodyIfPresent() : null;
      if (body == null) {
        continue; // it has ended
      }
      if (body.hasExtensions() || body.mayHaveUnservedCalls()) {
        each.keepForReview(body);
      } else {
        each.releaseReviewed();
      }
    }
    for (Exported each; (each = (Exported) gone.poll()) != null; ) {
      if (bodies.get(each.number) == each && !each.isOnTrial) { // else it had ended, or is kept
        collected(each);
      }
    }
  }

  private void collected(Exported exported) {
    node.collected(exported.number);
    bodies.remove(exported.number);
    trials.ended(exported.number);
    var watchers = exported.watchers();
    if (!watchers.isEmpty()) {
      var end = node.recordedEnd(exported.number);
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
    for (var each : reviewed) {
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
