package ibis.ipl;

import static ibis.ipl.TestPool.ALL;
import static ibis.ipl.TestPool.CLOSED;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.testing.LogRecords;

/** Pools whose server ends and is started again at its address. */
@Timeout(60)
class RestartedServerTest {

  private static final String LINKS = "troupe.links";

  private TestPool pool;
  private int restarts;

  /** Members log the end and the return of their server, some of them when a test has ended. */
  @BeforeEach
  void allowNewsOfTheServer(LogRecords records) {
    records.allow(WARNING, "the server", "trying to reconnect");
    records.allow(WARNING, "the server", "is there again");
    records.allow(WARNING, "the server", "none came back there");
  }

  @AfterEach
  void end() throws IOException {
    System.clearProperty(LINKS);
    pool.close();
  }

  private Ibis joinedTo(RecordedEvents events) throws Exception {
    Ibis member = pool.join(ALL, events);
    member.registry().enableEvents();
    return member;
  }

  private void restart(RecordedEvents... witnesses) throws Exception {
    restarts++;
    pool.server().end(-1);
    for (RecordedEvents events : witnesses) {
      events.await("server lost", restarts);
    }
    pool.restartServer();
    for (RecordedEvents events : witnesses) {
      events.await("server found", restarts);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void findsItsMembersAndTheirElectionsAgain(String driver) throws Exception {
    System.setProperty(LINKS, driver);
    pool = new TestPool();
    var seenByFirst = new RecordedEvents();
    var seenBySecond = new RecordedEvents();
    Ibis first = joinedTo(seenByFirst);
    Ibis second = joinedTo(seenBySecond);
    second.registry().elect("leader");
    assertThat(first.registry().getSequenceNumber("tickets")).isZero();

    pool.server().end(-1);
    seenByFirst.await("server lost");
    seenBySecond.await("server lost");
    assertThatThrownBy(() -> first.registry().elect("another"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("the server has ended", "fail until a server is there again");
    pool.restartServer();
    seenByFirst.await("server found");
    seenBySecond.await("server found");

    assertThat(first.registry().elect("leader")).isEqualTo(second.identifier());
    assertThat(first.registry().getSequenceNumber("tickets")).isEqualTo(1);
    Ibis third = pool.join(ALL);
    assertThat(third.identifier().name()).isEqualTo("Ibis 2");
    third.registry().elect("news have come");
    assertThat(third.registry().joinedIbises())
        .containsExactlyInAnyOrder(first.identifier(), second.identifier(), third.identifier());
    third.registry().signal("hello", first.identifier());
    seenByFirst.await("signal hello of Ibis 2");
    second.end();
    assertThat(seenByFirst.await("elected leader nobody"))
        .containsExactly(
            "joined Ibis 0",
            "joined Ibis 1",
            "elected leader Ibis 1",
            "server lost",
            "server found",
            "joined Ibis 2",
            "elected news have come Ibis 2",
            "signal hello of Ibis 2",
            "left Ibis 1",
            "elected leader nobody");
  }

  @Test
  void isFoundAgainAndAgain(LogRecords records) throws Exception {
    pool = new TestPool();
    var events = new RecordedEvents();
    Ibis first = joinedTo(events);
    for (int round = 1; round <= 3; round++) {
      restart(events);
      Ibis member = pool.join(ALL);
      assertThat(member.identifier().name()).isEqualTo("Ibis " + round);
      member.end();
      events.await("left Ibis " + round);
    }
    assertThat(first.registry().elect("leader")).isEqualTo(first.identifier());
    records.expect(WARNING, "the server has ended", "trying to reconnect");
    records.expect(WARNING, "the server at", "is there again");
  }

  @Test
  void tellsOfAMemberThatWentWhileItWasAway() throws Exception {
    pool = new TestPool();
    var events = new RecordedEvents();
    joinedTo(events);
    Ibis second = pool.join(ALL);
    second.registry().elect("leader");
    pool.server().end(-1);
    events.await("server lost");
    second.end();

    pool.restartServer();

    assertThat(events.await("elected leader nobody"))
        .endsWith("server found", "died Ibis 1", "elected leader nobody");
  }

  @Test
  void countsTheMembersOfAClosedWorldOnce() throws Exception {
    pool = new TestPool();
    pool.with(IbisProperties.POOL_SIZE, "3");
    var events = new RecordedEvents();
    Ibis first = pool.join(CLOSED, events);
    first.registry().enableEvents();
    pool.join(CLOSED);
    restart(events);

    assertThat(first.registry().isClosed()).isFalse();
    pool.join(CLOSED);
    first.registry().waitUntilPoolClosed();
    assertThatThrownBy(() -> pool.join(CLOSED)).hasMessageContaining("is closed");
    restart(events);
    assertThatThrownBy(() -> pool.join(CLOSED)).hasMessageContaining("is closed");
    assertThat(events.all().stream().filter("closed"::equals)).hasSize(1);
  }

  @Test
  void keepsAPoolTerminated() throws Exception {
    pool = new TestPool();
    var events = new RecordedEvents();
    Ibis first = joinedTo(events);
    first.registry().terminate();
    events.await("terminated by Ibis 0");

    restart(events);

    assertThatThrownBy(() -> pool.join(ALL)).hasMessageContaining("was terminated");
  }

  @Test
  void saysThatItHasLostTheTokens() throws Exception {
    pool = new TestPool();
    var events = new RecordedEvents();
    Ibis first = joinedTo(events);
    first.registry().addTokens("bag", 2);

    restart(events);

    assertThatThrownBy(() -> first.registry().getToken("bag"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("add those that are left again");
    first.registry().addTokens("bag", 1);
    assertThat(List.of(first.registry().getToken("bag"))).containsExactly("bag");
    assertThat(first.registry().getToken("bag")).isNull();
  }

  @Test
  void isNotLookedForLongerThanTheTimeLimit(LogRecords records) throws Exception {
    pool = new TestPool();
    pool.with("ibis.registry.central.client.connect.timeout", "0.1");
    Ibis member = pool.join(ALL);
    pool.server().end(-1);
    assertThat(records.expect(WARNING, "trying to reconnect for")).startsWith("Ibis 0");
    records.expect(WARNING, "none came back there");
    assertThatThrownBy(() -> member.registry().elect("x"))
        .hasMessageContaining("cannot be used any more");
  }

  @Test
  void givesNoNumberTwice() throws Exception {
    pool = new TestPool();
    var events = List.of(new RecordedEvents(), new RecordedEvents(), new RecordedEvents());
    var numbers = new ConcurrentLinkedQueue<Long>();
    var given = new Semaphore(0); // a permit for each number
    var restarted = new Phaser(1); // a phase for each server; ends with the test
    var threads = new ArrayList<Thread>();
    for (var each : events) {
      var registry = joinedTo(each).registry();
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!restarted.isTerminated()) {
                      int phase = restarted.getPhase();
                      try {
                        numbers.add(registry.getSequenceNumber("tickets"));
                        given.release();
                      } catch (IOException e) {
                        restarted.awaitAdvance(phase); // the server is lost for the moment
                      }
                    }
                  }));
    }

    try {
      for (int i = 0; i < 3; i++) {
        given.drainPermits();
        assertThat(given.tryAcquire(300, 30, SECONDS)).as("300 numbers of a server").isTrue();
        restart(events.toArray(RecordedEvents[]::new));
        restarted.arrive();
      }
      given.drainPermits();
      assertThat(given.tryAcquire(3, 30, SECONDS)).as("numbers of the last server").isTrue();
    } finally {
      restarted.forceTermination();
      for (var thread : threads) {
        thread.join();
      }
    }

    assertThat(numbers).doesNotHaveDuplicates();
  }
}
