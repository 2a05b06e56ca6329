package ibis.ipl;

import static ibis.ipl.TestPool.ALL;
import static ibis.ipl.TestPool.CLOSED;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Secret;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** The pool and its registry, with one server and all members in this JVM. */
@Timeout(60)
class RegistryTest {

  private final TestPool pool;

  RegistryTest() throws IOException {
    pool = new TestPool();
  }

  @AfterEach
  void end() throws IOException {
    pool.close();
  }

  /** Check 17. */
  @Test
  void keepsEventsUntilTheHandlerIsEnabled() throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(ALL, events);
    pool.join(ALL).end();
    pool.join(ALL);
    assertThat(events.all()).isEmpty();

    first.registry().enableEvents();

    assertThat(events.await("joined Ibis 2"))
        .containsExactly("joined Ibis 0", "joined Ibis 1", "left Ibis 1", "joined Ibis 2");
  }

  /** Check 17. */
  @Test
  void tellsAllMembersTheSameInTheSameOrder() throws Exception {
    List<RecordedEvents> recorded = new ArrayList<>();
    List<Ibis> members = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      recorded.add(new RecordedEvents());
      members.add(pool.join(ALL, recorded.get(i)));
      members.get(i).registry().enableEvents();
    }

    inParallel(8, i -> members.get(i).registry().elect("election " + i % 3));
    inParallel(4, i -> pool.join(ALL));
    members.getFirst().registry().terminate();

    List<String> seenByFirst = recorded.getFirst().await("terminated by Ibis 0");
    for (RecordedEvents events : recorded) {
      assertThat(events.await("terminated by Ibis 0")).isEqualTo(seenByFirst);
    }
  }

  /** Check 17. */
  @Test
  void tellsANewcomerWhoIsThereAndThatItIsThereItself() throws Exception {
    pool.join(ALL).registry().elect("leader");
    pool.join(ALL).end();
    var events = new RecordedEvents();
    pool.join(ALL, events).registry().enableEvents();

    assertThat(events.await("elected leader Ibis 0"))
        .containsExactly("joined Ibis 0", "joined Ibis 2", "elected leader Ibis 0");
  }

  @Test
  void givesNoEventAfterDisablingThemReturned() throws Exception {
    var inHandler = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    Ibis member =
        pool.join(
            ALL,
            new Handler() {
              @Override
              public void joined(IbisIdentifier joinedIbis) {
                inHandler.countDown();
                await(goOn);
              }
            });
    member.registry().enableEvents();
    await(inHandler);

    CompletableFuture<Void> disabled =
        CompletableFuture.runAsync(() -> member.registry().disableEvents());
    assertThat(disabled).isNotDone();

    goOn.countDown();
    disabled.get(30, SECONDS);
  }

  @Test
  void goesOnAfterAHandlerFailed(LogRecords records) throws Exception {
    var joined = new CountDownLatch(2);
    Ibis member =
        pool.join(
            ALL,
            new Handler() {
              @Override
              public void joined(IbisIdentifier joinedIbis) {
                joined.countDown();
                throw new IllegalStateException("on purpose");
              }
            });
    member.registry().enableEvents();
    pool.join(ALL);

    await(joined);
    records.expect(WARNING, "the handler of registry events failed at Joined", "on purpose");
  }

  @Test
  void tellsWhoAsksWhatHappenedSinceTheLastTime() throws Exception {
    Ibis first = pool.join(ALL);
    Ibis second = pool.join(ALL);
    second.registry().elect("news of the second have come");
    assertThat(second.registry().joinedIbises())
        .containsExactly(first.identifier(), second.identifier());
    assertThat(second.registry().joinedIbises()).isEmpty();

    first.end();
    second.registry().elect("news of the first have come");
    assertThat(second.registry().leftIbises()).containsExactly(first.identifier());
    assertThat(second.registry().diedIbises()).isEmpty();
  }

  @Test
  void refusesWhatTheInstanceWasNotMadeFor() throws Exception {
    Registry bare = pool.join(new IbisCapabilities()).registry();
    Registry handled = pool.join(ALL, new RecordedEvents()).registry();

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> bare.elect("x"),
            () -> bare.getElectionResult("x"),
            bare::joinedIbises,
            bare::leftIbises,
            bare::diedIbises,
            bare::receivedSignals,
            () -> bare.signal("x"),
            bare::getPoolSize,
            bare::isClosed,
            bare::waitUntilPoolClosed,
            bare::terminate,
            bare::hasTerminated,
            bare::waitUntilTerminated,
            bare::enableEvents,
            bare::disableEvents,
            handled::joinedIbises,
            handled::receivedSignals,
            handled::isClosed)) {
      assertThatThrownBy(call).isInstanceOf(IbisConfigurationException.class);
    }
    assertThat(bare.getSequenceNumber("needs nothing")).isZero();
  }

  /** Check 18. */
  @Test
  void electsTheFirstUntilItLeaves() throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(ALL);
    Ibis second = pool.join(ALL, events);
    second.registry().enableEvents();
    assertThat(first.registry().elect("leader")).isEqualTo(first.identifier());
    assertThat(second.registry().elect("leader")).isEqualTo(first.identifier());

    first.end();
    events.await("elected leader nobody");

    assertThat(second.registry().elect("leader")).isEqualTo(second.identifier());
  }

  /** Check 18. */
  @Test
  void agreesOnOneWinnerOfManyWhoStandAtOnce() throws Exception {
    List<Ibis> members = join(6);
    Set<String> ranks = new ConcurrentSkipListSet<>();

    inParallel(
        6,
        i -> {
          Ibis me = members.get(i);
          int rank = 0;
          while (!me.registry().elect(Integer.toString(rank)).equals(me.identifier())) {
            rank++;
          }
          ranks.add(Integer.toString(rank));
        });

    assertThat(ranks).containsExactly("0", "1", "2", "3", "4", "5");
  }

  /** Check 18. */
  @Test
  void waitsForAnElectionResultAsLongAsItIsTold() throws Exception {
    Ibis first = pool.join(ALL);
    Ibis second = pool.join(ALL);
    assertThat(second.registry().getElectionResult("leader", -1)).isNull();
    assertThat(second.registry().getElectionResult("leader", 20)).isNull();

    CompletableFuture<IbisIdentifier> waiting =
        supply(() -> second.registry().getElectionResult("leader", 0));
    first.registry().elect("leader");

    assertThat(waiting.get(30, SECONDS)).isEqualTo(first.identifier());
    assertThat(second.registry().getElectionResult("leader", -1)).isEqualTo(first.identifier());
    assertThat(second.registry().elect("leader", 30_000)).isEqualTo(first.identifier());
  }

  /** Check 19. */
  @Test
  void closesAWorldThatIsCompleteForGood() throws Exception {
    pool.with(IbisProperties.POOL_SIZE, "2");
    Ibis first = pool.join(CLOSED);
    assertThat(first.registry().isClosed()).isFalse();
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> first.registry().waitUntilPoolClosed());
    pool.join(CLOSED).end();

    waiting.get(30, SECONDS);

    assertThat(first.registry().isClosed()).isTrue();
    assertThat(first.registry().getPoolSize()).isEqualTo(2);
    assertThatThrownBy(() -> pool.join(CLOSED))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("all 2 members have joined");
  }

  /** Check 19. */
  @Test
  void tellsHandlersOfAWorldThatItIsComplete() throws Exception {
    pool.with(IbisProperties.POOL_SIZE, "1");
    var events = new RecordedEvents();
    Ibis only = pool.join(CLOSED, events);
    only.registry().waitUntilPoolClosed();
    only.registry().enableEvents();

    assertThat(events.await("closed")).containsExactly("joined Ibis 0", "closed");
  }

  /** The first member says how large a pool is; others have to agree. */
  @Test
  void refusesAMemberThatWantsAnotherWorld() throws Exception {
    pool.with(IbisProperties.POOL_SIZE, "3");
    pool.join(CLOSED);

    assertThatThrownBy(() -> pool.join(ALL)).isInstanceOf(IbisConfigurationException.class);
    pool.with(IbisProperties.POOL_SIZE, "4");
    assertThatThrownBy(() -> pool.join(CLOSED))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContainingAll("closed world of 3", "closed world of 4");
  }

  @Test
  void usesANameAnewWhenThePoolHasEnded() throws Exception {
    pool.with(IbisProperties.POOL_SIZE, "1");
    pool.join(CLOSED).end();

    assertThat(pool.join(CLOSED).identifier().name()).isEqualTo("Ibis 0");
  }

  /** Check 20. */
  @Test
  void tellsAllThatThePoolIsTerminated() throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(ALL);
    Ibis second = pool.join(ALL, events);
    assertThat(second.registry().hasTerminated()).isFalse();
    List<CompletableFuture<IbisIdentifier>> waiting =
        IntStream.range(0, 3)
            .mapToObj(_ -> supply(second.registry()::waitUntilTerminated))
            .toList();

    first.registry().terminate();
    second.registry().terminate();

    for (CompletableFuture<IbisIdentifier> source : waiting) {
      assertThat(source.get(30, SECONDS)).isEqualTo(first.identifier());
    }
    assertThat(first.registry().waitUntilTerminated()).isEqualTo(first.identifier());
    second.registry().enableEvents(); // late
    assertThat(events.await("terminated by Ibis 0")).endsWith("terminated by Ibis 0");
    assertThatThrownBy(() -> pool.join(ALL)).isInstanceOf(IbisConfigurationException.class);
  }

  @Test
  void signalsThoseMembersThatAreThere() throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(ALL);
    Ibis second = pool.join(ALL, events);
    Ibis third = pool.join(ALL);
    second.registry().enableEvents();
    third.end();

    first.registry().signal("go", first.identifier(), third.identifier(), second.identifier());
    events.await("signal go of Ibis 0");
    first.registry().elect("the signal to ourselves has come");

    assertThat(first.registry().receivedSignals()).containsExactly("go");
    assertThat(first.registry().receivedSignals()).isEmpty();
  }

  @Test
  void givesEachSequenceNumberOnce() throws Exception {
    List<Ibis> members = join(4);
    Set<Long> numbers = new ConcurrentSkipListSet<>();

    inParallel(
        4,
        i -> {
          for (int n = 0; n < 25; n++) {
            numbers.add(members.get(i).registry().getSequenceNumber("name"));
          }
        });

    assertThat(numbers).hasSize(100).startsWith(0L).endsWith(99L);
    assertThat(members.getFirst().registry().getSequenceNumber("another")).isZero();
  }

  @Test
  void givesAsManyTokensAsThereAre() throws Exception {
    List<Ibis> members = join(2);
    members.get(0).registry().addTokens("bag", 1);
    members.get(1).registry().addTokens("bag", 2);

    assertThat(
            IntStream.range(0, 4)
                .mapToObj(i -> call(() -> members.get(i % 2).registry().getToken("bag"))))
        .containsExactly("bag", "bag", "bag", null);
    assertThatThrownBy(() -> members.get(0).registry().addTokens("bag", -1))
        .isInstanceOf(IOException.class);
  }

  @Test
  void declaresDeadWhomAMemberDeclaresDead(LogRecords records) throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(ALL, events);
    Ibis second = pool.join(ALL);
    first.registry().enableEvents();
    CompletableFuture<IbisIdentifier> waiting = supply(second.registry()::waitUntilTerminated);

    first.registry().assumeDead(second.identifier());

    events.await("died Ibis 1");
    assertThat(waiting.get(30, SECONDS)).isNull();
    assertThatThrownBy(() -> second.registry().getSequenceNumber("x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("declared dead");
    records.expect(WARNING, "Ibis 1", "this instance was declared dead: Ibis 0 declared it dead");
  }

  @Test
  void findsAliveWhomAMemberSuspects() throws Exception {
    Ibis first = pool.join(ALL);
    Ibis second = pool.join(ALL);

    for (int i = 0; i < 3; i++) {
      first.registry().maybeDead(second.identifier());
    }
    second.registry().elect("the suspect can still win");

    assertThat(first.registry().diedIbises()).isEmpty();
  }

  /** Check 22. */
  @Test
  void keepsPoolsApart() throws Exception {
    Ibis here = pool.join(ALL);
    Ibis there = pool.with(IbisProperties.POOL_NAME, "elsewhere").join(ALL);

    assertThat(here.registry().elect("leader")).isEqualTo(here.identifier());
    assertThat(there.registry().elect("leader")).isEqualTo(there.identifier());
    assertThat(there.registry().joinedIbises()).containsExactly(there.identifier());
    assertThat(here.identifier()).isNotEqualTo(there.identifier());
    assertThat(there.registry().getPoolName()).isEqualTo("elsewhere");
    assertThat(pool.server().getPools()).containsExactly("elsewhere", "pool");
  }

  /** Check 26. */
  @Test
  void endsWaitingAndCallsWhenTheServerEnds(LogRecords records) throws Exception {
    Ibis member = pool.join(ALL);
    pool.with(IbisProperties.POOL_NAME, "closed").with(IbisProperties.POOL_SIZE, "2");
    Ibis waitingForOthers = pool.join(CLOSED);
    CompletableFuture<IbisIdentifier> terminated = supply(member.registry()::waitUntilTerminated);
    CompletableFuture<IbisIdentifier> elected =
        supply(() -> member.registry().getElectionResult("nobody stands"));
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(() -> waitingForOthers.registry().waitUntilPoolClosed());

    pool.server().end(-1);

    assertThat(terminated.get(30, SECONDS)).isNull();
    assertThatThrownBy(() -> elected.get(30, SECONDS)).hasRootCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> closed.get(30, SECONDS))
        .hasCauseInstanceOf(IbisRuntimeException.class);
    assertThatThrownBy(() -> member.registry().elect("x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the server has ended");
    records.expect(WARNING, "the server has ended", "trying to reconnect");
  }

  @Test
  void endsAServerWhenItsPoolsHaveEnded(LogRecords records) throws Exception {
    records.allow(WARNING, "the peer has closed its link");
    Ibis member = pool.join(ALL);
    CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> pool.server().end(0));
    assertThat(ended).isNotDone();

    member.end();

    ended.get(30, SECONDS);
  }

  /** Check 27. */
  @Test
  void endsAnInstanceOnceAndForAll() throws Exception {
    Ibis member = pool.join(ALL);
    CompletableFuture<IbisIdentifier> waiting = supply(member.registry()::waitUntilTerminated);
    inParallel(3, _ -> member.end());
    member.end();

    assertThat(waiting.get(30, SECONDS)).isNull();
    assertThatThrownBy(() -> member.registry().elect("x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the instance has ended");
  }

  /** Elections were once kept after the winner had left, if it left while others stood. */
  @Test
  void neverGivesAWinnerThatHasLeft() throws Exception {
    Ibis judge = pool.join(ALL);
    for (int round = 0; round < 10; round++) {
      Ibis leaving = pool.join(ALL);
      leaving.registry().elect("leader");
      leaving.end();
      assertThat(judge.registry().elect("leader")).isEqualTo(judge.identifier());
      judge.end();
      judge = pool.join(ALL);
    }
  }

  /** Descriptors once leaked with each member that came and went. */
  @Test
  void leavesNoDescriptorsBehind() throws Exception {
    pool.join(ALL).end();
    long before = descriptors();

    for (int i = 0; i < 20; i++) {
      pool.join(ALL, new RecordedEvents()).end();
    }

    // The server closes its ends when it has read ours.
    Polling.until(
        () -> "at most " + (before + 5) + " descriptors, now " + openFiles(),
        () -> descriptors() <= before + 5);
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  private static String openFiles() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.map(file -> call(() -> Files.readSymbolicLink(file).toString()))
          .toList()
          .toString();
    } catch (IOException | AssertionError e) {
      return "files of which one was closed meanwhile";
    }
  }

  @Test
  void refusesAMemberWithAnotherSecret(LogRecords records) throws Exception {
    Properties stranger = pool.properties();
    stranger.setProperty(IbisProperties.SECRET, Secret.random().reveal());

    assertThatThrownBy(() -> pool.joinAs(stranger, ALL, null))
        .isInstanceOf(IbisCreationFailedException.class);
    records.expect(WARNING, "refused a connection", "does not know this deployment's secret");
  }

  @Test
  void saysThatThereIsNoServer() throws IOException {
    pool.server().end(-1);
    pool.with("ibis.registry.central.client.connect.timeout", "0.2");

    assertThatThrownBy(() -> pool.join(ALL))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContaining("there is no server at");
  }

  private List<Ibis> join(int count) throws IbisCreationFailedException {
    List<Ibis> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(pool.join(ALL));
    }
    return members;
  }

  private interface Call<T> {
    T call() throws Exception;
  }

  private interface Action {
    void run(int index) throws Exception;
  }

  private static <T> T call(Call<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static <T> CompletableFuture<T> supply(Call<T> call) {
    var result = new CompletableFuture<T>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                result.complete(call.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static void inParallel(int count, Action action) throws Exception {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      all.add(
          supply(
              () -> {
                action.run(index);
                return null;
              }));
    }
    for (CompletableFuture<Void> one : all) {
      one.get(30, SECONDS);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, SECONDS)).as("opened in time").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Does nothing. */
  private static class Handler implements RegistryEventHandler {
    @Override
    public void joined(IbisIdentifier joinedIbis) {}

    @Override
    public void left(IbisIdentifier leftIbis) {}

    @Override
    public void died(IbisIdentifier corpse) {}

    @Override
    public void gotSignal(String signal, IbisIdentifier source) {}

    @Override
    public void electionResult(String electionName, IbisIdentifier winner) {}

    @Override
    public void poolClosed() {}

    @Override
    public void poolTerminated(IbisIdentifier source) {}
  }
}
