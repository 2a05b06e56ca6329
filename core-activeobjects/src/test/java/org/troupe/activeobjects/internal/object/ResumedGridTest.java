package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Grids that go on with the objects in a store. */
@Timeout(120)
class ResumedGridTest {

  private static final List<String> told = new CopyOnWriteArrayList<>();
  private static volatile CountDownLatch arrived;
  private static volatile CountDownLatch gate;

  @TempDir private Path folder;
  private @Nullable LocalNodes grid;

  /** Has money, and a partner. */
  public static class Account implements LifeCycle {
    private final String owner;
    private int balance;
    private @Nullable Account partner;
    private @Nullable Plain plain;

    public Account(String owner) {
      this.owner = owner;
    }

    @Override
    public void arrived() {
      told.add(owner);
    }

    public String owner() {
      return owner;
    }

    public int add(int sum) {
      balance += sum;
      return balance;
    }

    public int addWhenOpen(int sum) {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return add(sum);
    }

    public void partnerOf(Account other, Plain notKept) {
      partner = other;
      plain = notKept;
    }

    public int addToPartner(int sum) {
      return partner.add(sum);
    }

    public Account partner() {
      return partner;
    }

    public int callPlain() {
      return plain.number();
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Is not kept. */
  public static class Plain {
    public int number() {
      return 1;
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    told.clear();
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    ActiveObjects.onFailure(failure -> {});
    grid = LocalNodes.start(2);
  }

  @AfterEach
  void end() {
    gate.countDown();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Store.Directory store() {
    return Store.directory(folder.resolve("store"));
  }

  private ActiveObjects.Creation accounts(Keep keep) {
    return ActiveObjects.on(grid.nodes()).with(Options.STANDARD.withKeep(keep));
  }

  private void resume() {
    grid.close();
    grid = LocalNodes.resume(store(), 2);
  }

  /** Ends all nodes as if their processes had been killed, and goes on with their stores. */
  private void crash() {
    for (var i = 0; i < grid.list().size(); i++) {
      grid.kill(i);
    }
    resume();
  }

  @Test
  void namesLeadToTheObjectsOfTheFormerGrid() {
    for (var keep : List.of(Keep.state(store()), Keep.calls(store()))) {
      var key = keep.logsCalls() ? "logged" : "The key of Ada's account";
      accounts(keep).named(key, Account.class, "Ada").add(5);
      resume();
      assertThat(told).isEmpty();
      var again = accounts(keep).named(key, Account.class, "Bob");
      assertThat(told).as("woken by the first call").isEmpty();
      assertThat(again.owner()).isEqualTo("Ada");
      assertThat(again.add(1)).isEqualTo(6);
      assertThat(told).containsExactly("Ada");
      assertThat(accounts(keep).find(key, Account.class)).map(Account::owner).contains("Ada");
      told.clear();
      crash();
      assertThat(accounts(keep).named(key, Account.class, "Bob").add(1))
          .as("from the last image, or from the log as well")
          .isEqualTo(keep.logsCalls() ? 7 : 6);
      told.clear();
    }
  }

  @Test
  void referencesInImagesLeadToTheObjectsOfTheFormerGrid() {
    var first = accounts(Keep.state(store())).named("first", Account.class, "Ada");
    var second = accounts(Keep.state(store())).create(Account.class, "Bob"); // has no name
    second.add(5);
    first.partnerOf(second, ActiveObjects.on(grid.get(1)).create(Plain.class));
    assertThat(first.owner()).isEqualTo("Ada"); // the call before is served
    for (var i = 1; i <= 3; i++) {
      resume();
      var again = accounts(Keep.state(store())).named("first", Account.class, "Zoe");
      assertThat(again.addToPartner(1)).isEqualTo(5 + i);
      assertThat(again.partner().owner()).isEqualTo("Bob");
      assertThat(again.partner()).isEqualTo(again.partner());
      assertThatThrownBy(again::callPlain).isInstanceOf(CallException.class);
    }
  }

  @Test
  void requestsThatWereNotServedAreServedAtOnce() throws IOException {
    var account = accounts(Keep.calls(store())).create(Account.class, "Ada");
    account.add(1);
    var busy = ActiveObjects.ref(account).ask(each -> each.addWhenOpen(10));
    Waits.await(arrived, "the request");
    var copy = folder.resolve("copy"); // of the store, as if all processes had ended now
    copy(folder.resolve("store"), copy);
    gate.countDown();
    assertThat(valueOf(busy, "the answer")).isEqualTo(11);
    grid.close();

    grid = LocalNodes.resume(Store.directory(copy), 2);

    Waits.until(() -> told.contains("Ada"), "the object made again");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var each : files.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }

  @Test
  void aCallerWhoseJournalWasPutBackGetsNoAnswersOfFormerCalls(LogRecords records)
      throws IOException {
    records.allow(Level.WARNING, "was put back to an older state");
    var keep = Keep.calls(store());
    var first = accounts(keep).named("first", Account.class, "Ada");
    var second = accounts(keep).named("second", Account.class, "Bob");
    first.partnerOf(second, ActiveObjects.on(grid.get(1)).create(Plain.class));
    assertThat(first.addToPartner(1)).isEqualTo(1);
    grid.close();
    var backup = folder.resolve("backup");
    var journal = journal("named-first");
    copy(journal, backup);
    grid = LocalNodes.resume(store(), 2);
    first = accounts(keep).named("first", Account.class, "Ada");
    assertThat(first.addToPartner(2)).isEqualTo(3);
    assertThat(first.addToPartner(4)).isEqualTo(7);
    grid.close();
    Waits.until(() -> StoreFiles.areDeleted(journal), "the deletion of a journal");
    copy(backup, journal);

    grid = LocalNodes.resume(store(), 2);

    var again = accounts(keep).named("first", Account.class, "Ada");
    for (var i = 0; i < 2; i++) {
      assertThatThrownBy(() -> again.addToPartner(8))
          .hasMessageContaining("Account.add(int)")
          .hasMessageContaining("was put back to an older state");
    }
    assertThat(accounts(keep).named("second", Account.class, "Bob").add(0)).isEqualTo(7);
  }

  @Test
  void aCalledObjectWhoseJournalWasPutBackSaysSo(LogRecords records) throws IOException {
    records.allow(Level.WARNING, "was put back to an older state");
    var keep = Keep.calls(store());
    var first = accounts(keep).named("first", Account.class, "Ada");
    var second = accounts(keep).named("second", Account.class, "Bob");
    first.partnerOf(second, ActiveObjects.on(grid.get(1)).create(Plain.class));
    assertThat(first.addToPartner(1)).isEqualTo(1);
    grid.close();
    var backup = folder.resolve("backup");
    var journal = journal("named-second");
    copy(journal, backup);
    grid = LocalNodes.resume(store(), 2);
    first = accounts(keep).named("first", Account.class, "Ada");
    assertThat(first.addToPartner(2)).isEqualTo(3);
    assertThat(first.addToPartner(4)).isEqualTo(7);
    grid.close();
    Waits.until(() -> StoreFiles.areDeleted(journal), "the deletion of a journal");
    copy(backup, journal);

    grid = LocalNodes.resume(store(), 2);

    var again = accounts(keep).named("first", Account.class, "Ada");
    for (var i = 0; i < 2; i++) {
      assertThatThrownBy(() -> again.addToPartner(8))
          .hasMessageContaining("Account.add(int)")
          .hasMessageContaining("The journal of the called object was put back to an older state");
    }
    assertThat(accounts(keep).named("second", Account.class, "Bob").add(0)).isEqualTo(1);
  }

  /** Returns the folder of a journal. */
  private Path journal(String name) throws IOException {
    try (var files = Files.walk(folder.resolve("store"))) {
      return files.filter(each -> each.endsWith(name)).findFirst().orElseThrow();
    }
  }

  @Test
  void anObjectThatWasTerminatedIsNotResumed() {
    var account = accounts(Keep.state(store())).named("17", Account.class, "Ada");
    valueOf(ActiveObjects.ref(account).terminate(), "the end");
    resume();
    assertThat(accounts(Keep.state(store())).find("17", Account.class)).isEmpty();
    assertThat(accounts(Keep.state(store())).named("17", Account.class, "Bob").owner())
        .isEqualTo("Bob");
  }

  @Test
  void aGridThatDoesNotResumeAStoreDoesNotReplaceItsNamedObjects() {
    accounts(Keep.state(store())).named("17", Account.class, "Ada").add(5);
    grid.close();
    grid = LocalNodes.start(2);
    assertThatThrownBy(() -> accounts(Keep.state(store())).named("17", Account.class, "Bob"))
        .hasMessageContaining("has the object '17' of the run")
        .hasMessageContaining("go on with it by Grid.resume");
    resume();
    assertThat(accounts(Keep.state(store())).named("17", Account.class, "Bob").owner())
        .isEqualTo("Ada");
  }

  /** Is read unless its class has changed. */
  public static class Seal implements Serializable {
    private static final long serialVersionUID = 1;
    private static volatile boolean hasChanged;

    private int number;

    private void readObject(ObjectInputStream in) throws IOException {
      if (hasChanged) {
        throw new InvalidObjectException("it has changed");
      }
      number = in.readInt();
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(number);
    }
  }

  /** Has a part that may not be readable. */
  public static class Letter {
    private final Seal seal = new Seal();

    public boolean isSealed() {
      return seal.number == 0;
    }
  }

  @Test
  void anImageThatDoesNotFitItsClassIsNoLossOfANode(LogRecords records) {
    records.allow(Level.WARNING, "it has changed");
    assertThat(accounts(Keep.calls(store())).named("letter", Letter.class).isSealed()).isTrue();
    grid.close();
    Seal.hasChanged = true;
    try {
      grid = LocalNodes.resume(store(), 2);
      var letter = accounts(Keep.calls(store())).find("letter", Letter.class).orElseThrow();
      assertThatThrownBy(letter::isSealed)
          .isInstanceOf(ObjectTerminatedException.class)
          .hasMessageContaining("it could not be made from its last image: ")
          .hasMessageContaining("it has changed; mend that, and go on with it by Grid.resume");
    } finally {
      Seal.hasChanged = false;
    }
    resume();
    assertThat(accounts(Keep.calls(store())).named("letter", Letter.class).isSealed()).isTrue();
  }

  @Test
  void anObjectThatHasNotEndedMissesItsLastImage() {
    var keep = Keep.state(store());
    var account = accounts(keep).named("17", Account.class, "Ada");
    var added = ActiveObjects.ref(account).ask(each -> each.addWhenOpen(5));
    Waits.await(arrived, "the request");
    accounts(Keep.calls(store())).named("18", Account.class, "Bob");
    assertThat(withoutLastImage(false)).singleElement().asString().contains("an Account on node '");
    assertThat(withoutLastImage(true)).hasSize(1);
    gate.countDown();
    valueOf(added, "the request");
    valueOf(ActiveObjects.ref(account).terminate(), "the end");
    assertThat(withoutLastImage(false)).isEmpty();
  }

  private List<String> withoutLastImage(boolean logsCalls) {
    var all = new ArrayList<String>();
    for (var i = 0; i < grid.list().size(); i++) {
      all.addAll(((InProcessGrid) grid).member(i).withoutLastImage(logsCalls));
    }
    return all;
  }

  @Test
  void aFileIsNoStoreToResume() throws IOException {
    var file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> LocalNodes.resume(Store.directory(file), 1))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file + " is a file, where the store needs a folder; give the");
  }

  @Test
  void aStoreThatIsNotThereOrInUseIsRefused() {
    assertThatThrownBy(() -> LocalNodes.resume(Store.directory(folder.resolve("nothing")), 1))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("there is no store in " + folder.resolve("nothing"));
    accounts(Keep.state(store())).named("17", Account.class, "Ada");
    assertThatThrownBy(() -> LocalNodes.resume(store(), 1))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("is used by the run");
  }

  @Test
  void aDamagedJournalIsNamedAndTheOthersGoOn(LogRecords records) throws IOException {
    accounts(Keep.state(store())).named("bad", Account.class, "Ada");
    accounts(Keep.state(store())).named("good", Account.class, "Bob").add(3);
    grid.close();
    List<Path> images = new ArrayList<>();
    try (var files = Files.walk(folder)) {
      files.filter(each -> each.endsWith("image")).forEach(images::add);
    }
    for (var each : images) {
      if (each.toString().contains("named-bad")) {
        try (var file = Files.newByteChannel(each, StandardOpenOption.WRITE)) {
          file.position(40);
          file.write(java.nio.ByteBuffer.wrap(new byte[] {42, 42, 42}));
        }
      }
    }
    records.allow(Level.ERROR, "the object in the journal 'named-bad' of the store");

    grid = LocalNodes.resume(store(), 2);

    assertThat(accounts(Keep.state(store())).named("good", Account.class, "Zoe").add(1))
        .isEqualTo(4);
    assertThatThrownBy(() -> accounts(Keep.state(store())).named("bad", Account.class, "Zoe"))
        .hasMessageContaining("is damaged");
    assertThatThrownBy(() -> accounts(Keep.state(store())).find("bad", Account.class))
        .hasMessageContaining("the object 'bad' of an earlier run could not be read: the image ")
        .hasMessageContaining("named-bad")
        .hasMessageContaining("restore the store from a copy");
  }

  @Test
  void aResumedObjectSleepsAndIsLostLikeAnyOther() {
    var lazy =
        ActiveObjects.on(grid.nodes())
            .with(Options.STANDARD.withKeep(Keep.state(store())).withIdle(Duration.ofMillis(20)));
    lazy.named("17", Account.class, "Ada").add(5);
    resume();
    Ref<Account> account =
        ActiveObjects.ref(accounts(Keep.state(store())).named("17", Account.class, "Bob"));
    assertThat(account.stub().add(1)).isEqualTo(6);
    valueOf(account.checkpoint(), "the image");
    var names = grid.list().stream().map(each -> each.name()).toList();
    grid.kill(names.indexOf(account.stub().place()));
    for (var attempts = 0; ; attempts++) {
      try {
        assertThat(account.ask(each -> each.add(1)).join()).isEqualTo(7);
        break;
      } catch (CompletionException failure) {
        assertThat(failure.getCause()).isInstanceOf(CallException.class);
        assertThat(attempts).isLessThan(3);
      }
    }
  }
}
