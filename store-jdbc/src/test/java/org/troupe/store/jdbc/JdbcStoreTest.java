package org.troupe.store.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.troupe.activeobjects.contract.StoreContract;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/** The store in a database: the contract, and what only a database can suffer. */
class JdbcStoreTest {

  private static final StoreUser USER = new StoreUser("r1", 1, "h", Instant.EPOCH);
  private static final StoreUser OTHER = new StoreUser("r2", 2, "h", Instant.EPOCH);

  /** A database whose commits can fail. */
  abstract static class InADatabase extends StoreContract {
    private final String prefix = "t" + UUID.randomUUID().toString().replace("-", "") + "_";
    private boolean isBroken;

    abstract DataSource source() throws IOException;

    private DataSource breakable() throws IOException {
      var source = source();
      return (DataSource)
          Proxy.newProxyInstance(
              DataSource.class.getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                var result = call(source, method, arguments);
                return result instanceof Connection connection ? breakable(connection) : result;
              });
    }

    private Connection breakable(Connection connection) {
      return (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (isBroken && method.getName().equals("commit")) {
                  throw new SQLException("the disk of the database is full");
                }
                return call(connection, method, arguments);
              });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException failure) {
        throw failure.getCause();
      }
    }

    @Override
    protected Journals open(StoreUser user) throws IOException {
      return new JdbcStore(breakable(), prefix).open(user);
    }

    @Override
    protected void breakDown() {
      isBroken = true;
    }

    @Override
    protected void mend() {
      isBroken = false;
    }
  }

  private static DataSource h2(String name) {
    var source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
    return source;
  }

  @Nested
  class InH2 extends InADatabase {
    @Override
    DataSource source() {
      return h2("contract");
    }
  }

  @Nested
  class InPostgres extends InADatabase {
    private static PostgresServer server;

    @BeforeAll
    static void start() throws IOException {
      var obstacle = PostgresServer.obstacle();
      assumeTrue(obstacle == null, obstacle);
      server = PostgresServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
      if (server != null) {
        server.stop();
      }
    }

    @Override
    DataSource source() {
      var source = new PGSimpleDataSource();
      source.setURL(server.url());
      source.setUser("postgres");
      source.setPassword(server.password());
      return source;
    }
  }

  @Test
  void aRunThatGivesNoSignIsForgotten() throws Exception {
    var source = h2(UUID.randomUUID().toString());
    var dead = JdbcStore.of(source).open(USER);
    dead.open("a", 0).append(ByteBuffer.wrap("lost".getBytes(UTF_8)));
    assertThatThrownBy(() -> JdbcStore.of(source).open(OTHER))
        .hasMessageContaining("is used by the run 'r1'")
        .hasMessageContaining("if it was killed, try again in ")
        .hasMessageContaining(" s old, and it is forgotten after 60 s");

    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate("update troupe_process set seen = seen - 61000");
    }
    try (var store = JdbcStore.of(source).open(OTHER);
        var journal = store.open("a", 1)) {
      assertThat(journal.last()).isZero();
      journal.append(ByteBuffer.wrap("new".getBytes(UTF_8)));
      assertThatThrownBy(dead::close).hasMessageContaining("has been taken over or deleted");
    }
  }

  @Test
  void aRunThatHasLostTheStoreWritesNothing() throws Exception {
    var source = h2(UUID.randomUUID().toString());
    var database = new Transactions(source, "troupe_");
    database.createTables();
    var lease = RunLease.take(database, USER);
    lease.renew();
    lease.check();
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate("delete from troupe_process");
    }
    lease.renew();
    assertThatThrownBy(lease::check)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another run has taken over the store jdbc:h2:mem:");
    lease.release();
  }

  @Test
  void aMissingRecordIsFound() throws Exception {
    var source = h2(UUID.randomUUID().toString());
    try (var store = JdbcStore.of(source).open(USER);
        var journal = store.open("a", 0)) {
      for (int i = 0; i < 3; i++) {
        journal.append(ByteBuffer.wrap(("record " + i).getBytes(UTF_8)));
      }
      journal.stable(3).join();
    }
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate("delete from troupe_record where number = 2");
    }
    try (var store = JdbcStore.of(source).open(USER)) {
      assertThatThrownBy(() -> store.open("a", 0))
          .hasMessageContaining("is damaged: of its records 1 to 3 only 2 are there");
    }
  }

  /** Answers the calls of connections that a test has chosen; all others go to the database. */
  private interface Answers {
    /** Returns what a method returns, or {@code null} for what the connection returns. */
    @Nullable Object answer(String method, Object[] arguments) throws SQLException;
  }

  private static DataSource answering(DataSource source, Answers answers) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              var result = InADatabase.call(source, method, arguments);
              return result instanceof Connection connection
                  ? answering(connection, answers)
                  : result;
            });
  }

  private static Connection answering(Connection connection, Answers answers) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              var answer = answers.answer(method.getName(), arguments);
              return answer == null ? InADatabase.call(connection, method, arguments) : answer;
            });
  }

  @Test
  void aDatabaseThatIsSilentIsNotAwaited() throws Exception {
    List<Integer> limits = new ArrayList<>();
    var own = new AtomicInteger();
    var source =
        answering(
            h2(UUID.randomUUID().toString()),
            (method, arguments) -> {
              if (method.equals("setNetworkTimeout")) {
                limits.add((Integer) arguments[1]);
              }
              return method.equals("getNetworkTimeout") ? own.get() : null;
            });
    try (var store = JdbcStore.of(source).open(USER)) {
      limits.clear();
      store.names();
      assertThat(limits).containsExactly(60_000, 0);
      limits.clear();
      own.set(5_000); // of the data source
      store.names();
      assertThat(limits).isEmpty();
    }
  }

  @Test
  void namingAStoreAsksNothingOfItsDatabase() throws Exception {
    var questions = new AtomicInteger();
    var source =
        answering(
            h2(UUID.randomUUID().toString()),
            (method, arguments) -> {
              if (method.equals("getMetaData")) {
                questions.incrementAndGet();
              }
              return null;
            });
    try (var store = JdbcStore.of(source).open(USER)) {
      questions.set(0);
      assertThat(store.toString()).startsWith("jdbc:h2:mem:").endsWith(" (troupe_*)");
      assertThat(questions).hasValue(0);
    }
  }

  @Test
  void theFirstFailureOfAConnectionThatIsLostIsNamed() throws Exception {
    var isLost = new AtomicBoolean();
    var source =
        answering(
            h2(UUID.randomUUID().toString()),
            (method, arguments) -> {
              if (isLost.get() && method.equals("prepareStatement")) {
                throw new SQLException("read timed out", "08006");
              }
              if (isLost.get() && method.equals("rollback")) {
                throw new SQLException("the connection is closed");
              }
              return null;
            });
    try (var store = JdbcStore.of(source).open(USER)) {
      isLost.set(true);
      assertThatThrownBy(store::names)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the store in a database could not list its journals: read timed out; check the network and that the database runs and answers");
      isLost.set(false);
    }
  }

  @Test
  void namesOfTablesCannotContainStatements() {
    assertThatThrownBy(() -> JdbcStore.of(h2("x")).withPrefix("a; drop table b; --"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tables cannot begin with");
  }

  @Test
  void aDatabaseThatCannotBeReachedIsNamed() {
    var source = new JdbcDataSource();
    source.setURL("jdbc:h2:tcp://127.0.0.1:1/none;PASSWORD=secret");
    assertThatThrownBy(() -> JdbcStore.of(source).open(USER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not create its tables");
  }
}
