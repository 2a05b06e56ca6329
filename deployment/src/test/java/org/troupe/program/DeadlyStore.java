package org.troupe.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.activeobjects.store.StoredImage;

/**
 * A store in a directory, each step of which can kill the process that comes to it: before and
 * after a record is appended, and before and after an image is written.
 *
 * @param folder the directory
 */
public record DeadlyStore(String folder) implements Store {

  /** The steps that this process may still pass; none while it is not positive. */
  private static final AtomicInteger LEFT = new AtomicInteger();

  /** Returns the store in a directory. */
  public static DeadlyStore in(Path folder) {
    return new DeadlyStore(folder.toString());
  }

  /** Lets this process be killed at a later step, counted from 1; at none if it is 0. */
  static void arm(int step) {
    LEFT.set(step);
  }

  private static void passes() {
    if (LEFT.get() > 0 && LEFT.decrementAndGet() == 0) {
      Saboteur.die();
    }
  }

  @Override
  public Journals open(StoreUser user) throws IOException {
    return new DeadlyJournals(Store.directory(Path.of(folder)).open(user));
  }

  @Override
  public Journals openExisting(StoreUser user) throws IOException {
    return new DeadlyJournals(Store.directory(Path.of(folder)).openExisting(user));
  }

  @Override
  public String toString() {
    return folder;
  }

  private record DeadlyJournals(Journals journals) implements Journals {

    @Override
    public Journal open(String name, long epoch) throws IOException {
      return new DeadlyJournal(journals.open(name, epoch));
    }

    @Override
    public OptionalLong epoch(String name) throws IOException {
      return journals.epoch(name);
    }

    @Override
    public Set<String> names() throws IOException {
      return journals.names();
    }

    @Override
    public void delete(String name) throws IOException {
      journals.delete(name);
    }

    @Override
    public void close() throws IOException {
      journals.close();
    }

    @Override
    public String toString() {
      return journals.toString();
    }
  }

  private record DeadlyJournal(Journal journal) implements Journal {

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
      passes();
      var number = journal.append(parts);
      passes();
      return number;
    }

    @Override
    public CompletableFuture<Void> stable(long number) {
      return journal.stable(number);
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) throws IOException {
      passes();
      journal.replace(upTo, parts);
      passes();
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
}
