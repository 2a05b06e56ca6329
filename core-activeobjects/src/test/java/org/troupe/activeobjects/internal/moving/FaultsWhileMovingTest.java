package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.relocation.MoveStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Each step of a move, on each node that passes it, while that node ends or throws. */
@Timeout(60)
class FaultsWhileMovingTest {

  private static final int HOSTS = 3;
  private static final int PASSAGES = Integer.getInteger("troupe.passages", 1);
  private static final int CALLS = 60;
  private static final long BOUND_SECONDS = 30;

  /** What happens to a node. */
  enum Fault {
    ENDS,
    THROWS
  }

  /** Keeps the numbers of each sender. */
  public static class Ledger {
    private final Map<String, List<Integer>> entries = new HashMap<>();

    public int enter(String sender, int number) {
      entries.computeIfAbsent(sender, each -> new ArrayList<>()).add(number);
      return number;
    }

    public List<Integer> entries(String sender) {
      return List.copyOf(entries.getOrDefault(sender, List.of()));
    }
  }

  /** Fills a ledger; returns the numbers that were answered. */
  public static class Clerk {
    public List<Integer> fill(Ledger ledger, String name) {
      return FaultsWhileMovingTest.fill(ledger, name);
    }
  }

  private static List<Integer> fill(Ledger ledger, String name) {
    var ref = ActiveObjects.ref(ledger);
    List<Integer> answered = new ArrayList<>();
    for (var i = 0; i < CALLS; i++) {
      var number = i;
      try {
        answered.add(ref.ask(it -> it.enter(name, number)).join());
      } catch (CompletionException failure) {
        assertThat(failure).hasCauseInstanceOf(NodeLostException.class);
      } catch (NodeLostException failure) {
        // the object was lost before the call
      }
    }
    return answered;
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var step : MoveStep.values()) {
      for (var host = 0; host < HOSTS; host++) {
        for (var passage = 1; passage <= PASSAGES; passage++) {
          all.add(Arguments.of(step, host, passage, Fault.ENDS));
        }
      }
    }
    for (var step : List.of(MoveStep.FROZEN, MoveStep.IMAGE_READ)) {
      for (var host = 0; host < HOSTS; host++) {
        all.add(Arguments.of(step, host, 1, Fault.THROWS));
      }
    }
    return all.stream();
  }

  @AfterEach
  void removePlan() {
    MoveStep.follow(null);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void everyCallEndsAndIsServedOnceInOrder(MoveStep step, int host, int passage, Fault fault)
      throws Exception {
    try (var grid = InProcessGrid.start(HOSTS + 1)) {
      var ledger = ActiveObjects.on(grid.get(0)).create(Ledger.class);
      var clerk = ActiveObjects.on(grid.get(HOSTS)).create(Clerk.class);
      follow(grid, step, grid.get(host).id(), passage, fault);

      var far = ActiveObjects.ref(clerk).ask(it -> it.fill(ledger, "far"));
      var near = new CompletableFuture<List<Integer>>();
      Thread.startVirtualThread(() -> near.complete(fill(ledger, "near")));
      for (var next : List.of(1, 2, 0, 1)) {
        try {
          ActiveObjects.ref(ledger).move(grid.get(next).id()).get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
          assertThat(failure.getCause())
              .isInstanceOfAny(MoveException.class, NodeLostException.class);
        }
      }

      var answers =
          Map.of(
              "far", far.get(BOUND_SECONDS, TimeUnit.SECONDS),
              "near", near.get(BOUND_SECONDS, TimeUnit.SECONDS));
      MoveStep.follow(null);
      for (var name : answers.keySet()) {
        var entries = entries(ledger, name);
        if (entries != null) { // else the object was lost
          assertThat(entries).as("in order, once").isSorted().doesNotHaveDuplicates();
          assertThat(entries).containsAll(answers.get(name));
        }
      }
    }
  }

  private static void follow(
      InProcessGrid grid, MoveStep step, NodeId node, int passage, Fault fault) {
    var passages = new AtomicInteger();
    MoveStep.follow(
        (at, where) -> {
          if (at == step && where.equals(node) && passages.incrementAndGet() == passage) {
            if (fault == Fault.THROWS) {
              throw new IllegalStateException("a fault of the test");
            }
            var index = grid.list().stream().map(each -> each.id()).toList().indexOf(node);
            var ending = Thread.startVirtualThread(() -> grid.kill(index));
            try {
              ending.join(1_000); // it may need what this thread holds
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }

  /** Returns what the object has entered; {@code null} if it is lost. */
  private static List<Integer> entries(Ledger ledger, String name) {
    for (var attempts = 1; ; attempts++) {
      try {
        return ActiveObjects.ref(ledger).ask(it -> it.entries(name)).join();
      } catch (CompletionException | NodeLostException e) {
        if (attempts == HOSTS) {
          return null;
        }
      }
    }
  }
}
