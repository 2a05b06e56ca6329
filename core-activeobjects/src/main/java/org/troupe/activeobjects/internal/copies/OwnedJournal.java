package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
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
   * If no other node is there, this is the only copy, and everything is stable at once: the object serves on rather than wait
   * for a node that may never come. The first node that joins becomes the buddy. That a buddy is gone is known from the grid's
   * membership only, so a broken connection changes nothing, and a node that is cut off talks to nobody anyhow.
   *
   * The owner is the node with the highest epoch. A node that makes the object again claims the journal from a copy, which
   * accepts no update of a lower epoch from then on. It does so after all nodes have acknowledged the death of the
   * former owner, so no acknowledgement to that one is under way.
   *
   * The buddy is chosen by the highest hash of the journal's name with the node, on another host if there is one. So buddies
   * are spread evenly, and no node is asked.
   *
   * Threads: any. No method blocks, and no call is made while the monitor is held.
   */

  /** An image that is not on the buddy yet. */
  private record Pending(StoredImage image, CompletableFuture<Void> written) {}

  /** An update that is under way. */
  private record Sent(NodeId to, CopyUpdate update, @Nullable Pending image) {}

  private final String name;
  private final CopyNetwork network;

  // guarded by this
  private final JournalContent content;
  private long epoch;
  private @Nullable NodeId buddy; // null: there is no other node, as far as is known
  private boolean isWholeDue; // the buddy has nothing yet
  private long acknowledged; // the last record that the buddy has
  private long wanted; // the last record that somebody waits for
  private @Nullable Pending pending;
  private boolean isSending;
  private @Nullable IOException failure;
  private boolean isOver; // this node will never write the journal again
  private final Set<NodeId> excluded = new HashSet<>(); // lost, although perhaps listed still
  private final TreeMap<Long, CompletableFuture<Void>> waiters = new TreeMap<>();

  /** Creates a new journal, without a buddy. */
  OwnedJournal(String name, long epoch, CopyNetwork network) {
    this(name, epoch, new JournalContent(), null, network);
  }

  /**
   * Becomes the owner of a journal.
   *
   * @param buddy has the same content, and the epoch; {@code null} if a buddy is yet to be found
   */
  OwnedJournal(
      String name,
      long epoch,
      JournalContent content,
      @Nullable NodeId buddy,
      CopyNetwork network) {
    this.name = name;
    this.epoch = epoch;
    this.content = content;
    this.buddy = buddy;
    this.isWholeDue = buddy == null;
    this.acknowledged = content.last();
    this.wanted = content.last();
    this.network = network;
  }

  synchronized long epoch() {
    return epoch;
  }

  synchronized CopyHead head() {
    return new CopyHead(epoch, content.last());
  }

  synchronized long bytes() {
    return content.bytes();
  }

  synchronized boolean isBuddy(NodeId node) {
    return node.equals(buddy);
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
    return content.whole(name, epoch);
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
      if (failure != null || buddy != null && isCandidate(buddy) && !isWholeDue) {
        return CompletableFuture.completedFuture(null);
      }
      if (buddy == null || !isCandidate(buddy)) {
        buddy = null;
        isWholeDue = true;
      }
      waiter = waiters.computeIfAbsent(content.last(), each -> new CompletableFuture<>());
    }
    sendNext();
    return waiter.copy();
  }

  /**
   * Ends the use of the journal by this node.
   *
   * @return the buddy, which still has its copy
   */
  @Nullable NodeId end(String why) {
    List<CompletableFuture<Void>> lost;
    NodeId had;
    var cause = new IOException(why);
    synchronized (this) {
      had = buddy;
      lost = fail(cause);
      isOver = true;
    }
    if (!lost.isEmpty()) { // the caller holds a lock
      Thread.startVirtualThread(() -> lost.forEach(each -> each.completeExceptionally(cause)));
    }
    return had;
  }

  /** Ends the use of the journal by this node, and returns its content for another owner. */
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

  private boolean isCandidate(NodeId node) {
    return !excluded.contains(node) && network.isCandidate(node);
  }

  private @Nullable NodeId choose() {
    return network.candidates().stream()
        .filter(each -> !excluded.contains(each.id()))
        .max(
            Comparator.comparing(CopyNetwork.Candidate::isOnOtherHost)
                .thenComparing(each -> hash(each.id())))
        .map(CopyNetwork.Candidate::id)
        .orElse(null);
  }

  /** Mixes as SplitMix64 does (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
  private long hash(NodeId node) {
    var mixed = node.incarnation() ^ (long) name.hashCode() * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }

  /** Sends what the buddy lacks, unless an update is under way. */
  private void sendNext() {
    Sent next;
    var isChosen = false;
    List<CompletableFuture<Void>> done = List.of();
    synchronized (this) {
      if (isSending || failure != null) {
        return;
      }
      if (buddy == null || !isCandidate(buddy)) {
        buddy = choose();
        isWholeDue = true;
        isChosen = buddy != null;
      }
      if (buddy == null) {
        next = null;
        done = settled(content.last(), pending);
        isWholeDue = true;
      } else {
        next = next(buddy);
        isSending = next != null;
      }
    }
    done.forEach(each -> each.complete(null));
    if (next == null) {
      return;
    }
    if (isChosen) {
      BuddyStep.BUDDY_CHOSEN.passes(network.self());
    }
    send(next);
  }

  private void send(Sent next) {
    network
        .update(next.to(), next.update())
        .whenComplete((reached, failed) -> answered(next, reached, failed));
  }

  /** Returns the next update for the buddy; {@code null} if it lacks nothing that anybody wants. */
  private @Nullable Sent next(NodeId to) {
    if (isWholeDue || pending != null) {
      var whole = content.whole(name, epoch);
      if (pending != null) {
        var image = pending.image();
        whole =
            new CopyUpdate(
                name,
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
        to, new CopyUpdate(name, epoch, false, 0, null, acknowledged + 1, records), null);
  }

  private void answered(Sent sent, @Nullable Long reached, @Nullable Throwable failed) {
    List<CompletableFuture<Void>> done = List.of();
    List<CompletableFuture<Void>> lost = List.of();
    IOException why = null;
    var isLate = false;
    synchronized (this) {
      isSending = false;
      if (isOver) {
        isLate = reached != null && reached >= 0;
      } else if (failure != null) {
        return;
      } else if (reached != null && reached == sent.update().last()) {
        isWholeDue = false;
        done = settled(sent.update().last(), sent.image());
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
        excluded.add(sent.to());
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
      network.drop(sent.to(), name, sent.update().epoch());
    }
    var cause = why;
    done.forEach(each -> each.complete(null));
    lost.forEach(each -> each.completeExceptionally(cause));
    sendNext();
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
