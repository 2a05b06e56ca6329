package org.troupe.activeobjects.internal.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.StoredImage;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/**
 * A logged object whose log is a journal of a store. Thread-safe.
 *
 * <p>An object is new if its journal has no {@linkplain #storedObject image}; its first image is
 * then written before anything else. Otherwise it is made again from that image, and {@link
 * #recover} follows.
 */
public final class JournaledObject<C, V> implements AutoCloseable {

  /*
   * Design: stopping at the first failure of the log
   *
   *   RECOVERING --recover or the first image--> LOGGING --append or flush fails, close--> STOPPED
   *
   * A record that could not be written would be missing in a replay, so the object stops before anything that
   * depends on the record has left: an input is appended before the object gets it, and output waits until the journal has
   * reported the input as stable. An image that cannot be written is no failure of the log. The former image and the
   * records behind it stay.
   *
   * A record on which nothing depends (LogRecord.mayBeLate) is held back and appended with the next one. So a call costs
   * one write rather than two.
   *
   * A mark is a place in the log up to which it is to be copied. Until that is done, images that go beyond the mark wait.
   *
   * All actions on the protocol run one at a time, under the monitor of this object, in which the records are appended, too.
   * The order of the records is therefore that of the decisions. Images are written without the monitor, and the journal
   * makes records stable without it, too.
   */

  private static final int FREED_ABOVE = 1 << 16; // bytes of the buffer for records

  private final String description;
  private final Journal journal;
  private final LogCodec<C, V> codec;
  private final Consumer<IOException> failed;

  // guarded by this
  private final LoggedObject<C, V> logged;
  private @Nullable StoredImage stored; // from storedObject until recover
  private ByteOutput record = new ByteOutput(); // that may be late, and were not appended yet
  private long last; // position of the last record
  private long awaited; // position of the last record that was to be made stable
  private boolean isStopped;
  private @Nullable Mark mark;

  /** Held while the image of the journal is replaced, or is copied with the records behind it. */
  private final ReentrantLock images = new ReentrantLock();

  /**
   * A place in the log up to which it is to be copied.
   *
   * @param copied completes when it has been, or will not be
   */
  private record Mark(long position, CompletableFuture<Void> copied) {}

  /**
   * An image at a safe point, which is yet to be written.
   *
   * @param upTo the position of the last record whose effect it contains
   */
  private record Unwritten(long upTo, ByteBuffer accounts, ByteBuffer object) {}

  /**
   * Creates the object in front of an open journal.
   *
   * @param description the object as messages show it
   * @param failed handles the failure of the log, once; the object has stopped
   */
  public JournaledObject(
      String description,
      ObjectIdentity identity,
      Journal journal,
      LogCodec<C, V> codec,
      LoggedObjectHost<C, V> host,
      Consumer<IOException> failed) {
    this.description = description;
    this.journal = journal;
    this.codec = codec;
    this.failed = failed;
    this.last = journal.last();
    this.awaited = last;
    this.logged = new LoggedObject<>(description, identity, this::append, host);
  }

  /** Returns the object itself as the last image has it; nothing if the object is new. */
  public Optional<ByteInput> storedObject() throws IOException {
    var image = journal.image();
    synchronized (this) {
      stored = image.orElse(null);
    }
    return image.isEmpty()
        ? Optional.empty()
        : Optional.of(ImageForm.object(image.get().content()));
  }

  /**
   * Returns whether a journal has requests that were taken and have not ended, as far as it says.
   */
  public static <C, V> boolean hasUnfinished(Journal journal, LogCodec<C, V> codec, String what)
      throws IOException {
    var stored = journal.image().orElseThrow(() -> new IOException(what + " has no image"));
    var image = codec.readImage(ImageForm.accounts(stored.content()), "the image of " + what);
    var taken = new long[] {image.begun() + image.waiting().size()};
    Set<Long> ended = new HashSet<>();
    journal.records(
        (number, content) -> {
          for (var each : codec.readRecords(content, "record " + number + " of " + what)) {
            switch (each) {
              case LogRecord.Request<C, V> _ -> taken[0]++;
              case LogRecord.End<C, V> end -> ended.add(end.request());
              case LogRecord.SetAside<C, V> failed -> ended.add(failed.request());
              case LogRecord.Answer<C, V> _,
                  LogRecord.Unsent<C, V> _,
                  LogRecord.Taken<C, V> _,
                  LogRecord.Once<C, V> _,
                  LogRecord.MadeAgain<C, V> _ -> {}
            }
          }
        });
    return LongStream.rangeClosed(image.begun() + 1, taken[0])
        .anyMatch(each -> !ended.contains(each));
  }

  /**
   * Makes the accounts again from the last image and the records behind it, after the object itself
   * was made from the image.
   *
   * @param lastBegun the ordinal of the last request that the former embodiment has begun; {@link
   *     Long#MAX_VALUE} if it is not known
   * @throws IOException if the journal cannot be read
   */
  public synchronized void recover(long lastBegun) throws IOException {
    var its = stored;
    stored = null;
    if (its == null) {
      its = journal.image().orElseThrow(() -> new IOException(description + " has no image"));
    }
    var image = codec.readImage(ImageForm.accounts(its.content()), "the image of " + description);
    List<LogRecord<C, V>> records = new ArrayList<>();
    var read = new long[1];
    journal.records(
        (number, content) -> {
          records.addAll(
              codec.readRecords(content, "record " + number + " in the log of " + description));
          read[0]++;
        });
    if (its.upTo() + read[0] != last) {
      throw new IOException(
          "the log of %s has %d records behind its image at %d, but ends with record %d"
              .formatted(description, read[0], its.upTo(), last));
    }
    try {
      logged.recover(image, last, records, lastBegun);
    } catch (UncheckedIOException e) {
      throw stop(e.getCause());
    }
  }

  /**
   * Performs an action of the protocol.
   *
   * @return {@code false} if the object has stopped, so that the action was not performed, or not
   *     wholly
   * @throws ReplayException if the object did something else before; it has stopped
   */
  public boolean perform(Consumer<LoggedObject<C, V>> action) {
    return perform(action, false);
  }

  /**
   * Performs an action of the protocol, and waits until its input is stable if that is the soonest
   * way. The calling thread is the one that serves the object.
   *
   * @return as {@link #perform} does
   */
  public boolean performAndWait(Consumer<LoggedObject<C, V>> action) {
    return perform(action, journal.isStableSoonestByWaiting());
  }

  private boolean perform(Consumer<LoggedObject<C, V>> action, boolean waits) {
    var wasInterrupted = Thread.interrupted(); // which would close the file of the log
    try {
      return performUninterrupted(action, waits) && (!waits || awaitInput());
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean performUninterrupted(Consumer<LoggedObject<C, V>> action, boolean waits) {
    IOException failure;
    synchronized (this) {
      if (isStopped) {
        return false;
      }
      try {
        action.accept(logged);
        if (!waits) {
          awaitStable();
        }
        return true;
      } catch (ReplayException e) {
        isStopped = true; // the store stays as it is
        throw e;
      } catch (UncheckedIOException e) {
        failure = stop(e.getCause());
      }
    }
    report(failure);
    return false;
  }

  private long append(LogRecord<C, V> entry) {
    codec.write(record, entry);
    return entry.mayBeLate() && record.size() < FREED_ABOVE ? last : append();
  }

  /** Appends the records that have been held back, as one record of the journal. */
  private long append() {
    try {
      last = journal.append(record.view());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (record.size() > FREED_ABOVE) {
      record = new ByteOutput();
    }
    record.clear();
    return last;
  }

  /** Lets output leave when the records until now are stable. */
  private void awaitStable() {
    var position = logged.lastInput();
    if (awaited >= position) { // the end of a request is made stable with the next input
      return;
    }
    awaited = position;
    var stable = journal.stable(position);
    if (stable.isDone() && !stable.isCompletedExceptionally()) {
      logged.stable(position);
      return;
    }
    stable.whenComplete(
        (nothing, failure) -> {
          if (failure == null) {
            perform(object -> object.stable(position));
          } else {
            failed(failure);
          }
        });
  }

  /**
   * Waits until all input of the object is stable, so that output may leave it.
   *
   * @return {@code false} if the object has stopped
   */
  public boolean awaitInput() {
    long position;
    synchronized (this) {
      if (isStopped) {
        return false;
      }
      if (logged.isInputStable()) {
        return true;
      }
      position = logged.lastInput();
    }
    try {
      journal.awaitStable(position);
    } catch (IOException failure) {
      failed(failure);
      return false;
    }
    synchronized (this) {
      if (awaited >= position) {
        return true; // its future tells the protocol
      }
      awaited = position;
    }
    return perform(object -> object.stable(position));
  }

  /**
   * Returns a future that completes when all input of the object until now is stable; {@code null}
   * if it is, or the object has stopped.
   */
  public @Nullable CompletableFuture<Void> inputStable() {
    long position;
    synchronized (this) {
      if (isStopped || logged.isInputStable()) {
        return null;
      }
      position = logged.lastInput();
    }
    return journal.stable(position);
  }

  /** Returns the ordinal of the last request that was begun. */
  public synchronized long lastBegun() {
    return logged.lastBegun();
  }

  /**
   * Appends the records that have been held back.
   *
   * @return {@code false} if the object has stopped
   */
  public boolean appendHeld() {
    return perform(
        object -> {
          if (record.size() > 0) {
            append();
          }
        });
  }

  /** Stops the object, and leaves its journal open for another embodiment of it. */
  public synchronized void stop() {
    if (!isStopped && record.size() > 0) {
      try {
        append(); // so that a replay compares more
      } catch (UncheckedIOException e) {
        // The next embodiment notices that the journal has failed.
      }
    }
    isStopped = true;
    logged.stop();
  }

  private void failed(Throwable failure) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    IOException reported;
    synchronized (this) {
      reported =
          isStopped ? null : stop(cause instanceof IOException io ? io : new IOException(cause));
    }
    if (reported != null) {
      report(reported);
    }
  }

  /** Stops the object; called under the monitor. */
  private IOException stop(@Nullable IOException cause) {
    isStopped = true;
    logged.stop();
    return cause == null ? new IOException("unknown") : cause;
  }

  private void report(IOException cause) {
    failed.accept(
        new IOException(
            "%s could not write its log in %s: %s; it has stopped, and nothing that it did since has got out"
                .formatted(description, journal, cause.getMessage()),
            cause));
  }

  /**
   * Returns an action that writes an image, which is made now, at a safe point of the object.
   *
   * @param object the object itself, which must not change any more
   * @return the action, which may block; {@code null} if this is no safe point
   */
  public @Nullable ImageWriter image(ByteBuffer object) {
    Unwritten image;
    synchronized (this) {
      if (isStopped || !logged.mayMakeImage()) {
        return null;
      }
      record.clear(); // the held records are in the image
      var accounts = new ByteOutput();
      codec.write(accounts, logged.image());
      image = new Unwritten(last, ImageForm.logged(accounts), object);
    }
    return () -> {
      awaitCopy(image.upTo());
      images.lock();
      try {
        journal.replace(image.upTo(), image.accounts(), image.object());
      } finally {
        images.unlock();
      }
      perform(logged -> logged.stable(image.upTo()));
    };
  }

  /** Writes an image. */
  @FunctionalInterface
  public interface ImageWriter {

    /**
     * Writes the image, which is stable when this returns.
     *
     * @throws IOException if it could not be written; the former image and the log stay
     */
    void write() throws IOException;
  }

  // Copies of the journal

  /**
   * Marks the end of the log, unless it has a mark already.
   *
   * @return {@code false} if the object has stopped
   */
  public boolean mark() {
    IOException failure;
    synchronized (this) {
      if (isStopped) {
        return false;
      }
      try {
        if (mark == null) {
          mark = new Mark(record.size() > 0 ? append() : last, new CompletableFuture<>());
        }
        return true;
      } catch (UncheckedIOException e) {
        failure = stop(e.getCause());
      }
    }
    report(failure);
    return false;
  }

  /** Forgets the mark; images may go beyond it. */
  public void unmark() {
    Mark its;
    synchronized (this) {
      its = mark;
      mark = null;
    }
    if (its != null) {
      its.copied().complete(null);
    }
  }

  private void awaitCopy(long upTo) {
    Mark its;
    synchronized (this) {
      its = mark;
    }
    if (its != null && upTo > its.position()) {
      its.copied().join();
    }
  }

  /** Waits until there is no mark. */
  public void awaitCopy() {
    awaitCopy(Long.MAX_VALUE);
  }

  /**
   * Copies the image and the records up to the mark to another journal, which is empty; the copy is
   * stable after that. Forgets the mark.
   *
   * @throws IOException if the log has no mark, or that cannot be done
   */
  public void copyTo(Journal copy) throws IOException {
    long position;
    synchronized (this) {
      if (mark == null) {
        throw new IOException("the log of " + description + " has no mark any more");
      }
      position = mark.position();
    }
    try {
      journal.stable(position).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure);
    }
    images.lock();
    try {
      var image = journal.image().orElseThrow(() -> new IOException(description + " has no image"));
      if (image.upTo() > position) {
        throw new IOException("the image of " + description + " goes beyond its mark");
      }
      copy.replace(0, ByteBuffer.wrap(image.content()));
      journal.records(
          (number, content) -> {
            if (number <= position) {
              copy.append(ByteBuffer.wrap(content));
            }
          });
    } finally {
      images.unlock();
    }
    unmark();
  }

  /** Stops the object without a failure, and closes its journal. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      isStopped = true;
      logged.stop();
    }
    journal.close();
  }
}
