package org.troupe.store.jdbc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.troupe.activeobjects.store.GroupCommit;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.RecordBuffer;
import org.troupe.activeobjects.store.RecordBuffer.Unwritten;
import org.troupe.activeobjects.store.StoredImage;

/** A journal in rows: one for each record, and some for the image. */
final class JdbcJournal implements Journal {

  /*
   * Design: records wait for a transaction
   *
   * Records wait in memory until one of them has to be stable, or many bytes of them wait. A transaction inserts many
   * of them. It locks the row of the journal first and compares its epoch, so that whatever a lower epoch writes
   * is refused by the database itself. An image is replaced in one transaction, together with its records.
   *
   * A reader locks nothing. It finds out behind its last row whether the journal was taken over or deleted meanwhile.
   *
   * 'writing' admits one writing transaction of the journal at a time; the monitor of this guards the fields, and is not held
   * while the database works.
   */
  private static final int PART = 1 << 20;

  private final Transactions database;
  private final RunLease lease;
  private final String name;
  private final long epoch;
  private final GroupCommit commit;
  private final Consumer<JdbcJournal> whenClosed;
  private final ReentrantLock writing = new ReentrantLock();

  // guarded by this
  private final RecordBuffer unwritten;
  private long upTo; // of the image
  private boolean isClosed;

  /** The number of the last record that the image contains, and that of the last record of all. */
  record Extent(long upTo, long last) {}

  JdbcJournal(
      Transactions database,
      RunLease lease,
      String name,
      long epoch,
      Extent extent,
      Consumer<JdbcJournal> whenClosed) {
    this.whenClosed = whenClosed;
    this.database = database;
    this.lease = lease;
    this.name = name;
    this.epoch = epoch;
    this.upTo = extent.upTo();
    this.unwritten = new RecordBuffer(extent.last());
    this.commit = new GroupCommit(extent.last(), this::flush);
  }

  /** Returns what the database has of a journal. */
  static Extent extent(Transactions database, Connection connection, String name)
      throws SQLException, IOException {
    var upTo = new long[1];
    database.query(
        connection,
        "select max(up_to) from $image where name = ?",
        row -> upTo[0] = row.getLong(1),
        name);
    var records = new long[2];
    database.query(
        connection,
        "select count(*), max(number) from $record where name = ? and number > ?",
        row -> {
          records[0] = row.getLong(1);
          records[1] = row.getLong(2);
        },
        name,
        upTo[0]);
    if (records[0] > 0 && records[1] - upTo[0] != records[0]) {
      throw new IOException(
          "the journal '%s' in %s is damaged: of its records %d to %d only %d are there; restore its rows, or delete it"
              .formatted(name, database, upTo[0] + 1, records[1], records[0]));
    }
    return new Extent(upTo[0], Math.max(upTo[0], records[1]));
  }

  @Override
  public Optional<StoredImage> image() throws IOException {
    return database.run(
        "read an image",
        connection -> {
          var content = new ByteArrayOutputStream();
          var found = new long[] {-1};
          database.query(
              connection,
              "select up_to, content from $image where name = ? order by part",
              row -> {
                found[0] = row.getLong(1);
                content.writeBytes(row.getBytes(2));
              },
              name);
          checkEpoch(connection, "");
          return found[0] < 0
              ? Optional.empty()
              : Optional.of(new StoredImage(found[0], content.toByteArray()));
        });
  }

  @Override
  public void records(RecordReader reader) throws IOException {
    flush();
    database.run(
        "read a log",
        connection -> {
          var upToNow = extent(database, connection, name).upTo();
          database.query(
              connection,
              "select number, content from $record where name = ? and number > ? order by number",
              row -> reader.record(row.getLong(1), row.getBytes(2)),
              name,
              upToNow);
          checkEpoch(connection, "");
          return upToNow;
        });
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
      number = unwritten.add(content);
      isFull = unwritten.isFull();
    }
    if (isFull) {
      flush();
    }
    return number;
  }

  private synchronized void checkUsable() throws IOException {
    if (isClosed) {
      throw new IOException("the journal '" + name + "' is closed");
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

  /** Inserts the records that wait, and returns the number of the last one that is stable. */
  private long flush() throws IOException {
    writing.lock();
    try {
      commit.check();
      var reached = last();
      for (var next = oldest(reached); !next.isEmpty(); next = oldest(reached)) {
        var gathered = next;
        lease.check();
        database.run("append to a log", connection -> insert(connection, gathered));
        forget(gathered.getLast().number());
      }
      return reached;
    } catch (IOException failure) {
      commit.fail(failure); // whether a failed commit has happened is not known
      throw failure;
    } finally {
      writing.unlock();
    }
  }

  private synchronized List<Unwritten> oldest(long reached) {
    return unwritten.oldest(reached);
  }

  private synchronized void forget(long upToRecord) {
    unwritten.forget(upToRecord);
  }

  private int insert(Connection connection, List<Unwritten> gathered)
      throws SQLException, IOException {
    lockEpoch(connection);
    try (var statement =
        database.prepare(
            connection, "insert into $record (name, number, content) values (?, ?, ?)")) {
      for (var each : gathered) {
        statement.setString(1, name);
        statement.setLong(2, each.number());
        statement.setBytes(3, each.content());
        statement.addBatch();
      }
      return statement.executeBatch().length;
    }
  }

  /** Lets no other opening have the journal until the transaction ends. */
  private void lockEpoch(Connection connection) throws SQLException, IOException {
    checkEpoch(connection, " for update");
  }

  private void checkEpoch(Connection connection, String lock) throws SQLException, IOException {
    var current = new long[] {-1};
    database.query(
        connection,
        "select epoch from $journal where name = ?" + lock,
        row -> current[0] = row.getLong(1),
        name);
    if (current[0] != epoch) {
      throw new IOException(
          "the journal '%s' in %s has been taken over or deleted".formatted(name, database));
    }
  }

  @Override
  public void replace(long to, ByteBuffer... parts) throws IOException {
    writing.lock();
    try {
      synchronized (this) {
        if (isClosed) {
          throw new IOException("the journal '" + name + "' is closed");
        }
        Journal.requireReplacing(to, upTo, unwritten.last());
      }
      lease.check();
      database.run("replace an image", connection -> replace(connection, to, parts));
      synchronized (this) {
        upTo = to;
        unwritten.forget(to);
      }
    } finally {
      writing.unlock();
    }
    commit.replaced(to);
  }

  private int replace(Connection connection, long to, ByteBuffer... parts)
      throws SQLException, IOException {
    lockEpoch(connection);
    database.update(connection, "delete from $image where name = ?", name);
    database.update(connection, "delete from $record where name = ? and number <= ?", name, to);
    var count = 0;
    for (var part : parts) {
      for (var rest = part.duplicate(); rest.hasRemaining(); count++) {
        insertPart(connection, to, count, rest);
      }
    }
    if (count == 0) {
      insertPart(connection, to, count++, ByteBuffer.allocate(0));
    }
    return count;
  }

  private void insertPart(Connection connection, long to, int part, ByteBuffer rest)
      throws SQLException {
    var content = new byte[Math.min(rest.remaining(), PART)];
    rest.get(content);
    database.update(
        connection,
        "insert into $image (name, part, up_to, content) values (?, ?, ?, ?)",
        name,
        part,
        to,
        content);
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
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
    return database + " (" + name + ")";
  }
}
