package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.fault.BuddyStep;
import org.troupe.activeobjects.store.StoredImage;

/**
 * A journal that this node writes, and the copy of it on another node, its buddy. Lives as long as
 * the journal, also while that is closed. Thread-safe.
 */
final class OwnedJournal {

  /*
   * Design: two equal copies
   *
   *   IDLE --something to send--> SENDING --acknowledged, more has gathered--> SENDING
   *                                  |--acknowledged, nothing is left--> IDLE
   *                                  |--the buddy is lost, or leaves--> SENDING the whole to the next one
   *                                  |--refused: another node owns the journal--> FENCED, for good
   *
   * A record is stable when the buddy has acknowledged it. At most one update is under way, which carries all records that have
   * gathered, so a busy object costs one message for many records. An image counts on both sides when the buddy has
   * acknowledged it: until then the former image and the records behind it stay here. So whenever the buddy is lost, the whole
   * journal is here, and goes to the next buddy as one update, without a safe point of the object. Nothing that depends on a record
   * leaves the object before one of them has acknowledged it.
   *
   * A thread that waits for a record sends the update itself, and reads the answer itself, if none is under way; the buddy
   * takes it on the thread that reads it. So a record costs the round trip of a call, and no switch of threads. A thread that waits meanwhile
   * is served by the next update, with all that has gathered.
   *
   * If no other node is there, this is the only copy, and everything is stable at once: the object serves on rather than wait
   * for a node that may never come. The first node that joins becomes the buddy. That a buddy is gone is known from the grid's
   * membership only, so a broken connection changes nothing, and a node that is cut off reaches no other anyhow.
   *
   * The owner is the node with the highest epoch. A node that makes the object again claims the journal from a copy, which
   * accepts no update of a lower epoch from then on. It does so after all nodes have acknowledged the death of the
   * former owner, so no acknowledgement to that one is under way.
   *
   * The owner may be a node that has no writer: it has adopted the copy of a lost owner, in the epoch of that one. It gives way to
   * any writer, and to a copy with more records.
   *
   * A former buddy that is still there drops its copy when the next one has all, and until it has, no further record is stable: so any
   * copy that is left after losses has all that was acknowledged. The drop names the journal, by its birth,
   * the epoch and the owner, since it may arrive when that node has another copy of the name: of a later owner, or of a later journal.
   * A buddy that is about to leave stays the buddy as long as there is no other node.
   *
   * The buddy is chosen by the highest hash of the journal's name with the node, on another host if there is one. So buddies
   * are spread evenly, and no node is asked.
   *
   * Threads: any. No method blocks but awaitStable, and no call is made while the monitor is held.
   */

  /** An image that is not on the buddy yet. */
  private record Pending(StoredImage image, CompletableFuture<Void> written) {}

  /** An update that is under way. */
  private record Sent(NodeId to, CopyUpdate update, @Nullable Pending image) {}

  /**
   * The end of the use of a journal by a node.
   *
   * @param holders the nodes that may still have copies of it, other than those that are lost
   * @param isWithoutStrays whether no other node can have one
   * @param atRest completes when no update is under way any more
   */
  record Ended(
      Set<NodeId> holders,
      long birth,
      long epoch,
      boolean isWithoutStrays,
      CompletableFuture<Void> atRest) {}

  private final String name;
  private final long birth;
  private final CopyNetwork network;

  // guarded by this
  private final BuddyChoice choice;
  private final JournalContent content;
  private long epoch;
  private @Nullable NodeId buddy; // null: there is no other node, as far as is known
  private boolean isWholeDue; // the buddy has nothing yet
  private long acknowledged; // the last record that the buddy has
  private long wanted; // the last awaited record
  private @Nullable Pending pending;
  private @Nullable Sent sending;
  private boolean isDropping; // the copies of former buddies
  private final CompletableFuture<Void> atRest = new CompletableFuture<>(); // once it is over
  private @Nullable IOException failure;
  private boolean isOver; // this node will never write the journal again
  private boolean isAdopted; // no object or image here has opened it
  private boolean isFirstOwner; // so that copies are on present and former buddies only
  private final Set<NodeId> former = new HashSet<>(); // buddies that may still have copies
  private final TreeMap<Long, CompletableFuture<Void>> waiters = new TreeMap<>();

  /** Creates a new journal, without a buddy. */
  OwnedJournal(String name, long birth, long epoch, CopyNetwork network) {
    this(name, birth, epoch, new JournalContent(), null, false, network);
    isFirstOwner = true;
  }

  /**
   * Becomes the owner of a journal.
   *
   * @param buddy has the same content, and the epoch; {@code null} if a buddy is yet to be found
   * @param isAdopted whether no writer has opened it
   */
  OwnedJournal(
      String name,
      long birth,
      long epoch,
      JournalContent content,
      @Nullable NodeId buddy,
      boolean isAdopted,
      CopyNetwork network) {
    this.name = name;
    this.birth = birth;
    this.epoch = epoch;
    this.content = content;
    this.buddy = buddy;
    this.isAdopted = isAdopted;
    this.isWholeDue = buddy == null;
    this.acknowledged = content.last();
    this.wanted = content.last();
    this.network = network;
    this.choice = new BuddyChoice(name, network);
  }

  String name() {
    return name;
  }

  long birth() {
    return birth;
  }

  synchronized long epoch() {
    return epoch;
  }

  synchronized CopyHead head() {
    var isCopied = failure == null && buddy != null && !isWholeDue;
    return new CopyHead(birth, epoch, content.last(), network.self(), isCopied);
  }

  synchronized long bytes() {
    return content.bytes();
  }

  synchronized boolean isBuddy(NodeId node) {
    return node.equals(buddy);
  }

  synchronized boolean isAdopted() {
    return isAdopted;
  }

  /** Returns whether this node will never write the journal again. */
  synchronized boolean isOver() {
    return isOver;
  }

  /** Returns whether another node may go on with the journal from an update of its own. */
  synchronized boolean yieldsTo(CopyUpdate update) {
    if (!update.isWhole()) {
      return false;
    }
    if (update.birth() != birth) {
      return isAdopted; // the writer of the update knows that this one was deleted
    }
    return update.epoch() > epoch
        || isAdopted && update.epoch() == epoch && update.last() > content.last();
  }

  synchronized boolean isAlone() {
    return failure == null && buddy == null;
  }

  /** Raises the epoch for another writer on this node. */
  synchronized void reopen(long next) throws IOException {
    if (next < epoch) {
      throw new IOException(
          "the journal '%s' was opened with the epoch %d, so it cannot be with %d"
              .formatted(name, epoch, next));
    }
    if (isOver && failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    failure = null;
    isAdopted = false;
    isFirstOwner = false; // another node may have failed to open it, and left a copy
    isWholeDue = true; // what the buddy has may be less, or unknown
    epoch = next;
  }

  /** Throws if a writer of an epoch may not write any more. */
  private void check(long its) throws IOException {
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    if (its != epoch) {
      throw new IOException(
          "the journal '%s' was opened again, with the epoch %d after %d"
              .formatted(name, epoch, its));
    }
  }

  synchronized Optional<StoredImage> image(long its) throws IOException {
    check(its);
    return content.image();
  }

  /** Returns all records and the number before the first. */
  synchronized CopyUpdate whole(long its) throws IOException {
    check(its);
    return content.whole(name, birth, epoch);
  }

  synchronized long last() {
    return content.last();
  }

  synchronized long upTo() {
    return content.upTo();
  }

  synchronized long append(long its, byte[] record) throws IOException {
    check(its);
    return content.append(record);
  }

  /** Returns a future that completes when the buddy has a record. */
  CompletableFuture<Void> stable(long its, long number) {
    CompletableFuture<Void> waiter;
    synchronized (this) {
      try {
        check(its);
      } catch (IOException failed) {
        return CompletableFuture.failedFuture(failed);
      }
      if (!isWholeDue && number <= acknowledged) {
        return CompletableFuture.completedFuture(null);
      }
      waiter = waiters.computeIfAbsent(number, each -> new CompletableFuture<>());
      wanted = Math.max(wanted, number);
    }
    sendNext();
    return waiter.copy();
  }

  /**
   * Waits until the buddy has a record. If no update is under way, the calling thread sends one and
   * reads the answer itself.
   */
  void awaitStable(long its, long number) throws IOException {
    Sent mine = null;
    synchronized (this) {
      check(its);
      if (!isWholeDue && number <= acknowledged) {
        return;
      }
      var to = buddy;
      if (sending == null
          && !isDropping
          && !isWholeDue
          && pending == null
          && to != null
          && choice.isCandidate(to)) {
        wanted = Math.max(wanted, number);
        mine = next(to);
        sending = mine;
      }
    }
    if (mine != null) {
      sendNow(mine);
    }
    try {
      stable(its, number).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure);
    }
  }

  private void sendNow(Sent mine) {
    Long reached = null;
    Throwable failed = null;
    try {
      reached = network.updateNow(mine.to(), mine.update());
    } catch (Throwable failure) { // whatever it is, the next update must not wait for this one
      failed = failure;
    }
    answered(mine, reached, failed);
  }

  /**
   * Replaces the image when the buddy has it.
   *
   * @return completes then; fails if the former image stays
   */
  CompletableFuture<Void> replace(long its, StoredImage image) {
    var next = new Pending(image, new CompletableFuture<>());
    synchronized (this) {
      try {
        check(its);
        if (pending != null) {
          throw new IOException("another image of the journal '" + name + "' is being written");
        }
      } catch (IOException failed) {
        return CompletableFuture.failedFuture(failed);
      }
      pending = next;
    }
    sendNext();
    return next.written();
  }

  /**
   * Finds another buddy if the present one is gone, or there was none.
   *
   * @return completes when there are two copies, or there can be only one
   */
  CompletableFuture<Void> membersChanged() {
    CompletableFuture<Void> waiter;
    synchronized (this) {
      leaveGoneBuddy();
      if (failure != null || buddy != null && !isWholeDue) {
        return CompletableFuture.completedFuture(null);
      }
      waiter = waiters.computeIfAbsent(content.last(), each -> new CompletableFuture<>());
    }
    sendNext();
    return waiter.copy();
  }

  private void leaveGoneBuddy() {
    var its = buddy;
    if (its == null || choice.isCandidate(its)) {
      return;
    }
    var isThere = choice.isThere(its);
    if (!isThere || choice.best() != null) {
      buddy = null;
      isWholeDue = true;
      former.add(its);
    }
  }

  /** Ends the use of the journal by this node; may be called again. */
  Ended end(String why) {
    List<CompletableFuture<Void>> lost;
    Ended ended;
    var cause = new IOException(why);
    synchronized (this) {
      lost = fail(cause);
      isOver = true;
      Set<NodeId> holders = new HashSet<>(former);
      if (buddy != null) {
        holders.add(buddy);
      }
      if (sending == null) {
        atRest.complete(null);
      } else {
        holders.add(sending.to());
      }
      ended = new Ended(holders, birth, epoch, isFirstOwner, atRest);
    }
    if (!lost.isEmpty()) { // the caller holds a lock
      network.execute(() -> lost.forEach(each -> each.completeExceptionally(cause)));
    }
    return ended;
  }

  /** Returns the content for another owner, when the use by this node has ended. */
  synchronized JournalContent content() {
    return content;
  }

  private List<CompletableFuture<Void>> fail(IOException cause) {
    if (failure == null) {
      failure = cause;
    }
    List<CompletableFuture<Void>> lost = new ArrayList<>(waiters.values());
    waiters.clear();
    if (pending != null) {
      lost.add(pending.written());
      pending = null;
    }
    return lost;
  }

  // The buddy

  /** Sends what the buddy lacks, unless an update is under way. */
  private void sendNext() {
    Sent next = null;
    var isChosen = false;
    List<CompletableFuture<Void>> done = List.of();
    Set<NodeId> strays = Set.of();
    long itsEpoch;
    synchronized (this) {
      if (sending != null || isDropping || failure != null) {
        return;
      }
      itsEpoch = epoch;
      leaveGoneBuddy();
      if (buddy == null) {
        buddy = choice.best();
        isChosen = buddy != null;
      }
      if (buddy != null) {
        next = next(buddy);
        sending = next;
      } else if (!former.isEmpty()) {
        strays = beginDropping();
      } else {
        done = settled(content.last(), pending);
        isWholeDue = true;
      }
    }
    done.forEach(each -> each.complete(null));
    if (!strays.isEmpty()) {
      drop(strays, itsEpoch, this::sendNext);
    }
    if (next == null) {
      return;
    }
    if (isChosen) {
      BuddyStep.BUDDY_CHOSEN.passes(network.self());
    }
    send(next);
  }

  /** Returns the former buddies, whose copies are dropped before anything else is done. */
  private Set<NodeId> beginDropping() {
    isDropping = !former.isEmpty();
    return Set.copyOf(former);
  }

  /** Lets former buddies drop their copies; a node that is lost has none any more. */
  private void drop(Set<NodeId> strays, long itsEpoch, Runnable then) {
    var drops =
        strays.stream().map(each -> drop(each, itsEpoch)).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(drops)
        .whenComplete(
            (dropped, lost) -> {
              synchronized (this) {
                isDropping = false;
                former.removeAll(strays);
              }
              then.run();
            });
  }

  private void send(Sent next) {
    network
        .update(next.to(), next.update())
        .whenComplete((reached, failed) -> answered(next, reached, failed));
  }

  /** Returns the next update for the buddy; {@code null} if it lacks nothing that is awaited. */
  private @Nullable Sent next(NodeId to) {
    if (isWholeDue || pending != null) {
      var whole = content.whole(name, birth, epoch);
      if (pending != null) {
        var image = pending.image();
        whole =
            new CopyUpdate(
                name,
                birth,
                epoch,
                true,
                image.upTo(),
                image.content(),
                image.upTo() + 1,
                content.after(image.upTo()));
      }
      return new Sent(to, whole, pending);
    }
    if (wanted <= acknowledged) {
      return null;
    }
    var records = content.after(acknowledged);
    return new Sent(
        to, new CopyUpdate(name, birth, epoch, false, 0, null, acknowledged + 1, records), null);
  }

  private void answered(Sent sent, @Nullable Long reached, @Nullable Throwable failed) {
    List<CompletableFuture<Void>> done = List.of();
    List<CompletableFuture<Void>> lost = List.of();
    IOException why = null;
    var isLate = false;
    Set<NodeId> strays = Set.of();
    synchronized (this) {
      sending = null;
      if (isOver) {
        isLate = reached != null && reached >= 0;
      } else if (failure != null) {
        return;
      } else if (reached != null && reached == sent.update().last()) {
        if (sent.to().equals(buddy) && sent.update().epoch() == epoch) {
          isWholeDue = false;
          former.remove(sent.to());
          strays = beginDropping();
          done = strays.isEmpty() ? settled(sent.update().last(), sent.image()) : List.of();
        } // else the copy is not that of the present buddy, or not of this writer
      } else if (reached != null && reached == JournalCopies.FENCED) {
        why =
            new IOException(
                "node '%s' refuses the journal '%s': another node has opened it with a higher epoch than %d"
                    .formatted(sent.to(), name, sent.update().epoch()));
        lost = fail(why);
        isOver = true;
      } else if (reached != null) { // it lacks what the records extend
        isWholeDue = true;
      } else if (cause(failed) instanceof NodeLostException) {
        choice.exclude(sent.to());
      } else {
        why =
            new IOException(
                "node '%s' did not take the copy of the journal '%s': %s"
                    .formatted(sent.to(), name, cause(failed)),
                failed);
        lost = refused(sent, why);
      }
    }
    if (isLate) { // what it has is not the copy of any journal
      drop(sent.to(), sent.update().epoch()).whenComplete((gone, unknown) -> atRest.complete(null));
    } else if (isOver()) {
      atRest.complete(null);
    }
    var cause = why;
    done.forEach(each -> each.complete(null));
    lost.forEach(each -> each.completeExceptionally(cause));
    if (strays.isEmpty()) {
      sendNext();
    } else {
      drop(strays, sent.update().epoch(), () -> settle(sent));
    }
  }

  private void settle(Sent sent) {
    List<CompletableFuture<Void>> done;
    synchronized (this) {
      done = failure == null ? settled(sent.update().last(), sent.image()) : List.of();
    }
    done.forEach(each -> each.complete(null));
    sendNext();
  }

  private CompletableFuture<Void> drop(NodeId node, long itsEpoch) {
    return network.drop(node, name, birth, itsEpoch, network.self());
  }

  /** Handles the failure of an update, which may or may not be on the buddy. */
  private List<CompletableFuture<Void>> refused(Sent sent, IOException why) {
    var image = sent.image();
    if (image == null) {
      return fail(why);
    }
    if (pending == image) {
      pending = null;
    }
    isWholeDue = true; // with the former image
    return List.of(image.written());
  }

  private static @Nullable Throwable cause(@Nullable Throwable failed) {
    return failed instanceof CompletionException && failed.getCause() != null
        ? failed.getCause()
        : failed;
  }

  /** Records that all up to a record is stable, and an image if there is one. */
  private List<CompletableFuture<Void>> settled(long upTo, @Nullable Pending image) {
    List<CompletableFuture<Void>> done = new ArrayList<>();
    if (image != null) {
      content.replace(image.image());
      done.add(image.written());
      if (pending == image) {
        pending = null;
      }
    }
    acknowledged = Math.max(acknowledged, upTo);
    var settled = waiters.headMap(upTo, true);
    done.addAll(settled.values());
    settled.clear();
    return done;
  }
}
