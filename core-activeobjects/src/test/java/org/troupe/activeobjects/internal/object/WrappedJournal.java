package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.StoredImage;

/** A journal that passes all calls on to another one, except those that a test overrides. */
public abstract class WrappedJournal implements Journal {

  private final Journal journal;

  protected WrappedJournal(Journal journal) {
    this.journal = journal;
  }

  @Override
  public Optional<StoredImage> image() throws IOException {
    return journal.image();
  }

  @Override
  public void records(RecordReader reader) throws IOException {
    journal.records(reader);
  }

  @Override
  public long last() {
    return journal.last();
  }

  @Override
  public long append(ByteBuffer... parts) throws IOException {
    return journal.append(parts);
  }

  @Override
  public CompletableFuture<Void> stable(long number) {
    return journal.stable(number);
  }

  @Override
  public void replace(long upTo, ByteBuffer... parts) throws IOException {
    journal.replace(upTo, parts);
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }

  @Override
  public String toString() {
    return journal.toString();
  }
}
