package org.troupe.store.s3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.GroupCommit;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.RecordBuffer;
import org.troupe.activeobjects.store.RecordBuffer.Unwritten;
import org.troupe.activeobjects.store.StoredImage;
import org.troupe.store.s3.JournalPart.Appended;
import org.troupe.store.s3.JournalPart.Content;
import org.troupe.store.s3.JournalPart.Deleted;
import org.troupe.store.s3.JournalPart.Imaged;
import org.troupe.store.s3.JournalPart.Opened;
import org.troupe.store.s3.JournalPart.State;

/**
 * A journal in objects of a bucket: one for the records of some milliseconds, one for the image.
 */
final class S3Journal implements Journal {

  /*
   * Design: records wait for a part
   *
   * Records wait in memory until one of them has to be stable. The flush that makes it stable waits until the oldest of
   * them has waited for GATHERING, or until their buffer is full, and puts all of them as one part; requests to a server cost time and money. An
   * append that fills the buffer flushes itself. See JournalPart for the chain of parts.
   *
   * Locks, in the order in which they are taken: 'replacing' admits one image or reader of records at a time, 'writing' one part at a
   * time; the monitor of this guards the fields, and is not held while the server works. An image is uploaded under 'replacing'
   * only, so that flushes go on meanwhile.
   */
  private static final Duration GATHERING = Duration.ofMillis(20);

  private final RunLease lease;
  private final JournalChain chain;
  private final long epoch;
  private final UUID writer;
  private final long openedSlot;
  private final GroupCommit commit;
  private final Consumer<S3Journal> whenClosed;
  private final ReentrantLock replacing = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock();

  // guarded by writing
  /** The parts with records behind the image, in their order. */
  private final Deque<Extent> extents = new ArrayDeque<>();

  // guarded by replacing
  private final List<String> unneeded = new ArrayList<>();
  private @Nullable Imaged image; // null if this opening has written none

  // guarded by this
  private State state; // also written under writing only
  private final RecordBuffer unwritten;
  private long waitingSince;
  private boolean isClosed;

  /** A part with records, and the last of them. */
  private record Extent(long slot, long last) {}

  private S3Journal(
      RunLease lease, JournalChain chain, JournalPart opened, Consumer<S3Journal> whenClosed) {
    this.lease = lease;
    this.chain = chain;
    this.epoch = opened.epoch();
    this.writer = opened.writer();
    this.state = opened.state();
    this.openedSlot = state.slot();
    var last = state.last();
    this.unwritten = new RecordBuffer(last);
    this.whenClosed = whenClosed;
    this.commit = new GroupCommit(last, this::gatherAndFlush);
    if (last > state.upTo()) {
      extents.add(new Extent(state.firstSlot(), last)); // the slots between are not known
    }
  }

  static S3Journal open(
      JournalChain chain, RunLease lease, long epoch, Consumer<S3Journal> whenClosed)
      throws IOException {
    return new S3Journal(lease, chain, chain.open(epoch, UUID.randomUUID()), whenClosed);
  }

  /** Opens a journal, unless the bucket has none of that name. */
  static Optional<S3Journal> openExisting(
      JournalChain chain, RunLease lease, long epoch, Consumer<S3Journal> whenClosed)
      throws IOException {
    return chain
        .openExisting(epoch, UUID.randomUUID())
        .map(opened -> new S3Journal(lease, chain, opened, whenClosed));
  }

  @Override
  public Optional<StoredImage> image() throws IOException {
    replacing.lock();
    try {
      var now = state();
      return now.imageSlot() == 0
          ? Optional.empty()
          : Optional.of(new StoredImage(now.upTo(), chain.readImage(now)));
    } catch (IOException failure) {
      throw explained(failure);
    } finally {
      replacing.unlock();
    }
  }

  @Override
  public void records(RecordReader reader) throws IOException {
    flush();
    replacing.lock();
    try {
      var now = state();
      var next = new long[] {now.upTo() + 1};
      chain.read(
          now.firstSlot(),
          now.slot(),
          part -> {
            if (part.content() instanceof Appended(var first, var records)) {
              for (int i = 0; i < records.size(); i++) {
                if (first + i == next[0]) {
                  reader.record(next[0]++, records.get(i));
                }
              }
            }
          });
      if (next[0] <= now.last()) {
        throw chain.damaged(
            chain.key(now.slot()), "record " + next[0] + " is in no part before it");
      }
    } catch (IOException failure) {
      throw explained(failure);
    } finally {
      replacing.unlock();
    }
  }

  /** Returns why a part cannot be read: it was deleted if another opening has the journal. */
  private IOException explained(IOException failure) {
    try {
      if (chain.isTakenOverFrom(writer)) {
        var over = chain.takenOver();
        over.initCause(failure);
        return over;
      }
    } catch (IOException e) {
      failure.addSuppressed(e); // so the first failure is all that is known
    }
    return failure;
  }

  private synchronized State state() {
    return state;
  }

  @Override
  public synchronized long last() {
    return unwritten.last();
  }

  @Override
  public long append(ByteBuffer... parts) throws IOException {
    var content = RecordBuffer.content(parts);
    long number;
    boolean isFull;
    synchronized (this) {
      checkUsable();
      if (unwritten.isEmpty()) {
        waitingSince = System.nanoTime();
      }
      number = unwritten.add(content);
      isFull = unwritten.isFull();
      if (isFull) {
        notifyAll();
      }
    }
    if (isFull) {
      flush(); // a future could wait for stages that need locks of the caller
    }
    return number;
  }

  private synchronized void checkUsable() throws IOException {
    if (isClosed) {
      throw new IOException("the journal " + chain + " is closed");
    }
    lease.check();
    commit.check();
  }

  @Override
  public CompletableFuture<Void> stable(long number) {
    synchronized (this) {
      Journal.requireAppended(number, unwritten.last());
    }
    return commit.stable(number);
  }

  private long gatherAndFlush() throws IOException {
    synchronized (this) {
      while (!isClosed && !unwritten.isEmpty() && !unwritten.isFull()) {
        var left = GATHERING.toNanos() - (System.nanoTime() - waitingSince);
        if (left <= 0) {
          break;
        }
        try {
          wait(left / 1_000_000, (int) (left % 1_000_000));
        } catch (InterruptedException e) {
          break; // the thread of a group commit is interrupted by nothing of ours
        }
      }
    }
    return flush();
  }

  /** Puts the records that wait, and returns the number of the last one that is stable. */
  private long flush() throws IOException {
    writing.lock();
    try {
      commit.check();
      var reached = last();
      for (var next = oldest(reached); !next.isEmpty(); next = oldest(reached)) {
        lease.check();
        put(next);
      }
      return reached;
    } catch (IOException failure) {
      commit.fail(failure); // whether a failed put has happened is not known
      throw failure;
    } finally {
      writing.unlock();
    }
  }

  private synchronized List<Unwritten> oldest(long reached) {
    return unwritten.oldest(reached);
  }

  private void put(List<Unwritten> gathered) throws IOException {
    var upTo = gathered.getLast().number();
    append(
        "append to a log",
        before ->
            new State(
                before.slot() + 1,
                before.firstSlot(),
                before.imageSlot(),
                before.upTo(),
                Math.max(before.last(), upTo)),
        new Appended(
            gathered.getFirst().number(), gathered.stream().map(Unwritten::content).toList()));
    extents.add(new Extent(state().slot(), upTo));
    synchronized (this) {
      unwritten.forget(upTo);
      waitingSince = System.nanoTime();
    }
  }

  /** The state of the journal after a part. */
  private interface Step {
    State from(State before);
  }

  /** Appends a part to the chain, with the lock 'writing'; returns the state before. */
  private State append(String what, Step step, Content content) throws IOException {
    while (true) {
      var before = state();
      var part =
          new JournalPart(
              step.from(before), epoch, writer, ThreadLocalRandom.current().nextLong(), content);
      if (chain.create(what, part)) {
        synchronized (this) {
          state = part.state();
        }
        return before;
      }
      var taken = chain.read(part.state().slot());
      if (taken.isEmpty() || !taken.get().writer().equals(writer)) {
        throw chain.takenOver();
      }
      adopt(taken.get());
    }
  }

  /** Counts a part whose put had seemed to fail. */
  private void adopt(JournalPart part) {
    synchronized (this) {
      state = part.state();
    }
    switch (part.content()) {
      case Appended _ -> extents.add(new Extent(part.state().slot(), part.state().last()));
      case Imaged _ -> forgetBefore(part.state().firstSlot());
      case Opened(), Deleted() -> {}
    }
  }

  private void forgetBefore(long slot) {
    while (!extents.isEmpty() && extents.getFirst().slot() < slot) {
      extents.removeFirst();
    }
  }

  @Override
  public void replace(long to, ByteBuffer... parts) throws IOException {
    replacing.lock();
    try {
      State before;
      synchronized (this) {
        if (isClosed) {
          throw new IOException("the journal " + chain + " is closed");
        }
        before = state;
        Journal.requireReplacing(to, before.upTo(), unwritten.last());
      }
      lease.check();
      var image = chain.upload(before.slot() + 1, ObjectContent.of(parts));
      // If this fails, the part may have been put, so the image stays; the next opening deletes it
      // if not.
      deleteUnneeded(name(image, to), image);
    } finally {
      replacing.unlock();
    }
    commit.replaced(to);
  }

  /** Appends the part that names an image; returns the state before. */
  private State name(Imaged image, long to) throws IOException {
    writing.lock();
    try {
      lease.check();
      var former = append("replace an image", before -> imaged(before, to), image);
      forgetBefore(state().firstSlot());
      synchronized (this) {
        unwritten.forget(to);
      }
      return former;
    } finally {
      writing.unlock();
    }
  }

  private State imaged(State before, long to) {
    Journal.requireReplacing(to, before.upTo(), last());
    var slot = before.slot() + 1;
    var firstSlot =
        extents.stream()
            .filter(each -> each.last() > to)
            .mapToLong(Extent::slot)
            .findFirst()
            .orElse(slot);
    return new State(slot, firstSlot, slot, to, Math.max(before.last(), to));
  }

  /** Deletes the parts that a new image replaces; a part that cannot be deleted is tried again. */
  private void deleteUnneeded(State before, Imaged current) {
    try {
      if (before.imageSlot() > 0) {
        unneeded.add(chain.imageKey(image == null ? chain.image(before) : image));
      }
      image = current;
      for (long slot = before.firstSlot(); slot < state().firstSlot(); slot++) {
        if (slot != openedSlot) {
          unneeded.add(chain.key(slot));
        }
      }
      chain.delete(unneeded);
      unneeded.clear();
    } catch (IOException e) {
      // the next image, or the next opening, deletes them
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      notifyAll();
    }
    whenClosed.accept(this);
    try {
      commit.check();
    } catch (IOException hasFailed) {
      return; // and was reported when it failed
    }
    commit.await();
    flush();
  }

  @Override
  public String toString() {
    return chain.toString();
  }
}
