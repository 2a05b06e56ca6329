package org.troupe.store.jdbc;

import java.io.IOException;
import javax.sql.DataSource;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/**
 * A store in tables of a database: stable records are committed. The tables are created at first
 * use. Immutable; it may travel to other nodes if its data source may.
 *
 * <p>The data source travels to the nodes of the objects with their options, and connects from
 * there. Its class and the driver must be on the class path of these nodes. A class of the program
 * may travel, also if it extends one of a library; a library's own, such as {@code
 * PGSimpleDataSource}, must be named in {@code troupe.serialization.allow}. Its fields travel, and
 * with them a password that is set in it.
 *
 * <p>A run that was killed holds the store until a minute has passed without a sign of it.
 *
 * <p>A database that is silent for a minute has failed, unless the source has a limit of its own.
 * Only the source limits the time until it gives a connection; some have to be told one.
 *
 * @param source gives the connections, preferably from a pool
 * @param prefix begins the names of the tables
 */
public record JdbcStore(DataSource source, String prefix) implements Store {

  /** Checks the prefix, which becomes part of statements. */
  public JdbcStore {
    if (!prefix.matches("[A-Za-z][A-Za-z0-9_.]{0,40}")) {
      throw new IllegalArgumentException(
          "tables cannot begin with '"
              + prefix
              + "'; give at most 41 letters, digits, dots and underscores, a letter first");
    }
  }

  /** Returns the store in the tables of a database whose names begin with {@code troupe_}. */
  public static JdbcStore of(DataSource source) {
    return new JdbcStore(source, "troupe_");
  }

  /**
   * Returns this store in tables whose names begin otherwise, so that several may share a database.
   */
  public JdbcStore withPrefix(String other) {
    return new JdbcStore(source, other);
  }

  @Override
  public Journals open(StoreUser user) throws IOException {
    return JdbcJournals.open(new Transactions(source, prefix), user);
  }
}
