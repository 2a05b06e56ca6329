package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * References that an object logs, perhaps when its node has left the grid already, and that its
 * next embodiment calls.
 */
@Timeout(120)
class LeftGridReferencesTest {

  private static final int FROM = 0;
  private static final int TO = 1;
  private static final int BIRTHPLACE = 2;
  private static final int JOINED = 3;

  private static volatile CountDownLatch begun;
  private static volatile CountDownLatch gate;
  private static volatile CountDownLatch remembered;
  private static volatile @Nullable Account held;

  @TempDir private Path folder;
  private InProcessGrid grid;
  private final List<Object> others = new ArrayList<>();

  /** Has money, and gives it to the account that it remembers. */
  public static class Account {
    private int sum;
    private @Nullable Account other;

    public void block() {
      begun.countDown();
      Waits.await(gate, "the gate");
    }

    public void blockAndAsk() {
      block();
      other.add(0);
    }

    public void remember(Account its) {
      other = its;
      remembered.countDown();
    }

    public void rememberHeld() {
      other = ActiveObjects.once(() -> held);
      remembered.countDown();
    }

    public int giveTwice(int money) {
      sum -= 2 * money;
      other.deposit(money);
      return other.add(money);
    }

    public void give(int money) {
      sum -= money;
      other.deposit(money);
    }

    public int otherSum() {
      return other.add(0);
    }

    public void deposit(int money) {
      sum += money;
    }

    public int add(int money) {
      sum += money;
      return sum;
    }

    public int sum() {
      return sum;
    }
  }

  /** Has a reference, and is not kept. */
  public static class Holder {
    public boolean hold(Account its) {
      held = its;
      return true;
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed"); // the rest of a lost node goes on
    ActiveObjects.onFailure(failure -> {});
    close();
    remembered = new CountDownLatch(1);
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    gate.countDown();
    grid.close();
    held = null;
    ActiveObjects.onFailure(null);
  }

  /** Closes the gate for the requests that begin from now on. */
  private static void close() {
    gate = new CountDownLatch(1);
    begun = new CountDownLatch(1);
  }

  private Ref<Account> account(int node) {
    var kept =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder.resolve("store"))))
            .withRestart(Restart.elsewhere());
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).with(kept).create(Account.class));
  }

  private List<Body> accountsOn(int node) {
    return grid.member(node).node().objects().bodies().stream()
        .filter(each -> each.type().type() == Account.class)
        .toList();
  }

  private static int queued(List<Body> bodies) {
    return bodies.stream().mapToInt(Body::queued).sum();
  }

  private static boolean areIdle(List<Body> bodies) {
    return bodies.stream().allMatch(each -> each.inService() == null && !each.hasQueued());
  }

  /**
   * Whether a reference is logged while the node is a member, or when it is none any more: as an
   * argument, which is read then, or as a value that the node had before.
   */
  enum Logged {
    BEFORE_THE_END,
    AS_AN_ARGUMENT_AFTER_THE_END,
    AS_A_VALUE_AFTER_THE_END
  }

  @ParameterizedTest
  @EnumSource
  void callsByAReferenceOfALostEmbodimentAreServedOnce(Logged logged) {
    var from = account(FROM);
    var to = account(TO);
    assertServedOnce(logged, from, to);
  }

  @ParameterizedTest
  @EnumSource
  void callsByAReferenceToAnObjectWhoseBirthplaceIsLostAreServedOnce(Logged logged) {
    var from = account(FROM);
    var to = account(BIRTHPLACE);
    addObjects(FROM);
    grid.kill(BIRTHPLACE);
    assertThat(valueOf(to.ask(Account::sum), "the sum of the called object")).isZero();
    assertServedOnce(logged, from, to);
  }

  private void assertServedOnce(Logged logged, Ref<Account> from, Ref<Account> to) {
    assertThat(accountsOn(TO)).hasSize(1);
    addObjects(TO);
    grid.join(); // the node of the embodiments to come
    var target = to.stub();
    from.stub().block();
    Waits.await(begun, "the request that blocks the caller");
    if (logged == Logged.AS_A_VALUE_AFTER_THE_END) {
      var holder = ActiveObjects.ref(ActiveObjects.on(grid.get(FROM)).create(Holder.class));
      valueOf(holder.ask(each -> each.hold(target)), "the reference");
      from.stub().rememberHeld();
    } else {
      from.stub().remember(target);
    }
    Waits.until(() -> queued(accountsOn(FROM)) == 1, "the request with the reference");

    if (logged != Logged.BEFORE_THE_END) {
      grid.member(FROM).vanish();
    }
    gate.countDown();
    Waits.await(remembered, "the service of that request, which is logged before");
    Waits.until(() -> areIdle(accountsOn(FROM)), "the end of that request");
    grid.kill(FROM);
    assertThat(valueOf(from.ask(Account::sum), "the sum of the object made again")).isZero();
    assertThat(accountsOn(TO)).as("the accounts on the node of the called object").hasSize(1);

    close();
    to.stub().block();
    Waits.await(begun, "the request that blocks the called object");
    var given = from.ask(each -> each.giveTwice(5));
    Waits.until(() -> queued(accountsOn(TO)) == 2, "the calls by the reference");
    begun = new CountDownLatch(1);
    grid.kill(TO);
    Waits.await(begun, "the called object, which is made again");
    gate.countDown();

    assertThat(valueOf(given, "the answer of a call by the reference")).isEqualTo(10);
    assertThat(valueOf(to.ask(Account::sum), "the sum of the called object")).isEqualTo(10);
    assertThat(valueOf(from.ask(Account::sum), "the sum of the caller")).isEqualTo(-10);
  }

  /**
   * To a node that leaves its grid while it makes an object again, the called object is lost. So
   * the object ends there and is made again elsewhere, and nobody hears of a call that has failed.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallThatANodeWithoutItsGridCannotMakeIsMadeElsewhere(boolean isInImage) {
    Queue<String> reported = new ConcurrentLinkedQueue<>();
    ActiveObjects.onFailure(failure -> reported.add(failure.toString()));
    var from = account(FROM);
    var to = account(TO);
    addObjects(TO);
    addObjects(BIRTHPLACE);
    grid.join();
    from.stub().remember(to.stub());
    Waits.await(remembered, "the service of the request with the reference");
    to.stub().block();
    Waits.await(begun, "the request that blocks the called object");
    from.stub().give(5);
    Waits.until(() -> queued(accountsOn(TO)) == 1, "the call by the reference");
    if (isInImage) {
      valueOf(from.checkpoint(), "the image with the call");
    }

    var made = new CompletableFuture<Body>();
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.MAKING && !made.isDone()) {
            Faults.happen(() -> grid.member(JOINED).vanish());
            made.complete(accountsOn(JOINED).getFirst());
          }
        });
    grid.kill(FROM);
    var cutOff = valueOf(made, "the object on the node without its grid");
    Waits.until(cutOff::hasEnded, "the end of that object");
    assertThat(cutOff.end().how()).as("the end of that object").isEqualTo(End.How.LOST);
    grid.kill(TO); // with the call in the queue
    gate.countDown();
    grid.kill(JOINED);

    assertThat(valueOf(from.ask(Account::otherSum), "the sum of the called object")).isEqualTo(5);
    assertThat(valueOf(from.ask(Account::sum), "the sum of the caller")).isEqualTo(-5);
    assertThat(reported).noneMatch(each -> each.contains("deposit"));
  }

  /**
   * Of two objects on a node without its grid, the called one has ended there before the other is
   * made from its log. It will be made again elsewhere, so the call to it is not over.
   */
  @Test
  void aCallToAnObjectThatTheNodeHasLostIsMadeElsewhere() {
    var from = account(FROM);
    addObjects(TO);
    addObjects(BIRTHPLACE);
    grid.join();
    var to = account(JOINED);
    from.stub().remember(to.stub());
    Waits.await(remembered, "the service of the request with the reference");
    remembered = new CountDownLatch(1);
    to.stub().remember(account(TO).stub());
    Waits.await(remembered, "the service of that request by the other object");
    var called = accountsOn(JOINED).getFirst();
    to.stub().blockAndAsk();
    Waits.await(begun, "the request that blocks the called object");
    from.stub().give(5);
    Waits.until(() -> queued(List.of(called)) == 1, "the call by the reference");

    var made = new CompletableFuture<Body>();
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.MAKING && !made.isDone()) {
            Faults.happen(() -> grid.member(JOINED).vanish());
            gate.countDown(); // the called object ends when it calls the third one
            Waits.until(called::hasEnded, "the end of the called object");
            made.complete(accountsOn(JOINED).getFirst());
          }
        });
    grid.kill(FROM);
    Waits.until(
        valueOf(made, "the object on the node without its grid")::hasEnded,
        "the end of the calling object");
    grid.kill(JOINED);

    assertThat(valueOf(from.ask(Account::otherSum), "the sum of the called object")).isEqualTo(5);
    assertThat(valueOf(from.ask(Account::sum), "the sum of the caller")).isEqualTo(-5);
  }

  @Test
  void aNodeWithoutItsGridHasNoEntriesForTheNodesOfThat() {
    var left = grid.member(FROM);
    left.vanish();
    var peers = left.node().peers();
    peers.forget(left); // as when the grid has been closed

    var other = grid.get(TO).id();
    assertThat(peers.peer(other, left, "an address").isLost()).isTrue();
    assertThat(peers.known(other)).isNull();
  }

  /** Gives a node more objects than others have, so that none is made again on it. */
  private void addObjects(int node) {
    for (var i = 0; i < 5; i++) {
      others.add(ActiveObjects.on(grid.get(node)).create(Holder.class));
    }
  }
}
