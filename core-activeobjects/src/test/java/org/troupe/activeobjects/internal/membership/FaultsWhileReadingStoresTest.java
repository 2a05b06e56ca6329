package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Each step of a restart from a store on another node, on each node that passes it, while that node
 * ends.
 */
@Timeout(60)
class FaultsWhileReadingStoresTest {

  private static final int HOSTS = 4; // the object is on the first, callers on the second
  private static final int CALLER = 1;
  private static final int CALLS = 60;
  private static final int CALLS_BEFORE = 20;
  private static final long BOUND_SECONDS = 30;

  @TempDir private Path folder;

  /** Counts its calls. */
  public static class Counter {
    private int count;

    public int add() {
      return ++count;
    }

    public void addOneWay() {
      count++;
    }
  }

  /** Calls a counter from its node; returns the answers in order. */
  public static class Clerk {
    public List<Integer> count(Counter counter) {
      return FaultsWhileReadingStoresTest.count(counter, number -> {});
    }
  }

  /** Is told of the progress of a sender. */
  private interface Progress {
    void made(int number);
  }

  private static List<Integer> count(Counter counter, Progress progress) {
    var ref = ActiveObjects.ref(counter);
    List<Integer> answers = new ArrayList<>();
    for (var i = 0; i < CALLS; i++) {
      try {
        answers.add(ref.ask(Counter::add).join());
      } catch (CompletionException failure) {
        assertThat(failure.getCause())
            .isInstanceOfAny(RestartedException.class, NodeLostException.class);
      } catch (NodeLostException failure) {
        // the caller's own node has ended
      }
      progress.made(i);
    }
    return answers;
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var step : RestartStep.values()) {
      for (var host = 1; host < HOSTS; host++) {
        all.add(Arguments.of(step, host, true));
        all.add(Arguments.of(step, host, false));
      }
    }
    return all.stream();
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has been taken over or deleted"); // as a killed node may notice
    records.allow(Level.WARNING, "may not write it any more");
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void removePlan() {
    RestartStep.follow(null);
    ActiveObjects.onFailure(null);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void everyCallEndsAndNoAnsweredOneIsForgotten(RestartStep step, int host, boolean logsCalls)
      throws Exception {
    var store = Store.directory(folder);
    var keep = logsCalls ? Keep.calls(store) : Keep.state(store);
    try (var grid = InProcessGrid.start(HOSTS)) {
      var counter =
          ActiveObjects.on(grid.get(0))
              .with(Options.STANDARD.withKeep(keep).withRestart(Restart.elsewhere()))
              .create(Counter.class);
      var clerk = ActiveObjects.on(grid.get(CALLER)).create(Clerk.class);
      follow(grid, step, grid.get(host).id());
      var hasBegun = new CompletableFuture<Void>();

      var far = ActiveObjects.ref(clerk).ask(it -> it.count(counter));
      var near =
          Waits.onVirtualThread(
              () ->
                  count(
                      counter,
                      number -> {
                        if (number == CALLS_BEFORE) {
                          hasBegun.complete(null);
                        }
                      }));
      hasBegun.get(BOUND_SECONDS, TimeUnit.SECONDS);
      grid.kill(0);

      var answers = new ArrayList<>(near.get(BOUND_SECONDS, TimeUnit.SECONDS));
      var farAnswers = answers(far);
      var sum = answered(counter);
      RestartStep.follow(null);
      assertThat(grid.coordinator().coordinatorRole().objects().supervisor().unsettled())
          .as("objects that wait for a restart")
          .isEmpty();
      if (logsCalls) {
        assertThat(answers).as("answers").isSorted().doesNotHaveDuplicates();
        answers.addAll(farAnswers);
        assertThat(answers).as("answers to both").doesNotHaveDuplicates();
        assertThat(sum).as("calls that count").isBetween(answers.size() + 1, 2 * CALLS + 2 * HOSTS);
      } else {
        assertThat(sum).as("calls since the image").isBetween(1, 2 * CALLS + 2 * HOSTS);
      }
    }
  }

  private static List<Integer> answers(CompletableFuture<List<Integer>> far) {
    try {
      return far.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(NodeLostException.class); // with the clerk
      return List.of();
    }
  }

  /** Returns an answer in the end; a call may be lost while the object is restarted. */
  private static int answered(Counter counter) {
    for (var attempts = 1; ; attempts++) {
      try {
        return ActiveObjects.ref(counter)
            .ask(Counter::add)
            .orTimeout(BOUND_SECONDS, TimeUnit.SECONDS)
            .join();
      } catch (CompletionException e) {
        assertThat(e.getCause()).isInstanceOf(CallException.class);
        assertThat(attempts).as("attempts").isLessThan(2 * HOSTS);
      }
    }
  }

  private static void follow(InProcessGrid grid, RestartStep step, NodeId node) {
    var passages = new AtomicInteger();
    RestartStep.follow(
        (at, where) -> {
          if (at == step && where.equals(node) && passages.incrementAndGet() == 1) {
            var index = grid.list().stream().map(each -> each.id()).toList().indexOf(node);
            Faults.happen(() -> grid.kill(index)); // at once, while its threads go on
          }
        });
  }
}
