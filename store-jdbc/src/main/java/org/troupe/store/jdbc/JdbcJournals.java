package org.troupe.store.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.OpenJournals;
import org.troupe.activeobjects.store.StoreUser;

/** The journals in a database. */
final class JdbcJournals implements Journals {

  private static final int ATTEMPTS = 3;

  private final Transactions database;
  private final RunLease lease;
  private final OpenJournals<JdbcJournal> open = new OpenJournals<>();

  private JdbcJournals(Transactions database, RunLease lease) {
    this.database = database;
    this.lease = lease;
  }

  static JdbcJournals open(Transactions database, StoreUser user) throws IOException {
    database.createTables();
    return new JdbcJournals(database, RunLease.take(database, user));
  }

  @Override
  public Journal open(String name, long epoch) throws IOException {
    return open(name, epoch, true);
  }

  @Override
  public Journal openExisting(String name, long epoch) throws IOException {
    return open(name, epoch, false);
  }

  private Journal open(String name, long epoch, boolean isCreated) throws IOException {
    Journals.requireName(name);
    Journals.requireEpoch(epoch);
    lease.check();
    var extent = enter(name, epoch, isCreated);
    var journal = new JdbcJournal(database, lease, name, epoch, extent, open::remove);
    if (open.add(journal)) {
      return journal;
    }
    journal.close();
    throw new IOException("the store " + this + " is closed");
  }

  private JdbcJournal.Extent enter(String name, long epoch, boolean isCreated) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return database.run(
            "open a journal", connection -> enter(connection, name, epoch, isCreated));
      } catch (IOException failure) { // two may insert the same row
        if (attempt == ATTEMPTS || !(failure.getCause() instanceof SQLException)) {
          throw failure;
        }
      }
    }
  }

  private JdbcJournal.Extent enter(
      Connection connection, String name, long epoch, boolean isCreated)
      throws SQLException, IOException {
    var known = new Long[1];
    database.query(
        connection,
        "select epoch from $journal where name = ? for update",
        row -> known[0] = row.getLong(1),
        name);
    if (known[0] == null) {
      if (!isCreated) {
        throw Journals.missing(this, name);
      }
      database.update(connection, "insert into $journal (name, epoch) values (?, ?)", name, epoch);
    } else if (known[0] > epoch) {
      throw new IOException(
          "the journal '%s' in %s was opened with epoch %d, so epoch %d may not write it any more"
              .formatted(name, database, known[0], epoch));
    } else {
      database.update(connection, "update $journal set epoch = ? where name = ?", epoch, name);
    }
    return JdbcJournal.extent(database, connection, name);
  }

  @Override
  public OptionalLong epoch(String name) throws IOException {
    Journals.requireName(name);
    lease.check();
    return database.run(
        "find a journal",
        connection -> {
          var known = new Long[1];
          database.query(
              connection,
              "select epoch from $journal where name = ?",
              row -> known[0] = row.getLong(1),
              name);
          return known[0] == null ? OptionalLong.empty() : OptionalLong.of(known[0]);
        });
  }

  @Override
  public Set<String> names() throws IOException {
    lease.check();
    Set<String> names = new TreeSet<>();
    database.run(
        "list its journals",
        connection -> {
          database.query(
              connection, "select name from $journal", row -> names.add(row.getString(1)));
          return names;
        });
    return names;
  }

  @Override
  public void delete(String name) throws IOException {
    delete(name, Long.MAX_VALUE);
  }

  @Override
  public void delete(String name, long epoch) throws IOException {
    Journals.requireName(name);
    lease.check();
    database.run(
        "delete a journal",
        connection -> {
          // First: a writer of the journal locks this row, and does not find it afterwards.
          var count =
              database.update(
                  connection, "delete from $journal where name = ? and epoch <= ?", name, epoch);
          if (count > 0) { // else its rows may be those of a journal that was just created
            database.update(connection, "delete from $image where name = ?", name);
            database.update(connection, "delete from $record where name = ?", name);
          }
          return count;
        });
  }

  @Override
  public void close() throws IOException {
    open.close(lease::release);
  }

  @Override
  public String toString() {
    return database.toString();
  }
}
