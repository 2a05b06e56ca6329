package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.StoredImage;

/** A journal in the memory of two nodes, as its writer on this node uses it. Thread-safe. */
final class CopiedJournal implements Journal {

  private final OwnedJournal journal;
  private final long epoch;

  CopiedJournal(OwnedJournal journal, long epoch) {
    this.journal = journal;
    this.epoch = epoch;
  }

  @Override
  public Optional<StoredImage> image() throws IOException {
    return journal.image(epoch);
  }

  @Override
  public void records(RecordReader reader) throws IOException {
    var all = journal.whole(epoch);
    var number = all.first();
    for (var each : all.records()) {
      reader.record(number++, each);
    }
  }

  @Override
  public long last() {
    return journal.last();
  }

  @Override
  public long append(ByteBuffer... parts) throws IOException {
    return journal.append(epoch, joined(Journal.requireLength(parts), parts));
  }

  private static byte[] joined(int length, ByteBuffer... parts) {
    var record = new byte[length];
    var all = ByteBuffer.wrap(record);
    for (var each : parts) {
      all.put(each.duplicate());
    }
    return record;
  }

  @Override
  public CompletableFuture<Void> stable(long number) {
    Journal.requireAppended(number, journal.last());
    return journal.stable(epoch, number);
  }

  @Override
  public void awaitStable(long number) throws IOException {
    Journal.requireAppended(number, journal.last());
    journal.awaitStable(epoch, number);
  }

  /** A record is stable after a round trip, of which the wake-up of another thread is the most. */
  @Override
  public boolean isStableSoonestByWaiting() {
    return true;
  }

  @Override
  public void replace(long upTo, ByteBuffer... parts) throws IOException {
    Journal.requireReplacing(upTo, journal.upTo(), journal.last());
    var length = 0L;
    for (var each : parts) {
      length += each.remaining();
    }
    if (length > Integer.MAX_VALUE - 16) {
      throw new IOException(
          "an image of %d bytes is too large for Store.copies(2), which takes 2 GiB; keep it in a directory"
              .formatted(length));
    }
    await(journal.replace(epoch, new StoredImage(upTo, joined((int) length, parts))));
  }

  private static void await(CompletableFuture<Void> done) throws IOException {
    try {
      done.join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure);
    }
  }

  @Override
  public void close() throws IOException {
    if (journal.epoch() == epoch) {
      await(journal.stable(epoch, journal.last()));
    }
  }

  @Override
  public String toString() {
    return "Store.copies(2)";
  }
}
