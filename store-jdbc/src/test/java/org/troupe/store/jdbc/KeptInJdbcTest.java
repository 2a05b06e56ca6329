package org.troupe.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Waits;
import org.troupe.testing.LogRecords;

/** Objects that are kept in a database, by a data source that travels, are restarted from there. */
@Timeout(120)
class KeptInJdbcTest {

  private final Database source = new Database();
  private Connection connection; // the database lives as long as this one
  private LocalNodes nodes;

  /** Remembers its arguments. */
  public static class Account {
    private final List<Integer> entries = new ArrayList<>();

    public List<Integer> add(int number) {
      entries.add(number);
      return new ArrayList<>(entries);
    }

    public int fail() {
      entries.add(-1);
      throw new Broken();
    }
  }

  /** Fails an account. */
  public static class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * A data source of the program: a class of its own that extends one of a library. H2's own is not
   * possible, since it refers to a stream.
   */
  public static class Database extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;

    @Override
    public Connection getConnection() throws SQLException {
      return DriverManager.getConnection("jdbc:h2:mem:" + getApplicationName()); // which travels
    }
  }

  @BeforeEach
  void start(LogRecords records) throws SQLException {
    records.allow(Level.WARNING, "has failed and is restarted");
    records.allow(Level.WARNING, "restarted on another node");
    source.setApplicationName("kept" + UUID.randomUUID());
    connection = source.getConnection();
    nodes = LocalNodes.start(2);
  }

  @AfterEach
  void stop() throws SQLException {
    nodes.close();
    connection.close();
  }

  private Account account(Keep keep) {
    var options = Options.STANDARD.withKeep(keep).withRestart(Restart.here().on(Broken.class));
    return ActiveObjects.on(nodes.get(1)).with(options).create(Account.class); // the store travels
  }

  private int journals() throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from troupe_journal")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void fromTheLastImage() {
    var account = account(Keep.state(JdbcStore.of(source)));
    account.add(1);
    account.add(2);
    valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    account.add(3);
    assertThatThrownBy(account::fail).isInstanceOf(Broken.class);
    assertThat(account.add(4)).containsExactly(1, 2, 4);
  }

  @Test
  void withAllRequestsThatWereLogged() {
    var account = account(Keep.calls(JdbcStore.of(source)));
    account.add(1);
    assertThat(account.add(2)).containsExactly(1, 2);
    account.add(3);
    assertThatThrownBy(account::fail).isInstanceOf(Broken.class);
    assertThat(account.add(4)).containsExactly(1, 2, 3, 4);
    valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    assertThatThrownBy(account::fail).isInstanceOf(Broken.class);
    assertThat(account.add(5)).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void onAnotherNodeIfTheirsIsLost() {
    var keep = Keep.calls(JdbcStore.of(source));
    var options = Options.STANDARD.withKeep(keep).withRestart(Restart.elsewhere());
    var account = ActiveObjects.on(nodes.get(1)).with(options).create(Account.class);
    account.add(1);
    assertThat(account.add(2)).containsExactly(1, 2);
    nodes.kill(1);
    Waits.until(() -> tried(account), "the loss is known, and the object is back");
    assertThat(account.add(3)).startsWith(1, 2).endsWith(0, 3);
  }

  /** Adds a 0; a call that is under way at the loss has an unknown outcome. */
  private static boolean tried(Account account) {
    try {
      assertThat(account.add(0).size()).isPositive(); // waits for the answer
      return true;
    } catch (RestartedException unknown) {
      return false;
    }
  }

  @Test
  void byTheirNames() {
    var kept = Options.STANDARD.withKeep(Keep.calls(JdbcStore.of(source).withPrefix("other_")));
    var account = ActiveObjects.on(nodes.get(1)).with(kept).named("17", Account.class);
    assertThat(account.add(1)).containsExactly(1);
    var found = ActiveObjects.on(nodes.get(0)).find("17", Account.class).orElseThrow();
    assertThat(found.add(2)).containsExactly(1, 2);
  }

  @Test
  void andLeaveNoJournalWhenTheyAreTerminated() throws SQLException {
    var account = account(Keep.calls(JdbcStore.of(source)));
    account.add(1);
    assertThat(journals()).isEqualTo(1);
    valueOf(ActiveObjects.ref(account).terminate(), "the end");
    assertThat(journals()).isZero();
  }

  @Test
  void unlessTheirNodesDoNotAllowTheClassOfTheDataSource() {
    var keep = Keep.calls(JdbcStore.of(new PGSimpleDataSource()));
    assertThatThrownBy(() -> account(keep))
        .hasMessageContaining("org.postgresql.ds.PGSimpleDataSource")
        .hasMessageContaining("troupe.serialization.allow");
  }
}
