package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.store.DirectoryJournals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.testing.LogRecords;

/** Objects that are found by their names. */
@Timeout(120)
class NamedObjectsTest {

  private static final AtomicInteger made = new AtomicInteger();
  private static volatile CountDownLatch gate = new CountDownLatch(0);

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Something with a balance. */
  public interface Balanced {
    int balance();
  }

  /** Has an owner, and money. */
  public static class Account implements Balanced {
    private final String owner;
    private int balance;

    public Account(String owner) {
      made.incrementAndGet();
      if (owner.isEmpty()) {
        throw new IllegalArgumentException("an owner has a name");
      }
      this.owner = owner;
    }

    public String owner() {
      return owner;
    }

    public int add(int sum) {
      balance += sum;
      return balance;
    }

    @Override
    public int balance() {
      return balance;
    }

    public String place() {
      return ActiveObjects.node().name();
    }

    public int waitForGate() {
      Waits.await(gate, "the gate");
      return balance;
    }
  }

  /** Is something else. */
  public static class Other {
    public int number() {
      return 1;
    }
  }

  /** Opens accounts. */
  public static class Clerk {
    public int add(Nodes nodes, Options options, String key, int sum) {
      return ActiveObjects.on(nodes).with(options).named(key, Account.class, "a clerk").add(sum);
    }

    public Account open(Nodes nodes, Options options, String key) {
      return ActiveObjects.on(nodes).with(options).named(key, Account.class, "a clerk");
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    made.set(0);
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    gate.countDown();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Options kept() {
    return Options.STANDARD.withKeep(Keep.state(Store.directory(folder.resolve("store"))));
  }

  private ActiveObjects.Creation accounts() {
    return ActiveObjects.on(grid.nodes()).with(kept());
  }

  @Test
  void anObjectIsMadeByTheFirstUseOfItsNameAndFoundByTheOthers() {
    var account = accounts().named("17", Account.class, "Ada");
    assertThat(account.add(5)).isEqualTo(5);
    var again = accounts().named("17", Account.class, "Bob");
    assertThat(again.owner()).isEqualTo("Ada");
    assertThat(again.add(1)).isEqualTo(6);
    assertThat(again).isEqualTo(account);
    var clerk = ActiveObjects.on(grid.get(2)).create(Clerk.class);
    assertThat(clerk.add(grid.nodes(), kept(), "17", 1)).isEqualTo(7);
    assertThat(ActiveObjects.ref(account)).isEqualTo(ActiveObjects.ref(again));
    assertThat(made.get()).isEqualTo(1);
    assertThat(accounts().named("18", Account.class, "Bob").owner()).isEqualTo("Bob");
  }

  @Test
  void aNameIsFoundOnlyIfThereIsAnObject() {
    assertThat(accounts().find("17", Account.class)).isEmpty();
    accounts().named("17", Account.class, "Ada").add(3);
    assertThat(accounts().find("17", Account.class)).map(Account::owner).contains("Ada");
    assertThat(accounts().find("17", Balanced.class)).map(Balanced::balance).contains(3);
    assertThatThrownBy(() -> accounts().find("17", Other.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the key '17' is that of an " + Account.class.getName())
        .hasMessageContaining(Other.class.getName());
  }

  @Test
  void aNameOfAnotherClassIsRefused() {
    accounts().named("17", Account.class, "Ada");
    assertThatThrownBy(() -> accounts().named("17", Other.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the key '17' is that of an %s, and cannot be that of an %s; give another key"
                .formatted(Account.class.getName(), Other.class.getName()));
  }

  @Test
  void anObjectThatIsNotKeptIsRefused() {
    assertThatThrownBy(() -> ActiveObjects.on(grid.nodes()).named("17", Account.class, "Ada"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Account '17' cannot be named: it is not kept; add withKeep(Keep.state(store)) to its"
                + " options");
    assertThatThrownBy(() -> accounts().named("", Account.class, "Ada"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give 1 to 1000");
  }

  @Test
  void manyNodesAtOnceGetOneObject() {
    List<Clerk> clerks = new ArrayList<>();
    for (var node : grid.list()) {
      for (var i = 0; i < 5; i++) {
        clerks.add(ActiveObjects.on(node).create(Clerk.class));
      }
    }
    for (var round = 0; round < 5; round++) {
      var key = "round " + round; // has characters that no file name has
      var nodes = grid.nodes();
      var options = kept();
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (var each : clerks) {
        all.add(ActiveObjects.ref(each).ask(clerk -> clerk.add(nodes, options, key, 1)));
      }
      all.forEach(each -> valueOf(each, "an account"));
      assertThat(accounts().named(key, Account.class, "Ada").balance()).isEqualTo(clerks.size());
      assertThat(made.get()).isEqualTo(round + 1);
    }
  }

  @Test
  void aConstructorThatFailsLeavesTheNameToTheNext() {
    assertThatThrownBy(() -> accounts().named("17", Account.class, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an owner has a name");
    assertThat(accounts().named("17", Account.class, "Ada").owner()).isEqualTo("Ada");
  }

  @Test
  void newObjectsGoToTheNodesWithTheFewestObjects() {
    List<String> places = new ArrayList<>();
    for (var i = 0; i < 9; i++) {
      places.add(accounts().named("account-" + i, Account.class, "Ada").place());
    }
    assertThat(places).containsOnly("node-1", "node-2", "node-3");
    for (var node : grid.list()) {
      assertThat(places).as(node.name()).filteredOn(node.name()::equals).hasSize(3);
    }
    assertThat(accounts().create(Account.class, "Bob").place()).startsWith("node-");
  }

  @Test
  void aTerminatedObjectLeavesItsNameToANewOne() {
    for (var i = 0; i < 10; i++) {
      var account = accounts().named("17", Account.class, "owner " + i);
      assertThat(account.add(1)).isEqualTo(1);
      assertThat(account.owner()).isEqualTo("owner " + i);
      valueOf(ActiveObjects.ref(account).terminate(), "the end");
    }
  }

  @Test
  void aNameIsFreeAfterAnEndThatFollowsARestart() {
    for (var i = 0; i < 3; i++) {
      var account = accounts().named("17", Account.class, "owner " + i);
      assertThat(account.owner()).isEqualTo("owner " + i);
      kill(account.place());
      if (i > 0) { // else the message may be lost with the node
        assertThat(balance("17")).isZero();
      }
      grid.join();
      valueOf(ActiveObjects.ref(account).terminate(), "the end");
      assertThat(accounts().find("17", Account.class)).isEmpty();
    }
  }

  @Test
  void onlyANewObjectNeedsANode() {
    grid.close();
    grid = InProcessGrid.start(0);
    assertThatThrownBy(() -> accounts().named("17", Account.class, "Ada"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("none of the nodes is there on which '17' could be made; await or request one");
    var here = ActiveObjects.here().with(kept());
    assertThat(here.named("17", Account.class, "Ada").owner()).isEqualTo("Ada");
    var account = accounts().named("17", Account.class, "Bob");
    assertThat(account.owner()).isEqualTo("Ada");
    valueOf(ActiveObjects.ref(account).terminate(), "the end"); // its node outlives the grid
  }

  @Test
  void aNamedObjectWhoseNodeIsLostIsFoundOnAnotherNode() {
    var account = accounts().named("17", Account.class, "Ada");
    account.add(5);
    valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    var place = account.place();
    gate = new CountDownLatch(1);
    var lost = ActiveObjects.ref(account).ask(Account::waitForGate);
    kill(place);
    assertThat(balance("17")).isEqualTo(5);
    assertThat(made.get()).isEqualTo(1);
    assertThat(failureOf(lost, "the call at the loss"))
        .isInstanceOf(RestartedException.class)
        .hasMessageStartingWith("Account '17' was lost with node");
  }

  @Test
  void aCallOfALoggedObjectThatWasFoundByItsNameIsAnsweredAfterALoss() {
    var options = Options.STANDARD.withKeep(Keep.calls(Store.directory(folder.resolve("store"))));
    var logged = ActiveObjects.on(grid.nodes()).with(options);
    var account = logged.named("17", Account.class, "Ada");
    var place = account.place();
    account.add(5);
    valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    gate = new CountDownLatch(1);
    var lost = ActiveObjects.ref(account).ask(Account::waitForGate);
    kill(place);
    gate.countDown();
    assertThat((int) valueOf(lost, "the call at the loss")).isEqualTo(5);
    assertThat(account.add(1)).isEqualTo(6);
  }

  @Test
  void anObjectInThePlaceOfOneThatHadBeenMadeAnewSurvivesALoss() throws IOException {
    var logged = Options.STANDARD.withKeep(Keep.calls(Store.directory(folder.resolve("store"))));
    var journals =
        DirectoryJournals.open(
            folder.resolve("store"), false, new StoreUser("other", 1, "host", Instant.now()));
    journals.open("named-17", 5L << 20).close(); // its object had been made anew five times
    journals.close();
    var account = ActiveObjects.on(grid.nodes()).with(logged).named("17", Account.class, "Ada");
    assertThat(account.add(5)).isEqualTo(5);
    kill(account.place());
    assertThat(account.add(1)).isEqualTo(6);
  }

  private void kill(String node) {
    grid.kill(grid.list().stream().map(Node::name).toList().indexOf(node));
  }

  /** Returns the balance; the first call may be unanswered at a loss. */
  private int balance(String key) {
    for (var attempts = 0; ; attempts++) {
      try {
        return ActiveObjects.ref(accounts().named(key, Account.class, "Zoe"))
            .ask(Account::balance)
            .join();
      } catch (CompletionException failure) {
        assertThat(failure.getCause())
            .isInstanceOfAny(RestartedException.class, NodeLostException.class);
        assertThat(attempts).isLessThan(5);
      }
    }
  }

  @Test
  void aNamedObjectSleepsAndIsFoundAsleep() {
    var asleep = new AtomicInteger();
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.ASLEEP) {
            asleep.incrementAndGet();
          }
        });
    var lazy = ActiveObjects.on(grid.nodes()).with(kept().withIdle(Duration.ofMillis(20)));
    lazy.named("17", Account.class, "Ada").add(4);
    Waits.until(() -> asleep.get() > 0, "the sleep");
    assertThat(lazy.named("17", Account.class, "Bob").add(1)).isEqualTo(5);
    assertThat(lazy.find("17", Account.class)).map(Account::owner).contains("Ada");
  }

  @ParameterizedTest
  @EnumSource(
      value = RestartStep.class,
      names = {"NAME_ASKED", "NAME_GRANTED", "ASLEEP", "WOKEN"})
  void aNameLeadsToOneObjectIfANodeEndsAt(RestartStep step) throws Exception {
    var lazy = kept().withIdle(Duration.ofMillis(20));
    grid.join();
    var clerks =
        grid.list().stream().map(node -> ActiveObjects.on(node).create(Clerk.class)).toList();
    var passages = new AtomicInteger();
    var ended = new CompletableFuture<String>();
    var asleep = new CountDownLatch(1);
    RestartStep.follow(
        (at, where) -> {
          if (at == RestartStep.ASLEEP) {
            asleep.countDown();
          }
          if (at == step && !where.name().equals("main") && passages.incrementAndGet() == 1) {
            Faults.happen(
                () -> {
                  kill(where.name());
                  ended.complete(where.name()); // until then it may answer
                });
          }
        });
    var nodes = grid.nodes();
    for (var round = 0; round < 3; round++) {
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (var each : clerks) {
        all.add(ActiveObjects.ref(each).ask(clerk -> clerk.add(nodes, lazy, "17", 1)));
      }
      for (var each : all) {
        try {
          valueOf(each, "a call");
        } catch (CompletionException failure) {
          assertThat(failure.getCause()).isInstanceOf(CallException.class);
        }
      }
      if (step == RestartStep.ASLEEP) {
        valueOf(ended, "the end of the node on which the object has fallen asleep");
      } else if (step == RestartStep.WOKEN) {
        Waits.await(asleep, "the sleep, from which the next round wakes the object");
      }
    }
    var place = valueOf(Waits.onVirtualThread(() -> place("17")), "the place of the object");
    RestartStep.follow(null);
    valueOf(ended, "the end of a node");
    assertThat(place).isNotEqualTo(ended.join());
    var refs =
        clerks.stream()
            .filter(each -> !ActiveObjects.ref(each).node().name().equals(ended.join()))
            .map(each -> ActiveObjects.ref(each.open(nodes, lazy, "17")))
            .distinct()
            .toList();
    assertThat(refs).as("objects under the key").hasSize(1);
  }

  private String place(String key) {
    for (var attempts = 0; ; attempts++) {
      try {
        return ActiveObjects.ref(accounts().named(key, Account.class, "Zoe"))
            .ask(Account::place)
            .join();
      } catch (CompletionException failure) {
        assertThat(failure.getCause()).isInstanceOf(CallException.class);
        assertThat(attempts).isLessThan(5);
      }
    }
  }
}
