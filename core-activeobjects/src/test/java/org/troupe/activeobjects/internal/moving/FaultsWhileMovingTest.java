package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;
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
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/**
 * Each step of a move, on each node that passes it, while that node ends or throws; and two such
 * faults in one run, drawn by seeds. With {@code -Dtroupe.long=true} more seeds are drawn, from
 * {@code -Dtroupe.seed} on.
 */
@Timeout(60)
class FaultsWhileMovingTest {

  private static final int HOSTS = 3;
  private static final int PASSAGES = Integer.getInteger("troupe.passages", 1);
  private static final long SEEDS = Boolean.getBoolean("troupe.long") ? 1_000 : 40;
  private static final long FIRST_SEED = Long.getLong("troupe.seed", 1);
  private static final List<MoveStep> THROWING =
      List.of(MoveStep.FROZEN, MoveStep.IMAGE_READ, MoveStep.GRANT_ASKED);
  private static final int CALLS = 60;
  private static final long BOUND_SECONDS = 20;

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
    for (var step : THROWING) {
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
    run(List.of(new PlannedFault(step, host, passage, fault)), List.of(1, 2, 0, 1), 0, false);
  }

  static LongStream seeds() {
    return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoFaultsInOneRunKeepTheSamePromises(long seed) throws Exception {
    var random = new Random(seed);
    var faults = List.of(PlannedFault.drawn(random), PlannedFault.drawn(random));
    var bound = random.nextInt(3); // none, one or two places
    run(faults, random.ints(6, 0, HOSTS).boxed().toList(), bound, seed % 2 == 0);
  }

  /**
   * Lets a ledger move under load while faults happen, and checks what must hold afterwards.
   *
   * @param isBornHere whether the ledger is born on the node of a caller, rather than on a host
   */
  private static void run(
      List<PlannedFault> faults, List<Integer> route, int bound, boolean isBornHere)
      throws Exception {
    try (var grid = InProcessGrid.start(HOSTS + 1)) {
      var options = Options.STANDARD.withQueueBound(bound);
      var birthplace = isBornHere ? ActiveObjects.here() : ActiveObjects.on(grid.get(0));
      var ledger = birthplace.with(options).create(Ledger.class);
      var clerk = ActiveObjects.on(grid.get(HOSTS)).create(Clerk.class);
      follow(grid, faults);

      var far = ActiveObjects.ref(clerk).ask(it -> it.fill(ledger, "far"));
      var near = new CompletableFuture<List<Integer>>();
      Thread.startVirtualThread(() -> complete(near, () -> fill(ledger, "near")));
      for (var next : route) {
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
        var entries = entries(grid, ledger, name);
        if (entries != null) { // else the object was lost
          assertThat(entries).as("in order, once").isSorted().doesNotHaveDuplicates();
          assertThat(entries).containsAll(answers.get(name));
        }
      }
      ActiveObjects.ref(ledger).terminateNow(); // its former hosts wait for its end
      for (var i = 0; i <= HOSTS; i++) {
        awaitNothingOpen(grid, grid.member(i));
      }
      awaitNothingOpen(grid, grid.coordinator());
    }
  }

  private static void complete(
      CompletableFuture<List<Integer>> future, Supplier<List<Integer>> value) {
    try {
      future.complete(value.get());
    } catch (Throwable failure) {
      future.completeExceptionally(failure);
    }
  }

  /** Waits until a node is gone, or has no open call, account or answer that it expects. */
  static void awaitNothingOpen(InProcessGrid grid, GridMembership member) {
    var node = member.node();
    var ends = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!isGone(grid, member) && !open(member).isEmpty()) {
      assertThat(System.nanoTime()).as("open on %s: %s", node.id(), open(member)).isLessThan(ends);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static boolean isGone(InProcessGrid grid, GridMembership member) {
    return grid.coordinator() != member && grid.coordinator().moving().isGone(member.node().id());
  }

  /** Returns what is open on a node, by the other node that it deals with. */
  private static Map<NodeId, Integer> open(GridMembership member) {
    var node = member.node();
    Map<NodeId, Integer> open = new HashMap<>();
    for (var each : node.peers().all()) {
      if (each.access() == member && each.openCount() > 0) {
        open.put(each.id(), each.openCount());
      }
    }
    var others = node.moved().expected().isEmpty() ? 0 : 1;
    others += node.moved().passedOn().size();
    if (others > 0) {
      open.put(node.id(), others);
    }
    return open;
  }

  /** A fault that happens when a node passes a step for the n-th time. */
  private record PlannedFault(MoveStep step, int host, int passage, Fault fault) {

    static PlannedFault drawn(Random random) {
      var step = MoveStep.values()[random.nextInt(MoveStep.values().length)];
      var fault = THROWING.contains(step) && random.nextBoolean() ? Fault.THROWS : Fault.ENDS;
      return new PlannedFault(step, random.nextInt(HOSTS), 1 + random.nextInt(3), fault);
    }
  }

  private static void follow(InProcessGrid grid, List<PlannedFault> faults) {
    var passages = faults.stream().map(each -> new AtomicInteger()).toList();
    MoveStep.follow(
        (at, where) -> {
          for (var i = 0; i < faults.size(); i++) {
            var each = faults.get(i);
            if (at == each.step()
                && where.equals(grid.get(each.host()).id())
                && passages.get(i).incrementAndGet() == each.passage()) {
              happen(grid, each);
            }
          }
        });
  }

  private static void happen(InProcessGrid grid, PlannedFault fault) {
    if (fault.fault() == Fault.THROWS) {
      throw new IllegalStateException("a fault of the test");
    }
    Faults.happen(() -> grid.kill(fault.host()));
  }

  /** Returns what the object has entered; {@code null} if it is lost with its last host. */
  private static List<Integer> entries(InProcessGrid grid, Ledger ledger, String name) {
    for (var attempts = 1; ; attempts++) {
      try {
        return ActiveObjects.ref(ledger).ask(it -> it.entries(name)).join();
      } catch (CompletionException | NodeLostException e) {
        var target = Reference.require(ledger).target();
        var object = grid.coordinator().node().moved().identityOf(target);
        if (grid.coordinator().moving().locate(object).join().isLost()) {
          return null;
        }
        assertThat(attempts).as("attempts; the last ended with " + e).isLessThan(2 * HOSTS);
      }
    }
  }
}
