package org.troupe.store.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import javax.sql.DataSource;

/** Runs work on the tables of a store, all or nothing. Thread-safe. */
final class Transactions {

  private static final int ATTEMPTS = 3;
  private static final int SILENCE_MILLIS = 60_000;
  private static final String LOST_CONNECTION = "08"; // the class of such states in SQL

  private final DataSource source;
  private final String prefix;
  private volatile String description; // with its address when that is known

  /** Work within one transaction. */
  interface Work<T> {
    T run(Connection connection) throws SQLException, IOException;
  }

  Transactions(DataSource source, String prefix) {
    this.source = source;
    this.prefix = prefix;
    this.description = described("a database");
  }

  /**
   * Runs work and commits it.
   *
   * @param what completes "the store could not .."
   */
  <T> T run(String what, Work<T> work) throws IOException {
    try (var connection = source.getConnection();
        var _ = limited(connection)) {
      connection.setAutoCommit(false);
      try {
        var result = work.run(connection);
        connection.commit();
        connection.setAutoCommit(true);
        return result;
      } catch (SQLException | IOException | RuntimeException | Error failure) {
        undo(connection, failure);
        throw failure;
      }
    } catch (SQLException failure) {
      throw new IOException(
          "the store in a database could not %s: %s".formatted(what, reason(failure)), failure);
    }
  }

  private static String reason(SQLException failure) {
    var isLost = String.valueOf(failure.getSQLState()).startsWith(LOST_CONNECTION);
    return failure.getMessage()
        + (isLost ? "; check the network and that the database runs and answers" : "");
  }

  private static void undo(Connection connection, Throwable failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException second) {
      failure.addSuppressed(second); // a connection that is lost commits nothing
    }
  }

  /** The former limit of a connection, which goes back to its pool. */
  private interface Limit extends AutoCloseable {
    @Override
    void close();
  }

  /** Limits the time that a database may be silent, unless the data source does, or cannot. */
  private static Limit limited(Connection connection) throws SQLException {
    try {
      if (connection.getNetworkTimeout() == 0) {
        connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
        return () -> {
          try {
            connection.setNetworkTimeout(Runnable::run, 0);
          } catch (SQLException e) {
            // the connection is lost, and no pool gives it away again
          }
        };
      }
    } catch (SQLFeatureNotSupportedException e) {
      // then the driver may wait for ever
    }
    return () -> {};
  }

  /** Prepares a statement, in which {@code $} begins the name of a table. */
  PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    return connection.prepareStatement(sql.replace("$", prefix));
  }

  /** Runs a statement; returns the number of rows that it has changed. */
  int update(Connection connection, String sql, Object... values) throws SQLException {
    try (var statement = prepare(connection, sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** Receives one row. */
  interface Row {
    void read(ResultSet row) throws SQLException, IOException;
  }

  /** Passes the rows of a query to a reader. */
  void query(Connection connection, String sql, Row reader, Object... values)
      throws SQLException, IOException {
    try (var statement = prepare(connection, sql)) {
      statement.setFetchSize(100);
      bind(statement, values);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      switch (values[i]) {
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        default -> statement.setObject(i + 1, values[i]);
      }
    }
  }

  /** Creates the tables that do not exist. */
  void createTables() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        run("create its tables", this::create);
        return;
      } catch (IOException failure) { // another process may create them, too
        if (attempt == ATTEMPTS) {
          throw failure;
        }
      }
    }
  }

  private boolean create(Connection connection) throws SQLException {
    var database = connection.getMetaData();
    if (database.getURL() != null) {
      description = described(withoutSecrets(database.getURL()));
    }
    var product = database.getDatabaseProductName().toLowerCase(Locale.ROOT);
    var bytes =
        product.contains("postgresql")
            ? "bytea"
            : product.contains("mysql") || product.contains("mariadb") ? "longblob" : "blob";
    update(connection, "create table if not exists $lease (id int primary key)");
    update(
        connection,
        "create table if not exists $process (token varchar(80) primary key, run varchar(400) not null,"
            + " process bigint not null, host varchar(400) not null, since bigint not null,"
            + " seen bigint not null)");
    update(
        connection,
        "create table if not exists $journal (name varchar(200) primary key, epoch bigint not null)");
    update(
        connection,
        "create table if not exists $image (name varchar(200) not null, part int not null,"
            + " up_to bigint not null, content "
            + bytes
            + " not null, primary key (name, part))");
    update(
        connection,
        "create table if not exists $record (name varchar(200) not null, number bigint not null, content "
            + bytes
            + " not null, primary key (name, number))");
    update(
        connection,
        "insert into $lease (id) select 1 where not exists (select 1 from $lease where id = 1)");
    return true;
  }

  private String described(String place) {
    return place + " (" + prefix + "*)";
  }

  /** Names the database, without what may be a password; asks nothing of it. */
  @Override
  public String toString() {
    return description;
  }

  /** Removes the parts of a URL that may contain a password: user information and parameters. */
  static String withoutSecrets(String url) {
    return url.replaceFirst("[?;].*", "").replaceFirst("(://|:thin:)[^@]*@", "$1");
  }
}
