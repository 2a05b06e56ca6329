package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Requests of logged objects that are in service when their grid ends, and the next run. */
@Timeout(120)
class EndedGridTest {

  private static volatile CountDownLatch begun;
  private static volatile CountDownLatch gate;

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** How a request calls another object. */
  enum Way {
    WAITING,
    ASKING,
    ONE_WAY
  }

  /** What a request does if the call fails. */
  enum Care {
    NONE,
    RETURNS,
    CALLS_ANOTHER,
    CALLS_ANOTHER_FINALLY,
    THROWS_ANOTHER,
    THROWS_ERROR
  }

  private static Stream<Arguments> cases() {
    return Stream.of(Way.values())
        .flatMap(way -> Stream.of(Care.values()).map(care -> Arguments.of(way, care)));
  }

  /** Has money, and gives it to others. */
  public static class Account {
    private int sum;

    public int add(int money) {
      sum += money;
      return sum;
    }

    public void deposit(int money) {
      sum += money;
    }

    public int sum() {
      return sum;
    }

    public String place() {
      return ActiveObjects.once(() -> ActiveObjects.node().name()); // the next run has another
    }

    public int giveWhenOpen(Account other, Account spare, int money, Way way, Care care) {
      sum -= money;
      awaitGate();
      try {
        give(other, money, way);
      } catch (RuntimeException refused) {
        switch (care) {
          case NONE, CALLS_ANOTHER_FINALLY -> throw refused;
          case RETURNS -> sum += money;
          case CALLS_ANOTHER -> spare.add(money);
          case THROWS_ANOTHER -> throw new IllegalStateException(refused);
          case THROWS_ERROR -> throw new NoClassDefFoundError("for which the object fails");
        }
      } finally {
        if (care == Care.CALLS_ANOTHER_FINALLY) {
          spare.deposit(1);
        }
      }
      return sum;
    }

    private static void awaitGate() {
      begun.countDown();
      Waits.await(gate, "the gate");
    }

    private static void give(Account other, int money, Way way) {
      switch (way) {
        case WAITING -> other.add(money);
        case ASKING -> ActiveObjects.ref(other).ask(each -> each.add(money)).join();
        case ONE_WAY -> other.deposit(money);
      }
    }

    /** Gives money by an effect, of which the log has the outcome. */
    public int giveOnceWhenOpen(Account other, int money) {
      sum -= money;
      awaitGate();
      try {
        ActiveObjects.once(() -> other.add(money));
      } catch (RuntimeException refused) {
        sum += money;
      }
      return sum;
    }

    /** Gives the sum of one account to another, which has to wait for it. */
    public int giveSumWhenOpen(Account first, Account second) {
      var later = ActiveObjects.ref(first).ask(Account::sumWhenOpen);
      sum += second.addLater(later);
      return sum;
    }

    /** Gives money, and does not wait until it has arrived. */
    public int giveWithin(Ref<Account> other, int money, Duration limit) {
      sum -= money;
      try {
        other.within(limit).stub().add(money);
      } catch (CallTimeoutException late) {
        return sum;
      }
      throw new IllegalStateException("the money has arrived");
    }

    public int giveUnreadable(Account other) {
      sum--;
      sum += other.addOf(new Unreadable());
      return sum;
    }

    public int addOf(Unreadable money) {
      return ++sum;
    }

    public int sumWhenOpen() {
      awaitGate();
      return sum;
    }

    public int addLater(CompletableFuture<Integer> money) {
      sum += money.join();
      return sum;
    }
  }

  /** Cannot be decoded. */
  public static class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;
    final int money = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new InvalidObjectException("of class Unreadable");
    }
  }

  /** Returns what an object has answered. */
  record Onward() implements ReplyInterceptor {
    @Override
    public Object answered(int place, Object answer) {
      return answer;
    }
  }

  /** Passes the money of one account to the next. */
  public static class Agent extends Account {
    public int pass(Account from, Account to, Account spare, int money, Way way, Care care) {
      try {
        return from.giveWhenOpen(to, spare, money, way, care);
      } catch (RuntimeException refused) {
        if (care == Care.RETURNS) {
          return 0;
        }
        throw refused;
      }
    }
  }

  /** Is not kept. */
  public static class Prober {
    public int sumOf(Account other) {
      return other.sum();
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    begun = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    gate.countDown();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Store store() {
    return Store.directory(folder.resolve("store"));
  }

  private <T> Ref<T> named(String key, Class<T> type) {
    var kept = Options.STANDARD.withKeep(Keep.calls(store())).withRestart(Restart.elsewhere());
    return ActiveObjects.ref(ActiveObjects.on(grid.nodes()).with(kept).named(key, type));
  }

  private int indexOf(String node) {
    return grid.list().stream().map(each -> each.name()).toList().indexOf(node);
  }

  private void resume() {
    grid.close();
    grid = InProcessGrid.resume(store(), 2);
  }

  private int sumOf(String key) {
    return valueOf(named(key, Account.class).ask(Account::sum), "the sum of " + key);
  }

  private void assertGiven(int money, Care care) {
    assertThat(sumOf("from")).isEqualTo(-money);
    Waits.until(() -> sumOf("to") != 0, "the money");
    assertThat(sumOf("to")).isEqualTo(money);
    var spared = care == Care.CALLS_ANOTHER_FINALLY ? 1 : 0;
    Waits.until(() -> sumOf("spare") >= spared, "the one-way call");
    assertThat(sumOf("spare")).isEqualTo(spared);
  }

  /** Lets one of two nodes end, on which an object is, and the other one learn of that. */
  private void endNodeOf(Account lost, int other) {
    var prober = ActiveObjects.ref(ActiveObjects.on(grid.get(other)).create(Prober.class));
    grid.coordinator().endSupervision();
    grid.kill(1 - other);
    assertThat(failureOf(prober.ask(each -> each.sumOf(lost)), "a call to a lost object"))
        .isInstanceOf(NodeLostException.class);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCallToAnObjectWhoseNodeHasEndedIsMadeInTheNextRun(Way way, Care care) {
    var from = named("from", Account.class);
    var other = named("to", Account.class).stub();
    var spare = named("spare", Account.class).stub();
    var first = indexOf(from.stub().place());
    assertThat(indexOf(other.place())).isNotEqualTo(first);
    from.ask(each -> each.giveWhenOpen(other, spare, 5, way, care));
    Waits.await(begun, "the request");

    endNodeOf(other, first);
    gate.countDown();
    resume();

    assertGiven(5, care);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCallToAnObjectThatSleptAtTheEndIsMadeInTheNextRun(Way way, Care care) {
    List.of("from", "to", "spare").forEach(this::sumOf);
    resume();
    var other = named("to", Account.class).stub();
    var spare = named("spare", Account.class).stub();
    named("from", Account.class).ask(each -> each.giveWhenOpen(other, spare, 5, way, care));
    Waits.await(begun, "the request");

    grid.coordinator().endSupervision();
    gate.countDown();
    resume();

    assertGiven(5, care);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCallerOfAnInterruptedRequestGetsItsAnswerInTheNextRun(Way way, Care care) {
    List.of("from", "to", "spare").forEach(this::sumOf);
    valueOf(named("agent", Agent.class).ask(Account::sum), "a sum");
    resume();
    var other = named("to", Account.class).stub();
    var spare = named("spare", Account.class).stub();
    var from = named("from", Account.class).stub();
    named("agent", Agent.class).ask(each -> each.pass(from, other, spare, 5, way, care));
    Waits.await(begun, "the request");

    grid.coordinator().endSupervision();
    gate.countDown();
    resume();

    assertGiven(5, care);
    assertThat(valueOf(named("agent", Agent.class).ask(Account::sum), "a sum")).isZero();
  }

  @Test
  void anEffectThatFailsSinceTheGridEndsHappensInTheNextRun() {
    var from = named("from", Account.class);
    var other = named("to", Account.class).stub();
    var first = indexOf(from.stub().place());
    assertThat(indexOf(other.place())).isNotEqualTo(first);
    from.ask(each -> each.giveOnceWhenOpen(other, 5));
    Waits.await(begun, "the request");

    endNodeOf(other, first);
    gate.countDown();
    resume();

    assertGiven(5, Care.NONE);
  }

  @Test
  void anArgumentThatFailsSinceTheGridEndsIsAwaitedAgainInTheNextRun() {
    var from = named("from", Account.class);
    var source = named("source", Account.class);
    var other = named("to", Account.class).stub();
    var first = indexOf(from.stub().place());
    assertThat(indexOf(source.stub().place())).isNotEqualTo(first);
    assertThat(indexOf(other.place())).isEqualTo(first);
    source.stub().deposit(7);
    var lost = source.stub();
    from.ask(each -> each.giveSumWhenOpen(lost, other));
    Waits.await(begun, "the request for the sum");

    endNodeOf(lost, first);
    gate.countDown();
    resume();

    Waits.until(() -> sumOf("from") != 0, "the answer");
    assertThat(sumOf("from")).isEqualTo(7);
    assertThat(sumOf("to")).isEqualTo(7);
  }

  @Test
  void aRequestThatAwaitsAnArgumentWhenItsObjectIsLostIsServedByTheNextEmbodiment() {
    var from = named("from", Account.class);
    var first = indexOf(from.stub().place());
    var kept = Options.STANDARD.withKeep(Keep.calls(store())).withRestart(Restart.elsewhere());
    var other = ActiveObjects.on(grid.get(1 - first)).with(kept).create(Account.class);
    var source = ActiveObjects.on(grid.get(first)).with(kept).create(Account.class);
    source.deposit(7);
    var answer = from.ask(each -> each.giveSumWhenOpen(source, other));
    Waits.await(begun, "the request for the sum");
    var node = grid.member(1 - first).node().objects();
    Waits.until(() -> node.bodies().stream().anyMatch(EndedGridTest::serves), "the other request");
    var body = node.bodies().stream().filter(EndedGridTest::serves).findFirst().orElseThrow();

    body.endNow(End.of(End.How.LOST, "its node is being closed"));
    Waits.until(body::hasEnded, "the end of the object");
    grid.kill(1 - first);
    gate.countDown();

    assertThat(valueOf(answer, "the answer")).isEqualTo(7);
  }

  @Test
  void aCallWhoseTimeLimitHasPassedIsServedInTheNextRun() {
    var from = named("from", Account.class);
    var other = named("to", Account.class);
    var first = indexOf(from.stub().place());
    assertThat(indexOf(other.stub().place())).isNotEqualTo(first);
    other.ask(Account::sumWhenOpen);
    Waits.await(begun, "the other request");

    var given = from.ask(each -> each.giveWithin(other, 5, Duration.ofMillis(1)));
    assertThat(valueOf(given, "the sum after the time limit")).isEqualTo(-5);
    endNodeOf(other.stub(), first);
    gate.countDown();
    resume();

    assertGiven(5, Care.NONE);
  }

  @Test
  void anObjectEndsWithTheGridIfItCannotReadARequestAfterAnOnwardOne() {
    var from = named("from", Account.class);
    var other = named("to", Account.class);
    var first = indexOf(from.stub().place());
    var second = indexOf(other.stub().place());
    assertThat(second).isNotEqualTo(first);
    var collectives = Collectives.current();
    var sum = collectives.record(Account.class, Account::sum, true).onward(new Onward());
    var sums = collectives.askEach(List.of(sum), List.of(other), true);
    assertThat(valueOf(sums.getFirst().asCompletableFuture(), "the sum")).isEqualTo(0);
    var body = bodyOn(second);

    grid.coordinator().endSupervision();
    var to = other.stub();
    from.ask(each -> each.giveUnreadable(to));

    Waits.until(body::hasEnded, "the end of the object");
  }

  @Test
  void anObjectThatRestsAndIsCalledEndsIfTheGridEndsLater() {
    var from = named("from", Account.class);
    var first = indexOf(from.stub().place());
    var body = bodyOn(first);
    var node = grid.member(first).node().objects();
    var clock = new ManualRestartClock();
    node.restartBy(clock);
    node.host().keeper().leave();

    from.ask(Account::sum);
    var nextQuestion = clock.awaitPause();
    assertThat(body.hasEnded()).isFalse();
    grid.coordinator().endSupervision();
    nextQuestion.run();

    Waits.until(body::hasEnded, "the end of the object");
  }

  private Body bodyOn(int node) {
    return grid.member(node).node().objects().bodies().stream()
        .filter(each -> each.type().type() == Account.class)
        .findFirst()
        .orElseThrow();
  }

  private static boolean serves(Body body) {
    return body.type().type() == Account.class && body.inService() != null;
  }
}
