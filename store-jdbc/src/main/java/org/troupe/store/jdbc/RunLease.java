package org.troupe.store.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.StoreUser;

/** The right of a process to use a database for its run. */
final class RunLease {

  /*
   * Design: a row per process, by the clock of the database
   *
   * A database does not notice the end of a process. Each process therefore has a row, in which it renews the time of its last sign of life
   * by the clock of the database. A process of another run deletes rows that are older than LENGTH, and is refused while there is one
   * of another run. All of them first lock the one row of the table of leases, so that two do not decide at the same time.
   *
   * A process whose row was deleted, because it was stopped for that long, finds that out at its next renewal, and
   * writes nothing from then on. Its earlier writes cannot mix with those of the other run, because that opens
   * each journal with a higher epoch, which every write checks.
   */
  static final Duration LENGTH = Duration.ofMinutes(1);
  private static final Duration RENEWAL = Duration.ofSeconds(10);

  private final Transactions database;
  private final String token = UUID.randomUUID().toString();
  private final Thread renewal;
  private volatile boolean isReleased;
  private volatile @Nullable String lost;

  private RunLease(Transactions database) {
    this.database = database;
    this.renewal = Thread.ofVirtual().name("troupe-store-lease").unstarted(this::renewAll);
  }

  /**
   * Takes the lease.
   *
   * @throws IOException if another run has it, with a message that names that run
   */
  static RunLease take(Transactions database, StoreUser user) throws IOException {
    var lease = new RunLease(database);
    database.run("be leased", connection -> lease.enter(connection, user));
    lease.renewal.start();
    return lease;
  }

  private boolean enter(Connection connection, StoreUser user) throws SQLException, IOException {
    database.update(connection, "update $lease set id = 1 where id = 1"); // locks it
    var now = now(connection);
    database.update(
        connection, "delete from $process where seen < ?", now.minus(LENGTH).toEpochMilli());
    List<StoreUser> others = new ArrayList<>();
    var lastSign = new long[1];
    database.query(
        connection,
        "select run, process, host, since, seen from $process where run <> ? order by since",
        row -> {
          others.add(
              new StoreUser(
                  row.getString(1),
                  row.getLong(2),
                  row.getString(3),
                  Instant.ofEpochMilli(row.getLong(4))));
          lastSign[0] = Math.max(lastSign[0], row.getLong(5));
        },
        user.run());
    if (!others.isEmpty()) {
      var silence = Duration.between(Instant.ofEpochMilli(lastSign[0]), now);
      throw new IOException(others.getFirst().refusal(database.toString(), silence, LENGTH));
    }
    database.update(
        connection,
        "insert into $process (token, run, process, host, since, seen) values (?, ?, ?, ?, ?, ?)",
        token,
        user.run(),
        user.process(),
        user.host(),
        user.since().toEpochMilli(),
        now.toEpochMilli());
    return true;
  }

  private Instant now(Connection connection) throws SQLException, IOException {
    var now = new Instant[1];
    database.query(
        connection,
        "select current_timestamp from $lease where id = 1",
        row -> now[0] = row.getTimestamp(1).toInstant());
    return now[0];
  }

  private void renewAll() {
    var lastRenewal = System.nanoTime();
    while (!isReleased && lost == null) {
      LockSupport.parkNanos(RENEWAL.toNanos());
      if (isReleased) {
        return;
      }
      try {
        renew();
        lastRenewal = System.nanoTime();
      } catch (IOException | RuntimeException failure) { // a driver may throw either
        if (System.nanoTime() - lastRenewal > LENGTH.toNanos()) {
          lost = "the lease of " + database + " could not be renewed: " + failure.getMessage();
        }
      }
    }
  }

  /** Renews the lease now. */
  void renew() throws IOException {
    var isKnown =
        database.run(
            "renew its lease",
            connection ->
                database.update(
                        connection,
                        "update $process set seen = ? where token = ?",
                        now(connection).toEpochMilli(),
                        token)
                    == 1);
    if (!isKnown) {
      lost =
          "another run has taken over the store %s, because this process gave no sign for %d s"
              .formatted(database, LENGTH.toSeconds());
    }
  }

  /** Throws if the store may not be used any more. */
  void check() throws IOException {
    if (isReleased) {
      throw new IOException("the store " + database + " is closed");
    }
    if (lost != null) {
      throw new IOException(lost);
    }
  }

  void release() throws IOException {
    isReleased = true;
    LockSupport.unpark(renewal);
    database.run(
        "release its lease",
        connection -> database.update(connection, "delete from $process where token = ?", token));
  }
}
