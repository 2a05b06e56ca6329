package org.troupe.store.s3;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.OpenJournals;
import org.troupe.activeobjects.store.StoreUser;

/** The journals in a bucket. */
final class S3Journals implements Journals {

  private final Bucket bucket;
  private final RunLease lease;
  private final OpenJournals<S3Journal> open = new OpenJournals<>();

  private S3Journals(Bucket bucket, RunLease lease) {
    this.bucket = bucket;
    this.lease = lease;
  }

  /** Opens the store in a bucket, which is closed with it or if that fails. */
  static S3Journals open(Bucket bucket, StoreUser user) throws IOException {
    try {
      return new S3Journals(bucket, RunLease.take(bucket, user));
    } catch (IOException | RuntimeException | Error failure) {
      bucket.close();
      throw failure;
    }
  }

  @Override
  public Journal open(String name, long epoch) throws IOException {
    Journals.requireEpoch(epoch);
    return add(S3Journal.open(chain(name), lease, epoch, open::remove));
  }

  @Override
  public Journal openExisting(String name, long epoch) throws IOException {
    Journals.requireEpoch(epoch);
    var journal = S3Journal.openExisting(chain(name), lease, epoch, open::remove);
    if (journal.isEmpty()) {
      throw Journals.missing(this, name);
    }
    return add(journal.get());
  }

  private JournalChain chain(String name) throws IOException {
    Journals.requireName(name);
    lease.check();
    return new JournalChain(bucket, name, lease.lastSlotOfEarlierRuns());
  }

  private Journal add(S3Journal journal) throws IOException {
    if (open.add(journal)) {
      return journal;
    }
    journal.close();
    throw new IOException("the store " + this + " is closed");
  }

  @Override
  public OptionalLong epoch(String name) throws IOException {
    return chain(name).epoch();
  }

  @Override
  public Set<String> names() throws IOException {
    lease.check();
    return JournalChain.names(bucket);
  }

  @Override
  public void delete(String name) throws IOException {
    delete(name, Long.MAX_VALUE);
  }

  @Override
  public void delete(String name, long epoch) throws IOException {
    chain(name).delete(epoch);
  }

  @Override
  public void close() throws IOException {
    open.close(
        () -> {
          try {
            lease.release();
          } finally {
            bucket.close();
          }
        });
  }

  @Override
  public String toString() {
    return bucket.toString();
  }
}
