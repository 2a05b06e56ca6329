package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.fault.BuddyStep;

/** The journals in the memory of one node: its own, and copies of those of others. Thread-safe. */
public final class JournalCopies {

  /*
   * Design: whose a copy is
   *
   *   HELD for its owner --claimed by this node, or its owner is lost and nobody claims it--> OWNED
   *   OWNED --claimed by another node--> HELD for that one
   *
   * A copy whose owner is lost belongs to an object that is about to be made again, to one that sleeps, or to no object, as
   * the image of a member of a group. The first is claimed soon. The others need a second copy, too, so the holder becomes the owner
   * after ORPHAN_PAUSE, in the same epoch, and whoever claims the journal later finds it there.
   *
   * A node that claims a journal asks all members for their copies, takes the one with the highest epoch and the
   * most records, and drops the others when its own have a buddy.
   */

  /** The answer to an update that extends records which the copy does not have. */
  public static final long INCOMPLETE = -1;

  /** The answer to an update of a node that does not own the journal any more. */
  public static final long FENCED = -2;

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final Duration ORPHAN_PAUSE = Duration.ofSeconds(10);

  /** So many journals at a time get another buddy, if no output waits for them. */
  private static final int PACE = 8;

  private final CopyNetwork network;

  // guarded by this
  private final Map<String, OwnedJournal> owned = new HashMap<>();
  private final Map<String, Held> held = new HashMap<>();

  private final AtomicBoolean isReportDue = new AtomicBoolean();
  private volatile boolean isLeaving;

  /** A copy of a journal of another node. Guarded by the table. */
  private static final class Held {
    final JournalContent content;
    long epoch;
    NodeId owner;

    Held(JournalContent content, long epoch, NodeId owner) {
      this.content = content;
      this.epoch = epoch;
      this.owner = owner;
    }
  }

  /** Creates an empty table. */
  public JournalCopies(CopyNetwork network) {
    this.network = network;
  }

  CopyNetwork network() {
    return network;
  }

  // For other nodes

  /**
   * Changes the copy of a journal for its owner.
   *
   * @return the number of the last record of the copy, {@link #INCOMPLETE}, or {@link #FENCED}
   */
  public long take(NodeId owner, CopyUpdate update) {
    long reached;
    synchronized (this) {
      reached = takeNow(owner, update);
    }
    BuddyStep.BUDDY_WRITTEN.passes(network.self());
    return reached;
  }

  private long takeNow(NodeId owner, CopyUpdate update) {
    var own = owned.get(update.journal());
    if (own != null) {
      if (own.epoch() >= update.epoch()) {
        return FENCED;
      }
      owned.remove(update.journal());
      own.end("node '" + owner + "' has opened the journal '" + update.journal() + "'");
    }
    var copy = held.get(update.journal());
    if (copy != null && copy.epoch > update.epoch()) {
      return FENCED;
    }
    if (copy != null
        && copy.epoch == update.epoch()
        && !copy.owner.equals(owner)
        && copy.content.last() > update.last()) {
      return FENCED; // a former buddy has adopted the copy that it had before this one
    }
    if (!update.isWhole()) {
      if (copy == null || !copy.owner.equals(owner) || copy.content.last() + 1 != update.first()) {
        return INCOMPLETE;
      }
    } else if (copy == null) {
      copy = new Held(new JournalContent(), update.epoch(), owner);
      held.put(update.journal(), copy);
    }
    copy.epoch = update.epoch();
    copy.owner = owner;
    copy.content.apply(update);
    return copy.content.last();
  }

  /** Returns the head of the copy of a journal, if there is one here. */
  public synchronized Optional<CopyHead> head(String journal) {
    var own = owned.get(journal);
    var copy = held.get(journal);
    return own != null
        ? Optional.of(own.head())
        : copy == null
            ? Optional.empty()
            : Optional.of(new CopyHead(copy.epoch, copy.content.last()));
  }

  /**
   * Lets another node become the owner of a journal. The copy here is that of its buddy from then
   * on.
   *
   * @return the copy; empty if there is none, or its epoch is higher
   */
  public Optional<CopyUpdate> claim(NodeId claimant, String journal, long epoch) {
    @Nullable NodeId formerBuddy = null;
    long formerEpoch;
    CopyUpdate found;
    synchronized (this) {
      var own = owned.get(journal);
      if (own != null) {
        formerEpoch = own.epoch();
        if (formerEpoch > epoch) {
          return Optional.empty();
        }
        owned.remove(journal);
        formerBuddy = own.end("node '" + claimant + "' has opened the journal '" + journal + "'");
        held.put(journal, new Held(own.content(), epoch, claimant));
      }
      var copy = held.get(journal);
      if (copy == null || copy.epoch > epoch) {
        return Optional.empty();
      }
      formerEpoch = copy.epoch;
      copy.epoch = epoch;
      copy.owner = claimant;
      found = copy.content.whole(journal, epoch);
    }
    if (formerBuddy != null && !formerBuddy.equals(claimant)) {
      network.drop(formerBuddy, journal, formerEpoch);
    }
    return Optional.of(found);
  }

  /** Deletes the copy of a journal, unless its epoch is higher. */
  public synchronized void drop(String journal, long epoch) {
    var own = owned.get(journal);
    if (own != null && own.epoch() <= epoch) {
      owned.remove(journal);
      own.end("the journal '" + journal + "' has been deleted");
    }
    held.computeIfPresent(journal, (name, copy) -> copy.epoch <= epoch ? null : copy);
  }

  /** Returns the size of the copy of a journal; 0 if there is none here. */
  public synchronized long bytes(String journal) {
    var own = owned.get(journal);
    var copy = held.get(journal);
    return own != null ? own.bytes() : copy == null ? 0 : copy.content.bytes();
  }

  /** Returns the names of the journals that are here. */
  public synchronized List<String> names() {
    Set<String> all = new HashSet<>(owned.keySet());
    all.addAll(held.keySet());
    return List.copyOf(all);
  }

  // For this node

  synchronized @Nullable OwnedJournal owned(String journal) {
    return owned.get(journal);
  }

  /** Adds a journal that no node has. */
  synchronized OwnedJournal create(String journal, long epoch) throws IOException {
    var made = new OwnedJournal(journal, epoch, network);
    if (owned.putIfAbsent(journal, made) != null) {
      throw new IOException("there is a journal '" + journal + "' already");
    }
    return made;
  }

  /**
   * Becomes the owner of a journal of which this node has a copy.
   *
   * @return {@code null} if there is none, or its epoch is higher
   */
  synchronized @Nullable OwnedJournal claimHeld(String journal, long epoch) {
    var copy = held.get(journal);
    if (copy == null || copy.epoch > epoch) {
      return null;
    }
    held.remove(journal);
    var made = new OwnedJournal(journal, epoch, copy.content, null, network);
    owned.put(journal, made);
    return made;
  }

  /**
   * Becomes the owner of a journal of which another node has a copy.
   *
   * @return {@code null} if this node has become the owner in another way meanwhile
   */
  synchronized @Nullable OwnedJournal claimed(NodeId holder, CopyUpdate copy) {
    var content = new JournalContent();
    content.apply(copy);
    var made = new OwnedJournal(copy.journal(), copy.epoch(), content, holder, network);
    held.remove(copy.journal());
    return owned.putIfAbsent(copy.journal(), made) == null ? made : null;
  }

  /** Deletes a journal of this node; returns its buddy. */
  synchronized @Nullable NodeId delete(String journal) {
    held.remove(journal);
    var own = owned.remove(journal);
    return own == null ? null : own.end("the journal '" + journal + "' has been deleted");
  }

  // The members of the grid

  /** Finds buddies for journals whose buddies are gone, or which had none. Does not block. */
  public void membersChanged() {
    List<OwnedJournal> all;
    synchronized (this) {
      if (owned.isEmpty() && held.isEmpty()) {
        return;
      }
      all = List.copyOf(owned.values());
    }
    Thread.startVirtualThread(() -> restore(all));
    if (isReportDue.compareAndSet(false, true)) {
      network.schedule(() -> Thread.startVirtualThread(this::lookAfterOrphans), ORPHAN_PAUSE);
    }
  }

  private static void restore(List<OwnedJournal> all) {
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (var each : all) {
      running.add(each.membersChanged().exceptionally(failure -> null));
      if (running.size() == PACE) {
        running.forEach(CompletableFuture::join);
        running.clear();
      }
    }
    running.forEach(CompletableFuture::join);
  }

  private void lookAfterOrphans() {
    isReportDue.set(false);
    restore(adoptOrphans());
    int alone;
    synchronized (this) {
      alone = (int) owned.values().stream().filter(OwnedJournal::isAlone).count();
    }
    if (alone > 0 && !isLeaving && network.isOpen()) {
      LOG.log(
          Level.WARNING,
          "{0} on node ''{1}'' have no second copy in Store.copies(2), since no other node is there; they are"
              + " lost if this one is: start another node",
          alone == 1 ? "1 journal" : alone + " journals",
          network.self());
    }
  }

  /** Becomes the owner of the copies here whose owners are lost. */
  private List<OwnedJournal> adoptOrphans() {
    var members = new HashSet<>(network.members());
    List<OwnedJournal> adopted = new ArrayList<>();
    synchronized (this) {
      for (var each : List.copyOf(held.keySet())) {
        var copy = held.get(each);
        if (copy != null && !members.contains(copy.owner)) {
          var made = claimHeld(each, copy.epoch);
          if (made != null) {
            adopted.add(made);
          }
        }
      }
    }
    return adopted;
  }

  /**
   * Gives what only this node has to other nodes, since this one leaves its grid. Waits for them.
   */
  public void leave() {
    isLeaving = true;
    restore(adoptOrphans());
  }

  /** Forgets the copies of others, since this node takes part in no grid any more. */
  public synchronized void left() {
    held.clear();
  }
}
