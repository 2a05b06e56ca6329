package org.troupe.activeobjects.internal.object;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.listing.DepartedObject;
import org.troupe.activeobjects.internal.listing.HostedCopies;
import org.troupe.activeobjects.internal.listing.ObjectName;

/**
 * A body that other nodes know by its number, and the copies of references to it. Its monitor
 * guards the fields that are neither final nor volatile. {@link ExportedBodies} has the design.
 */
final class ExportedBody extends WeakReference<Body> implements CopyCount {

  /** A body that was made after the one that the object has left. */
  static final class Forwarder extends WeakReference<Body> {
    final ExportedBody exported;

    Forwarder(Body body, ReferenceQueue<Body> gone, ExportedBody exported) {
      super(body, gone);
      this.exported = exported;
    }
  }

  /** An object that has left, whose copies are counted. The monitor of its entry guards it. */
  private static final class Departed {
    final DepartedObject object;
    final ExportedBodies.Forwarding forwarding;
    volatile @Nullable Forwarder forwarder; // after the first body
    WeakReference<Body> guest = new WeakReference<>(null); // in which it came home
    @Nullable Body held; // that body, unless it is released

    Departed(DepartedObject object, ExportedBodies.Forwarding forwarding) {
      this.object = object;
      this.forwarding = forwarding;
    }

    @Nullable Body forwarderIfPresent() {
      var known = forwarder;
      return known == null ? null : known.get();
    }

    void holdGuest() {
      held = object.home().holds() ? guest.get() : null;
    }
  }

  private final ExportTable table;
  private final long number;
  private final HostedCopies copies;
  private volatile @Nullable Body held;
  private boolean isHeldForGood;
  private volatile boolean isOnTrial; // or about to be; it is not held then
  private boolean isLeaving; // with its copies; it is held then
  private volatile @Nullable Departed departed; // null before the object has left
  private final @Nullable ExportedBody birthplace; // of an object that has come home to this body
  private List<BodyEnd> watchers = List.of();

  ExportedBody(Body body, ExportedBody former) {
    super(body, former.table.gone);
    table = former.table;
    number = former.number;
    copies = former.copies;
    birthplace = null;
    held = body;
    watchers = former.watchers;
    watchers.forEach(each -> body.onEnd(each::collected));
  }

  ExportedBody(ExportTable table, Body body, long number) {
    super(body, table.gone);
    this.table = table;
    this.number = number;
    copies = new HostedCopies(table.deaths);
    birthplace = body.copies() instanceof ExportedBody first ? first : null;
    isHeldForGood = table.mode == CollectionMode.OFF || NodeObjects.isService(number);
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
    var present = get();
    var left = departed; // read later: a body is not cleared while its object leaves
    if (left != null) {
      return forwarder(left);
    }
    return isOnTrial ? returned() : present;
  }

  /** Returns the body if there is one at present. */
  @Nullable Body bodyIfPresent() {
    var known = held;
    var first = known != null ? known : get();
    var left = departed;
    return first == null && left != null ? left.forwarderIfPresent() : first;
  }

  // An object that moves

  /** Holds the body of an object that is about to leave for the first time. */
  synchronized void leaves() {
    if (isOnTrial) {
      returned();
    }
    if (departed == null) {
      isLeaving = true;
      held = bodyIfPresent();
    }
  }

  /** Records that the object has left for the first time. */
  synchronized void departed(Body body, ExportedBodies.Forwarding how) {
    isLeaving = false;
    if (!isHeldForGood) {
      departed = new Departed(new DepartedObject(copies, table.node::nextId), how);
      keepForReview(body);
    }
  }

  /**
   * Returns the body that the object has left, or the one that has succeeded it; {@code null} if
   * the object has ended.
   */
  private synchronized @Nullable Body forwarder(Departed left) {
    var present = bodyIfPresent();
    if (present != null || !table.has(this)) {
      return present;
    }
    var made = left.forwarding.again();
    left.forwarder = new Forwarder(made, table.gone, this);
    holdAgain(left, left.object.takeBack());
    return made;
  }

  private void holdAgain(Departed left, long host) {
    left.holdGuest();
    if (host != 0) {
      table.node.host().holdGuestAgain(host, number);
    }
  }

  /** Forgets an object that has ended; a body that was made again before learns of its end. */
  synchronized void forget() {
    table.remove(number);
  }

  /** Holds an object for good if it has left: its copies are not known exactly any more. */
  synchronized void pin() {
    isHeldForGood = true;
    held = bodyIfPresent();
    var left = departed;
    if (left != null) {
      table.unreleased.remove(this);
      holdAgain(left, left.object.pin());
    }
  }

  private void learnt() {
    var left = departed;
    if (left != null) {
      left.object.learnt();
      reviewRelease(left);
    }
  }

  private void reviewRelease(Departed left) {
    if (left.object.question() != null && table.has(this)) {
      table.unreleased.add(this);
    } else {
      table.unreleased.remove(this);
    }
  }

  /** Handles that a body was cleared which the object had left. */
  synchronized void forwarderCleared() {
    var left = departed;
    if (left != null && !isHeldForGood && bodyIfPresent() == null) {
      reviewRelease(left);
    }
  }

  /** Returns what other nodes are to be asked about; {@code null} if the object is in use. */
  synchronized DepartedObject.@Nullable Question question() {
    var left = departed;
    return left == null || isHeldForGood || bodyIfPresent() != null ? null : left.object.question();
  }

  /** Implements {@link ExportedBodies#release}. */
  synchronized boolean release(DepartedObject.Question question) {
    var left = departed;
    if (left == null || isHeldForGood || bodyIfPresent() != null) {
      return false;
    }
    var isElsewhere = left.object.release(question);
    left.holdGuest();
    return isElsewhere;
  }

  @Override
  public synchronized void given(NodeObjects giver, long receiver) {
    if (giver != table.node || table.deaths.isDead(receiver)) {
      pin();
    } else {
      changed(its -> its.given(receiver));
      used();
    }
  }

  @Override
  public synchronized void arrived(Body home) {
    var left = departed;
    if (left != null) {
      left.guest = new WeakReference<>(home);
      left.object.home().arrived();
      left.holdGuest();
      learnt();
    }
  }

  @Override
  public synchronized void left(Body home) {
    var left = departed;
    if (left != null && left.guest.refersTo(home)) {
      left.object.home().left();
      left.holdGuest();
      learnt();
    }
  }

  @Override
  public synchronized void used() {
    var left = departed;
    if (left != null) {
      left.object.home().used();
      left.holdGuest();
    }
  }

  /** Handles that the body was cleared in which the object had come home. */
  synchronized void guestCollected() {
    var left = departed;
    if (left != null && left.object.home().isHere() && left.guest.refersTo(null)) {
      left.object.home().left();
      table.node.host().collected(number);
    }
  }

  /** Counts a copy that another node has made of a name. */
  synchronized void keptBy(long receiver) {
    var body = bodyIfPresent();
    if (departed != null || body != null && body.origin() != null) {
      pin(); // if it is a guest, its birthplace does the same
    } else {
      changed(its -> its.given(receiver));
    }
  }

  /** Strikes out a lost node. */
  synchronized void died(long lost) {
    if (departed != null || isLeaving) {
      pin();
    } else {
      changed(its -> its.died(lost));
    }
  }

  long number() {
    return number;
  }

  /** Returns whether the object has left, and its copies are counted. */
  boolean hasLeft() {
    return departed != null;
  }

  /** Returns whether the object is on trial, or about to be. */
  boolean isOnTrial() {
    return isOnTrial;
  }

  /** Returns the entry of the birthplace of an object that has come home to this body, if any. */
  @Nullable ExportedBody birthplace() {
    return birthplace;
  }

  /**
   * Returns the entry of the body that has succeeded one that was cleared on trial; this one stays
   * on trial for good.
   */
  private @Nullable ExportedBody successor() {
    var current = isOnTrial ? table.bodies.get(number) : this;
    return current == this ? null : current;
  }

  /** Lets the object return from its trial, and returns its body. */
  private synchronized @Nullable Body returned() {
    if (!isOnTrial) {
      return bodyIfPresent();
    }
    var current = table.bodies.get(number);
    if (current != this) {
      return current == null ? null : current.body();
    }
    table.trials.returns(number);
    var body = get();
    if (body != null) {
      held = body; // first: a thread that looks for the body sees one of the two
      isOnTrial = false;
      table.node.trials().returned(number, body);
      return body;
    }
    var made = table.node.trials().madeAgain(number);
    table.bodies.put(number, new ExportedBody(made, this));
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
    table.trials.prepared(number, names, copies.isUnreferenced());
    isOnTrial = true;
    held = null;
    return true;
  }

  /** Returns whether only references keep an object from being collected. */
  synchronized boolean maySuspect(Body body) {
    return !isHeldForGood
        && !isOnTrial
        && !isLeaving
        && departed == null
        && !body.mayBeNeeded()
        && !table.reviewed.contains(this)
        && body.endListeners().size() <= waiting();
  }

  /** Returns how many callers of other nodes wait for the end of the body. */
  synchronized long waiting() {
    var waiting = 0L;
    for (var each : watchers) {
      if (!each.isOver()) {
        waiting++;
      }
    }
    return waiting;
  }

  synchronized Set<Long> holders() {
    return copies.holders();
  }

  /** Records whether an object on trial was cleared, with its body. */
  synchronized void look(WeakReference<Object> object) {
    if (isOnTrial && refersTo(null) && object.refersTo(null)) {
      table.trials.cleared(number);
    }
  }

  /** Forgets an object that was proved to be garbage; returns {@code false} if it is not. */
  synchronized boolean free() {
    var isGarbage = isOnTrial && table.has(this) && refersTo(null) && copies.isUnreferenced();
    if (isGarbage) {
      table.bodies.remove(number); // under the monitor, so that it cannot return
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
    pin();
    held = body;
  }

  /** Holds the body no longer for good. */
  synchronized void letGo() {
    isHeldForGood = false;
    releaseReviewed();
  }

  synchronized boolean isCounted() {
    return !isHeldForGood;
  }

  synchronized void given(Body body, long receiver) {
    var successor = successor();
    if (successor != null) {
      successor.given(body, receiver);
    } else if (table.deaths.isDead(receiver)) {
      holdForGood(body); // no message will tell the fate of the copy
    } else if (!isHeldForGood) {
      copies.given(receiver);
      learnt();
      counted();
      release(body);
    }
  }

  private void counted() {
    if (table.trials.areAny()) {
      table.trials.counted(number, copies.isUnreferenced());
    }
  }

  /** Applies a change, and holds the body as long as there are copies. */
  synchronized void changed(Consumer<HostedCopies> change) {
    var successor = successor();
    if (successor != null) {
      successor.changed(change);
    } else if (!isHeldForGood) {
      change.accept(copies);
      learnt();
      counted();
      release(bodyIfPresent());
    }
  }

  /** Holds a body strongly if there may be copies, or something else may need it. */
  synchronized void release(@Nullable Body body) {
    if (isHeldForGood || body == null || isOnTrial) {
      return;
    }
    if (isHeldForCopies()) {
      held = body;
    } else if (body.mayBeNeeded()) {
      keepForReview(body);
    } else {
      held = null;
    }
  }

  private boolean isHeldForCopies() {
    return departed == null
        && (isLeaving
            || !copies.isUnreferenced()
            || table.trials.areAny() && table.trials.isHeld(number));
  }

  /** Holds a body until a review finds that nothing needs it. */
  synchronized void keepForReview(Body body) {
    if (isOnTrial) {
      returned();
    }
    held = body;
    table.reviewed.add(this);
  }

  /** Releases a body that is not needed, unless something has asked for another review. */
  synchronized void releaseReviewed() {
    if (!isHeldForGood && !isHeldForCopies() && !table.reviewed.contains(this)) {
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
