package org.troupe.activeobjects.internal.object;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.listing.CopyChanges;
import org.troupe.activeobjects.internal.listing.GuestHold;
import org.troupe.activeobjects.internal.listing.HeldCopies;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The objects of other nodes that one node refers to, and the reports on that to their hosts. */
public final class RemoteObjects {

  /*
   * Design: one entry for each object, however many references
   *
   * An entry counts the copies that came from each node (HeldCopies). It holds the RemoteObject weakly, which all
   * references hold. When the JVM has cleared it, the copies are dropped; a copy that arrives before that was noticed
   * finds the cleared reference, drops the former copies, and begins anew. The counts are therefore those of one holder,
   * as the protocol assumes.
   *
   * A message that names an object is counted when its header is read, under the lock of the inbox, and when it is
   * written, under the lock of the outbox. Either needs the monitor of the entry only. Changes are told by the timer,
   * at most once a second. The monitor of this table keeps what is told in the order in which it was taken, together
   * with the statements after a loss.
   *
   * An object that was created elsewhere and has moved to this node has an entry, too, with the copy that it took along.
   * Its body and its RemoteObject refer to each other, so either exists as long as the other. The entry holds them
   * until the node of the birth lets it release them (GuestHold); from then on the collector decides.
   *
   * Lock order: this table, the lock of an outbox, the monitor of an entry.
   */

  private final NodeObjects node;
  private final Map<Identity, Entry> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<RemoteObject> cleared = new ReferenceQueue<>();
  private final Queue<Entry> changed = new ConcurrentLinkedQueue<>();
  private final Set<RemoteNode> told = new HashSet<>(); // since the last statement; guarded by this

  private record Identity(long birth, long number) {}

  /**
   * A change that a host is told of.
   *
   * @param number identifies the object
   */
  public record Change(long number, CopyChanges copies) {}

  /**
   * A part of a statement after a loss.
   *
   * @param number identifies the object
   * @param count how many copies of the lost node the host does not know to be dropped
   */
  public record Stated(long number, int count) {}

  RemoteObjects(NodeObjects node) {
    this.node = node;
  }

  /** The copies of one object. Its monitor guards what is not final. */
  static final class Entry {

    private final RemoteObjects table;
    private final Identity identity;
    private final RemoteNode home;
    private final HeldCopies copies = new HeldCopies();
    private @Nullable Cleared current;
    private @Nullable RemoteObject kept; // for good
    private @Nullable GuestHold hold; // since the object first came to this node
    private @Nullable RemoteObject guest; // held, as the object is on this node
    private boolean isQueued; // among those with changes
    private boolean isRemoved;

    Entry(RemoteObjects table, Identity identity, RemoteNode home) {
      this.table = table;
      this.identity = identity;
      this.home = home;
    }

    /** Counts a copy; returns {@code null} if the entry has been removed. */
    synchronized @Nullable RemoteObject received(long giver) {
      if (isRemoved) {
        return null;
      }
      var known = current == null ? null : current.get();
      if (known == null) {
        dropped();
        known = new RemoteObject(this);
        current = new Cleared(known, this, table.cleared);
      }
      copies.received(giver);
      return known;
    }

    void given(RemoteObject object, NodeObjects giver, long receiver) {
      synchronized (this) {
        if (giver == table.node) {
          copies.given(receiver);
          notesChange();
          used(object);
        } else {
          kept = object; // the receiver counts a copy of another node, which has nothing to tell
        }
      }
      Reference.reachabilityFence(object); // not dropped before
      CopyStep.GIVEN.passes(giver.id());
    }

    synchronized void dropped(Cleared which) {
      if (which == current) {
        dropped();
        current = null;
      }
    }

    private void dropped() {
      copies.cleared();
      notesChange();
      if (hold != null && hold.isHere()) { // and so the object was collected
        hold.left();
        table.node.host().collectedGuest(home, identity.number());
      }
    }

    /** Holds the object, which has come to this node. */
    synchronized void arrived(RemoteObject object) {
      if (hold == null) {
        hold = new GuestHold(table.node::nextId);
      }
      hold.arrived();
      guest = object;
    }

    /** Records that the object has left this node, or has ended. */
    synchronized void left() {
      if (hold != null) {
        hold.left();
      }
      guest = null;
    }

    /** Holds the object again if it is on this node, since it has been given or called. */
    synchronized void used(RemoteObject object) {
      if (hold != null) {
        hold.used();
        guest = hold.holds() ? object : null;
      }
    }

    /** Holds the object again if it is on this node, and was not collected. */
    synchronized void holdAgain() {
      var known = current == null ? null : current.get();
      if (known != null) {
        used(known);
      }
    }

    synchronized boolean release(long version, int given) {
      if (hold != null && copies.areAll(given)) {
        hold.release(version);
        guest = hold.holds() ? guest : null;
      }
      return guest == null;
    }

    synchronized long version() {
      return hold == null ? GuestHold.NONE : hold.version();
    }

    synchronized boolean isReferredTo() {
      return current != null;
    }

    private void notesChange() {
      if (!isQueued && copies.hasChanges()) {
        isQueued = true;
        table.changed.add(this);
        table.node.tellsLater();
      }
    }

    synchronized @Nullable CopyChanges takeChanges() {
      isQueued = false;
      var changes = copies.takeChanges();
      if (copies.isOver() && current == null) {
        isRemoved = true;
        table.entries.remove(identity, this);
      }
      return changes;
    }

    synchronized int statement(long lost) {
      return copies.statement(lost);
    }
  }

  /** The object of an entry, which the collector clears. */
  private static final class Cleared extends WeakReference<RemoteObject> {
    private final Entry entry;

    Cleared(RemoteObject object, Entry entry, ReferenceQueue<RemoteObject> queue) {
      super(object, queue);
      this.entry = entry;
    }
  }

  /**
   * Counts a copy that was taken off the wire, or that a host has been asked for.
   *
   * @param birth the incarnation of the object's node
   * @param giver the incarnation of the node that has sent it
   * @param home returns the object's node
   */
  public RemoteObject received(long birth, long number, long giver, Supplier<RemoteNode> home) {
    var identity = new Identity(birth, number);
    for (; ; ) {
      var entry = entries.get(identity);
      if (entry == null) {
        var node = home.get();
        entry = entries.computeIfAbsent(identity, each -> new Entry(this, each, node));
        this.node.tellsLater(); // looks for cleared objects from now on
      }
      var object = entry.received(giver);
      if (object != null) {
        CopyStep.TAKEN_OFF_WIRE.passes(node.id());
        return object;
      }
    }
  }

  /**
   * Returns the version of the hold on an object that has moved to this node; {@link
   * GuestHold#NONE} if it is not here.
   */
  public long version(ObjectIdentity object) {
    var entry = entry(object);
    return entry == null ? GuestHold.NONE : entry.version();
  }

  /** Returns whether this node may have a reference to an object. */
  public boolean isReferredTo(ObjectIdentity object) {
    var entry = entry(object);
    return entry != null && entry.isReferredTo();
  }

  /**
   * Holds an object weakly that has moved to this node, unless it was used after a version.
   *
   * @param given how many copies were given to this node; if not all have come, the object is held
   * @return whether this node does not hold the object any more
   */
  public boolean release(ObjectIdentity object, long version, int given) {
    var entry = entry(object);
    return entry == null || entry.release(version, given);
  }

  /** Holds an object again that has moved to this node, if it was not collected. */
  public void holdAgain(ObjectIdentity object) {
    var entry = entry(object);
    if (entry != null) {
      entry.holdAgain();
    }
  }

  private @Nullable Entry entry(ObjectIdentity object) {
    return entries.get(new Identity(object.birth().incarnation(), object.number()));
  }

  /** Returns how many objects this node refers to, or has not told the hosts to have dropped. */
  public int size() {
    return entries.size();
  }

  /** Tells the hosts what has changed. */
  public synchronized void tell() {
    for (Cleared each; (each = (Cleared) cleared.poll()) != null; ) {
      each.entry.dropped(each);
      CopyStep.DROPPED.passes(node.id());
    }
    Map<RemoteNode, List<Change>> news = new HashMap<>();
    for (Entry each; (each = changed.poll()) != null; ) {
      var changes = each.takeChanges();
      if (changes != null) {
        var number = each.identity.number();
        news.computeIfAbsent(each.home, _ -> new ArrayList<>()).add(new Change(number, changes));
      }
    }
    told.addAll(news.keySet());
    told.removeIf(RemoteNode::isLost); // has no objects any more; with it this would keep its grid
    news.forEach(RemoteNode::tellChanges);
    if (!news.isEmpty()) {
      CopyStep.TOLD.passes(node.id());
    }
  }

  /**
   * States to the hosts what this node has received from a lost one, from which it takes nothing
   * any more. Holds the objects again that were created there and have moved to this node, since no
   * node lists their references now.
   *
   * @return the hosts that must acknowledge that before any later loss is stated. Among them are
   *     those that may not have taken earlier changes: a host must know what this node has given
   *     and dropped before it believes that the loss is settled.
   */
  public synchronized Set<RemoteNode> state(long lost) {
    Map<RemoteNode, List<Stated>> statements = new HashMap<>();
    for (var each : entries.values()) {
      if (each.identity.birth() == lost) {
        each.holdAgain();
      }
      var count = each.statement(lost);
      if (count > 0) {
        statements
            .computeIfAbsent(each.home, _ -> new ArrayList<>())
            .add(new Stated(each.identity.number(), count));
      }
    }
    statements.forEach((home, stated) -> home.state(lost, stated));
    CopyStep.STATED.passes(node.id());
    Set<RemoteNode> hosts = new HashSet<>(told);
    told.clear();
    hosts.addAll(statements.keySet());
    return hosts;
  }
}
