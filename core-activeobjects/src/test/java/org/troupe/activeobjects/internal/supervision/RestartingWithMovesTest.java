package org.troupe.activeobjects.internal.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** An object moves, and its nodes are killed at random, while others call it. */
@Timeout(120)
class RestartingWithMovesTest {

  private static final int HOSTS = 3;
  private static final int LOSSES = 4;
  private static final int WINDOW = 10;
  private static final long BOUND_SECONDS = 30;

  private record Entry(String sender, int number, int life) {}

  private static final Queue<Entry> served = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger lives = new AtomicInteger();
  private static final AtomicBoolean isOver = new AtomicBoolean();

  /** Records what it serves, with the number of its life, which moves along. */
  public static class Ledger {
    private final int life = lives.incrementAndGet();

    public int enter(String sender, int number) {
      served.add(new Entry(sender, number, life));
      return life;
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Calls a ledger until the test is over; returns the lives that have answered. */
  public static class Clerk {
    public List<Integer> fill(Ledger ledger, String name) {
      return RestartingWithMovesTest.fill(ledger, name);
    }
  }

  private static List<Integer> fill(Ledger ledger, String name) {
    var ref = ActiveObjects.ref(ledger);
    List<Integer> answers = new ArrayList<>();
    for (var from = 0; !isOver.get(); from += WINDOW) {
      List<CompletableFuture<Integer>> asked = new ArrayList<>();
      for (var i = from; i < from + WINDOW; i++) {
        var number = i;
        asked.add(ref.ask(it -> it.enter(name, number)));
      }
      for (var each : asked) {
        try {
          answers.add(each.join());
        } catch (CompletionException failure) {
          assertThat(failure.getCause())
              .isInstanceOfAny(RestartedException.class, NodeLostException.class);
        }
      }
    }
    return answers;
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    served.clear();
    lives.set(0);
    isOver.set(false);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void oneEmbodimentAtATimeServesEachCallOnceAndInOrder(long seed) throws Exception {
    var random = new Random(seed);
    try (var grid = InProcessGrid.start(HOSTS + 1)) {
      var safe = grid.get(HOSTS);
      var policy = Restart.elsewhere().times(2 * LOSSES, Duration.ofMinutes(1));
      var ledger =
          ActiveObjects.on(grid.get(0))
              .with(Options.STANDARD.withRestart(policy))
              .create(Ledger.class);
      var clerk = ActiveObjects.on(safe).create(Clerk.class);
      var far = ActiveObjects.ref(clerk).ask(it -> it.fill(ledger, "far"));
      var near = Waits.onVirtualThread(() -> fill(ledger, "near"));

      for (var losses = 0; losses < LOSSES; ) {
        var nodes =
            grid.nodes().list().stream().filter(each -> !each.id().equals(safe.id())).toList();
        var next = nodes.get(random.nextInt(nodes.size()));
        try {
          ActiveObjects.ref(ledger).move(next.id()).get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
          assertThat(failure.getCause())
              .isInstanceOfAny(MoveException.class, NodeLostException.class);
        }
        if (random.nextInt(3) == 0) {
          var host = ActiveObjects.ref(ledger).node();
          var doomed = host.equals(safe.id()) ? next.id() : host;
          losses++;
          grid.join();
          grid.kill(grid.list().stream().map(each -> each.id()).toList().indexOf(doomed));
        }
        var enough = served.size() + random.nextInt(2 * WINDOW);
        Waits.until(() -> served.size() >= enough, "further calls being served");
      }
      Waits.until(() -> isServed(ledger), "the object being served after the last loss");
      isOver.set(true);

      for (var each : List.of(far, near)) {
        assertThat(each.get(BOUND_SECONDS, TimeUnit.SECONDS)).as("lives").isNotEmpty().isSorted();
      }
      for (var sender : List.of("far", "near")) {
        var numbers =
            served.stream()
                .filter(each -> each.sender().equals(sender))
                .map(Entry::number)
                .toList();
        assertThat(numbers).as("calls of " + sender).isSorted().doesNotHaveDuplicates();
      }
    }
  }

  private static boolean isServed(Ledger ledger) {
    try {
      ActiveObjects.ref(ledger).ask(Ledger::place).join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }
}
