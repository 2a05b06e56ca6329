package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.fault.BuddyStep;

/** The journals in the memory of one node: its own, and copies of those of others. Thread-safe. */
public final class JournalCopies {

  /*
   * Design: whose a copy is
   *
   *   HELD for its owner --claimed by this node, or adopted--> OWNED
   *   OWNED --claimed by another node--> HELD for that one
   *
   * A copy whose owner is lost belongs to an object that is about to be made again, to one that sleeps, or to no object, as
   * the image of a member of a group. The first is claimed soon. The others need a second copy, too. So after ORPHAN_PAUSE
   * their holders adopt them, in the same epoch, and a later claim of the journal finds it there. A holder first asks all members
   * for their copies. It adopts its own if no owner of an equal or newer one lives and no other holder has a newer one; of
   * equal ones the node with the highest incarnation has the adopted one.
   *
   * An owner that gives way to another one lets its buddy and its former buddies drop their copies. The new owner may
   * not know of them: it has asked for copies before it claimed one, and the former owner may have chosen a buddy since.
   * The former owner answers when these copies are gone, so nothing is written while there is one.
   *
   * An owner is lost if this node accepts nothing from it any more. That it is no member does not say so: it may have joined
   * just now, and the news may be on the way.
   *
   * A node that claims a journal asks all members for their copies, takes the one with the highest epoch and the
   * most records, and drops the others when its own have a buddy. It does so even if it has adopted a copy itself. If a member is lost
   * before it has answered, all are asked again, as it may have passed its copy on to one that had answered.
   *
   * If none has a copy, all are asked once more, since this node may not have heard of one that has joined, and a copy may be on
   * its way from a node of whose loss a member has not heard. The coordinator says how many changes of the members there were.
   * This node learns of them first, so that it knows all members, and each of these answers when it has applied them, so that it takes nothing from the
   * lost ones any more. If there is no further change until all have answered, no copy is left. The deletion of a journal asks in the same way.
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

  private final AtomicBoolean isCheckDue = new AtomicBoolean();
  private volatile boolean isLeaving;

  /** A copy of a journal of another node. Guarded by the table. */
  private static final class Held {
    final JournalContent content;
    final long birth;
    long epoch;
    NodeId owner;

    Held(JournalContent content, long birth, long epoch, NodeId owner) {
      this.content = content;
      this.birth = birth;
      this.epoch = epoch;
      this.owner = owner;
    }

    CopyHead head() {
      return new CopyHead(birth, epoch, content.last(), owner, false);
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
   * Changes the copy of a journal for its owner, unless this node owns the journal.
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

  /**
   * Replaces the copy of a journal for its owner, to which this node gives way if it is another.
   *
   * @return as for {@link #take}; completes when other nodes have dropped their copies of the
   *     journals that this one has owned
   */
  public CompletableFuture<Long> takeWhole(NodeId owner, CopyUpdate update) {
    OwnedJournal.@Nullable Ended ended = null;
    long reached;
    synchronized (this) {
      var own = owned.get(update.journal());
      if (own != null && own.yieldsTo(update)) {
        owned.remove(update.journal());
        ended = own.end("node '" + owner + "' has opened the journal '" + update.journal() + "'");
      }
      reached = takeNow(owner, update);
    }
    CompletableFuture<Void> dropped =
        ended == null // else its new owner may have asked the holders before they had copies
            ? CompletableFuture.completedFuture(null)
            : dropAll(ended, update.journal(), owner);
    return dropped.thenApply(
        all -> {
          BuddyStep.BUDDY_WRITTEN.passes(network.self());
          return reached;
        });
  }

  private long takeNow(NodeId owner, CopyUpdate update) {
    var own = owned.get(update.journal());
    if (own != null) {
      var isOld = own.birth() == update.birth() && own.epoch() >= update.epoch();
      return isOld || update.isWhole() ? FENCED : INCOMPLETE;
    }
    var copy = held.get(update.journal());
    if (copy != null && copy.birth != update.birth()) {
      copy = null; // a journal is created when the former one of its name has been deleted
    }
    if (copy != null
        && (copy.epoch > update.epoch()
            || copy.epoch == update.epoch()
                && !copy.owner.equals(owner)
                && copy.content.last() > update.last())) {
      return FENCED; // another node has claimed it, or has adopted a newer copy
    }
    if (!update.isWhole()) {
      if (copy == null
          || copy.epoch != update.epoch()
          || !copy.owner.equals(owner)
          || copy.content.last() + 1 < update.first()) {
        return INCOMPLETE;
      }
    } else if (copy == null) {
      copy = new Held(new JournalContent(), update.birth(), update.epoch(), owner);
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
    if (own != null) {
      return Optional.of(own.head());
    }
    return Optional.ofNullable(held.get(journal)).map(Held::head);
  }

  /** Returns the heads of the copies of some journals, by their names. */
  public Map<String, CopyHead> heads(Collection<String> journals) {
    Map<String, CopyHead> found = new HashMap<>();
    for (var each : journals) {
      head(each).ifPresent(head -> found.put(each, head));
    }
    return found;
  }

  /**
   * Lets another node become the owner of a journal. The copy here is that of its buddy from then
   * on.
   *
   * @return the copy; empty if there is none, or its epoch is higher. Completes when other nodes
   *     have dropped their copies of the journals that this one has owned
   */
  public CompletableFuture<Optional<CopyUpdate>> claim(
      NodeId claimant, String journal, long epoch) {
    OwnedJournal.@Nullable Ended ended = null;
    CopyUpdate found;
    synchronized (this) {
      var own = owned.get(journal);
      if (own != null) {
        if (own.epoch() > epoch) {
          return CompletableFuture.completedFuture(Optional.empty());
        }
        owned.remove(journal);
        ended = own.end("node '" + claimant + "' has opened the journal '" + journal + "'");
        held.put(journal, new Held(own.content(), own.birth(), epoch, claimant));
      }
      var copy = held.get(journal);
      if (copy == null || copy.epoch > epoch) {
        return CompletableFuture.completedFuture(Optional.empty());
      }
      copy.epoch = epoch;
      copy.owner = claimant;
      found = copy.content.whole(journal, copy.birth, epoch);
    }
    return ended == null
        ? CompletableFuture.completedFuture(Optional.of(found))
        : dropAll(ended, journal, claimant).thenApply(dropped -> Optional.of(found));
  }

  /**
   * Lets the nodes with copies of this one, as their owner, drop them, all but one node.
   *
   * @return completes when the copies are gone, or their nodes are
   */
  private CompletableFuture<Void> dropAll(
      OwnedJournal.Ended ended, String journal, @Nullable NodeId butThat) {
    return ended
        .atRest() // no update arrives after the copies are dropped
        .thenCompose(
            rest ->
                CompletableFuture.allOf(
                    ended.holders().stream()
                        .filter(each -> !each.equals(butThat))
                        .map(
                            each ->
                                network
                                    .drop(
                                        each, journal, ended.birth(), ended.epoch(), network.self())
                                    .exceptionally(lost -> null))
                        .toArray(CompletableFuture<?>[]::new)));
  }

  /**
   * Deletes the copy of a journal, unless it is another one by now.
   *
   * @param birth distinguishes the journal from others of its name
   * @param epoch that of the copy, or a higher one
   * @param owner the owner of the copy, if that is its epoch
   * @return completes when other nodes have dropped theirs, if this one was the owner
   */
  public CompletableFuture<Void> drop(String journal, long birth, long epoch, NodeId owner) {
    OwnedJournal.@Nullable Ended ended = null;
    synchronized (this) {
      var own = owned.get(journal);
      if (own != null && isMeant(own.head(), birth, epoch, owner)) {
        owned.remove(journal);
        ended = own.end("the journal '" + journal + "' has been deleted");
      }
      held.computeIfPresent(
          journal, (name, copy) -> isMeant(copy.head(), birth, epoch, owner) ? null : copy);
    }
    return ended == null ? CompletableFuture.completedFuture(null) : dropAll(ended, journal, null);
  }

  private static boolean isMeant(CopyHead copy, long birth, long epoch, NodeId owner) {
    return copy.birth() == birth
        && (copy.epoch() < epoch || copy.epoch() == epoch && copy.owner().equals(owner));
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

  /** Returns a journal of this node; {@code null} if there is none that may still be used. */
  synchronized @Nullable OwnedJournal owned(String journal) {
    var own = owned.get(journal);
    if (own != null && own.isAdopted() && own.isOver()) { // another node has a newer copy
      owned.remove(journal);
      return null;
    }
    return own;
  }

  /** Adds a journal that no node has. */
  synchronized OwnedJournal create(String journal, long epoch) throws IOException {
    var birth = ThreadLocalRandom.current().nextLong();
    var made = new OwnedJournal(journal, birth, epoch, network);
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
  synchronized @Nullable OwnedJournal claimHere(String journal, long epoch) throws IOException {
    var own = owned(journal);
    if (own != null) {
      own.reopen(epoch);
      return own;
    }
    var copy = held.get(journal);
    return copy == null || copy.epoch > epoch ? null : own(journal, copy, epoch, false);
  }

  private OwnedJournal own(String journal, Held copy, long epoch, boolean isAdopted) {
    held.remove(journal);
    var made = new OwnedJournal(journal, copy.birth, epoch, copy.content, null, isAdopted, network);
    owned.put(journal, made);
    return made;
  }

  /**
   * A journal that was claimed from another node.
   *
   * @param dropped completes when the copies of the journals that this node had adopted before are
   *     gone
   */
  record Claimed(OwnedJournal journal, CompletableFuture<Void> dropped) {}

  /**
   * Becomes the owner of a journal of which another node has a copy.
   *
   * @return {@code null} if this node has become the owner in another way meanwhile
   */
  @Nullable Claimed claimed(NodeId holder, CopyUpdate copy) {
    OwnedJournal.@Nullable Ended ended = null;
    var content = new JournalContent();
    content.apply(copy);
    var made =
        new OwnedJournal(
            copy.journal(), copy.birth(), copy.epoch(), content, holder, false, network);
    synchronized (this) {
      var own = owned.get(copy.journal());
      if (own != null && !own.isAdopted()) {
        return null;
      }
      if (own != null) {
        ended =
            own.end("this node has opened a newer copy of the journal '" + copy.journal() + "'");
      }
      held.remove(copy.journal());
      owned.put(copy.journal(), made);
    }
    if (ended == null || ended.epoch() >= copy.epoch()) { // then its drops might mean new copies
      return new Claimed(made, CompletableFuture.completedFuture(null));
    }
    return new Claimed(made, dropAll(ended, copy.journal(), holder));
  }

  /** Deletes a journal of this node; {@code null} if it is not the owner. */
  synchronized OwnedJournal.@Nullable Ended delete(String journal) {
    held.remove(journal);
    var own = owned.remove(journal);
    return own == null ? null : own.end("the journal '" + journal + "' has been deleted");
  }

  /**
   * Asks all other nodes for the heads of their copies of some journals.
   *
   * @param change the number of the last change of the members that they must have applied
   * @return the heads by the names of journals, by the nodes that have any
   * @throws IOException if a node that is not lost does not answer
   */
  Map<NodeId, Map<String, CopyHead>> headsElsewhere(Collection<String> journals, long change)
      throws IOException {
    Set<NodeId> lost = new HashSet<>();
    for (; ; ) {
      Map<NodeId, CompletableFuture<Map<String, CopyHead>>> asked = new HashMap<>();
      for (var each : network.members()) {
        if (!lost.contains(each)) {
          asked.put(each, network.heads(each, journals, change));
        }
      }
      Map<NodeId, Map<String, CopyHead>> found = new HashMap<>();
      var isComplete = true;
      for (var each : asked.entrySet()) {
        var heads = CopiedJournals.answer(each.getValue(), each.getKey());
        if (heads.isEmpty()) { // perhaps it has passed its copies on to one that has answered
          isComplete = false;
          lost.add(each.getKey());
        } else if (!heads.get().isEmpty()) {
          found.put(each.getKey(), heads.get());
        }
      }
      if (isComplete) {
        return found;
      }
    }
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
    network.execute(() -> restore(all));
    checkLater();
  }

  private void checkLater() {
    if (isCheckDue.compareAndSet(false, true)) {
      network.schedule(this::lookAfterOrphans, ORPHAN_PAUSE);
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
    isCheckDue.set(false);
    adoptOrphans();
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
    if (!isLeaving && network.isOpen() && !orphans().isEmpty()) {
      checkLater(); // the copies that are newer, or their owners, may be lost as well
    }
  }

  /** Returns the journals that are held here for owners that are no members. */
  private Set<String> orphans() {
    var members = Set.copyOf(network.members());
    synchronized (this) {
      return held.entrySet().stream()
          .filter(each -> !members.contains(each.getValue().owner))
          .map(Map.Entry::getKey)
          .collect(Collectors.toSet());
    }
  }

  /** Becomes the owner of copies here whose owners are lost, and finds buddies for them. */
  private void adoptOrphans() {
    var orphans = orphans();
    if (orphans.isEmpty()) {
      return;
    }
    Map<NodeId, Map<String, CopyHead>> others;
    try {
      others = headsElsewhere(orphans, 0);
    } catch (IOException unknown) { // the next check asks again
      LOG.log(Level.DEBUG, "orphaned copies on node ''{0}'' wait: {1}", network.self(), unknown);
      return;
    }
    Map<OwnedJournal, Map<NodeId, CopyHead>> adopted = new LinkedHashMap<>();
    for (var each : orphans) {
      Map<NodeId, CopyHead> its = new HashMap<>();
      others.forEach((node, heads) -> its.computeIfAbsent(node, unused -> heads.get(each)));
      var made = adopt(each, its);
      if (made != null) {
        adopted.put(made, its);
      }
    }
    restore(List.copyOf(adopted.keySet()));
    adopted.forEach(this::dropOthers);
  }

  /**
   * Adopts a copy, unless another node is to, or has; or drops it if others have two that are as
   * new.
   *
   * @param others the heads of the copies on other nodes
   */
  private synchronized @Nullable OwnedJournal adopt(String name, Map<NodeId, CopyHead> others) {
    var copy = held.get(name);
    if (copy == null || owned.containsKey(name) || !network.isGone(copy.owner)) {
      return null;
    }
    var mine = copy.head();
    var isBest = true;
    for (var each : others.entrySet()) {
      var its = each.getValue();
      var isOwned = its.owner().equals(each.getKey()); // it has answered, so it lives
      if (its.birth() != mine.birth()) {
        if (isOwned) { // so this journal has been deleted
          held.remove(name);
          return null;
        }
        continue;
      }
      var newer = its.compareTo(mine);
      if (isOwned && its.isCopied() && newer >= 0) {
        held.remove(name);
        return null;
      }
      var isFirst = isOwned || Long.compareUnsigned(each.getKey().incarnation(), incarnation()) > 0;
      isBest &= newer < 0 || newer == 0 && !isFirst;
    }
    return isBest ? own(name, copy, copy.epoch, true) : null;
  }

  private long incarnation() {
    return network.self().incarnation();
  }

  /**
   * Deletes the copies that other nodes had, when there are two new ones.
   *
   * @return completes when they are gone, or their nodes are
   */
  CompletableFuture<Void> dropOthers(OwnedJournal journal, Map<NodeId, CopyHead> others) {
    List<CompletableFuture<Void>> drops = new ArrayList<>();
    others.forEach(
        (node, head) -> {
          if (head.birth() == journal.birth() && !journal.isBuddy(node)) {
            drops.add(
                network
                    .drop(node, journal.name(), head.birth(), journal.epoch(), head.owner())
                    .exceptionally(lost -> null));
          }
        });
    return CompletableFuture.allOf(drops.toArray(CompletableFuture<?>[]::new));
  }

  /**
   * Gives what only this node has to other nodes, since this one leaves its grid. Waits for them.
   */
  public void leave() {
    isLeaving = true;
    adoptOrphans();
    List<OwnedJournal> all;
    synchronized (this) {
      all = List.copyOf(owned.values());
    }
    restore(all); // also those whose buddies were lost just now
  }

  /** Forgets the copies of others, since this node takes part in no grid any more. */
  public synchronized void left() {
    held.clear();
  }
}
