package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Each step of a restart on another node, on each node that passes it, while that node ends: the
 * next host, a caller's node, and one that has nothing to do with it.
 */
@Timeout(60)
class FaultsWhileRestartingTest {

  private static final int HOSTS = 4; // the object is on the first, callers on the second
  private static final int CALLER = 1;
  private static final int PASSAGES = Integer.getInteger("troupe.passages", 1);
  private static final int CALLS = 80;
  private static final int CALLS_BEFORE = 20;
  private static final long BOUND_SECONDS = 30;

  /** A request that a ledger has served, in any of its lives. */
  private record Entry(String sender, int number, int life) {}

  private static final Queue<Entry> served = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger lives = new AtomicInteger();

  /** Records what it serves, with the number of its life. */
  public static class Ledger {
    private final int life = lives.incrementAndGet();

    public int enter(String sender, int number) {
      served.add(new Entry(sender, number, life));
      return life;
    }

    public void enterOneWay(String sender, int number) {
      served.add(new Entry(sender, number, life));
    }
  }

  /** Calls a ledger from its node; returns the lives that have answered, in order. */
  public static class Clerk {
    public List<Integer> fill(Ledger ledger, String name) {
      return FaultsWhileRestartingTest.fill(ledger, name, number -> {});
    }
  }

  /** Is told of the progress of a sender. */
  private interface Progress {
    void made(int number);
  }

  private static List<Integer> fill(Ledger ledger, String name, Progress progress) {
    var ref = ActiveObjects.ref(ledger);
    List<Integer> answers = new ArrayList<>();
    for (var i = 0; i < CALLS; i++) {
      var number = i;
      try {
        if (i % 5 == 4) {
          ledger.enterOneWay(name, number);
        } else {
          answers.add(ref.ask(it -> it.enter(name, number)).join());
        }
      } catch (CompletionException failure) {
        assertThat(failure.getCause())
            .isInstanceOfAny(RestartedException.class, NodeLostException.class);
      } catch (NodeLostException failure) {
        // the caller's own node has ended
      }
      progress.made(number);
    }
    return answers;
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var step : RestartStep.values()) {
      for (var host = 1; host < HOSTS; host++) {
        for (var passage = 1; passage <= PASSAGES; passage++) {
          all.add(Arguments.of(step, host, passage));
        }
      }
    }
    return all.stream();
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    served.clear();
    lives.set(0);
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void removePlan() {
    RestartStep.follow(null);
    ActiveObjects.onFailure(null);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void everyCallEndsAndOneEmbodimentIsHeard(RestartStep step, int host, int passage)
      throws Exception {
    try (var grid = InProcessGrid.start(HOSTS)) {
      var ledger =
          ActiveObjects.on(grid.get(0))
              .with(Options.STANDARD.withRestart(Restart.elsewhere()))
              .create(Ledger.class);
      var clerk = ActiveObjects.on(grid.get(CALLER)).create(Clerk.class);
      follow(grid, step, grid.get(host).id(), passage);
      var hasBegun = new CompletableFuture<Void>();

      var far = ActiveObjects.ref(clerk).ask(it -> it.fill(ledger, "far"));
      var near =
          Waits.onVirtualThread(
              () ->
                  fill(
                      ledger,
                      "near",
                      number -> {
                        if (number == CALLS_BEFORE) {
                          hasBegun.complete(null);
                        }
                      }));
      hasBegun.get(BOUND_SECONDS, TimeUnit.SECONDS);
      grid.kill(0);

      assertThat(near.get(BOUND_SECONDS, TimeUnit.SECONDS)).as("lives that answered").isSorted();
      var farAnswers = answers(far);
      if (farAnswers != null) { // else the clerk was lost
        assertThat(farAnswers).as("lives that answered").isSorted();
      }
      assertThat(answered(ledger)).as("the object is there in the end").isGreaterThan(1);
      RestartStep.follow(null);
      if (passage == 1 && isPassedByAll(step)) {
        assertThat(grid.get(host).isAlive()).as("the node that was to end").isFalse();
      }
      assertServedOnceAndInOrder();
      assertThat(grid.coordinator().coordinatorRole().objects().supervisor().unsettled())
          .as("objects that wait for a restart")
          .isEmpty();
    }
  }

  /** Returns whether each member comes to a step, not only the next host and callers. */
  private static boolean isPassedByAll(RestartStep step) {
    return step == RestartStep.DEATH_TOLD || step == RestartStep.DEATH_ACKNOWLEDGED;
  }

  private static List<Integer> answers(CompletableFuture<List<Integer>> far) throws Exception {
    try {
      return far.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(NodeLostException.class);
      return null;
    }
  }

  private static void assertServedOnceAndInOrder() {
    for (var sender : List.of("near", "far")) {
      var numbers = numbers(served, sender);
      assertThat(numbers).as("calls of " + sender).doesNotHaveDuplicates().isSorted();
    }
  }

  private static List<Integer> numbers(Collection<Entry> entries, String sender) {
    return entries.stream()
        .filter(each -> each.sender().equals(sender))
        .map(Entry::number)
        .toList();
  }

  /** Returns the life that answers in the end; a call may be lost while the object is restarted. */
  private static int answered(Ledger ledger) {
    for (var attempts = 1; ; attempts++) {
      try {
        return ActiveObjects.ref(ledger)
            .ask(it -> it.enter("test", 0))
            .orTimeout(BOUND_SECONDS, TimeUnit.SECONDS)
            .join();
      } catch (CompletionException e) {
        assertThat(e.getCause()).isInstanceOf(CallException.class);
        assertThat(attempts).as("attempts").isLessThan(2 * HOSTS);
      }
    }
  }

  private static void follow(InProcessGrid grid, RestartStep step, NodeId node, int passage) {
    var passages = new AtomicInteger();
    RestartStep.follow(
        (at, where) -> {
          if (at == step && where.equals(node) && passages.incrementAndGet() == passage) {
            var index = grid.list().stream().map(each -> each.id()).toList().indexOf(node);
            Faults.happen(() -> grid.kill(index));
          }
        });
  }
}
