package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Each step of the moves of two logged objects, on each node that passes it, while that node ends
 * or throws: answers and effects are those of a run without faults. Two such faults in one run are
 * drawn by seeds. A build lets each step fail on one node; {@code -Dtroupe.long=true} tries all
 * nodes and more seeds, from {@code -Dtroupe.seed} on.
 */
@Timeout(60)
class FaultsWhileMovingLoggedObjectsTest {

  private static final int HOSTS = 3;
  private static final boolean IS_LONG = Boolean.getBoolean("troupe.long");
  private static final int PASSAGES = Integer.getInteger("troupe.passages", 1);
  private static final long SEEDS = IS_LONG ? 1_000 : 3;
  private static final long FIRST_SEED = Long.getLong("troupe.seed", 1);
  private static final List<MoveStep> THROWING = List.of(MoveStep.FROZEN, MoveStep.IMAGE_READ);
  private static final int CALLS = 30;
  private static final long BOUND_SECONDS = 20;

  private final List<String> failures = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;

  /** Keeps the numbers of each sender, and passes them on. */
  public static class Ledger {
    private final Map<String, List<Integer>> entries = new HashMap<>();

    public int enter(String sender, int number) {
      note(sender, number);
      return number;
    }

    public void note(String sender, int number) {
      entries.computeIfAbsent(sender, each -> new ArrayList<>()).add(number);
    }

    public List<Integer> entries(String sender) {
      return List.copyOf(entries.getOrDefault(sender, List.of()));
    }

    /** Passes a number on by a call with an answer and one without; returns how many it has. */
    public int pass(Ledger other, String sender, int number) {
      note(sender, number);
      other.note(sender + " noted", number);
      return other.enter(sender + " entered", number);
    }

    public void fill(Ledger other, String sender) {
      for (var i = 0; i < CALLS; i++) {
        other.note(sender, i);
      }
    }
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var host = 0; host < HOSTS; host++) {
      for (var passage = 1; passage <= PASSAGES; passage++) {
        for (var step : MoveStep.values()) {
          if (IS_LONG || step.ordinal() % HOSTS == host) {
            all.add(Arguments.of(step.name(), host, passage, false));
          }
        }
        if (IS_LONG || host == 1) {
          all.add(Arguments.of(RestartStep.STORE_READ.name(), host, passage, false));
        }
      }
      if (IS_LONG || host == 0) {
        for (var step : THROWING) {
          all.add(Arguments.of(step.name(), host, 1, true));
        }
      }
    }
    return all.stream();
  }

  static LongStream seeds() {
    return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted");
    records.allow(Level.WARNING, "has failed");
    records.allow(Level.WARNING, "given up");
    ActiveObjects.onFailure(
        failure -> {
          var why = String.valueOf(failure.cause().getMessage());
          if (failure.call().contains("Ledger") // an earlier test of this JVM may have left objects
              && !why.contains("this node has left the grid")
              && !why.contains("killed")) { // the rest of a lost node goes on
            failures.add(failure.call() + ": " + why);
          }
        });
  }

  @AfterEach
  void removePlan() {
    MoveStep.follow(null);
    RestartStep.follow(null);
    ActiveObjects.onFailure(null);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void everyCallIsServedOnceAndAnsweredWhateverHappensAt(
      String step, int host, int passage, boolean isThrown) throws Exception {
    run(List.of(new PlannedFault(step, host, passage, isThrown)), List.of(1, 2, 0), List.of(2, 0));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoFaultsInOneRunKeepTheSamePromises(long seed) throws Exception {
    var random = new Random(seed);
    var faults = List.of(PlannedFault.drawn(random), PlannedFault.drawn(random));
    run(
        faults,
        random.ints(4, 0, HOSTS).boxed().toList(),
        random.ints(4, 0, HOSTS).boxed().toList());
  }

  /** Lets two ledgers move under load while faults happen. */
  private void run(List<PlannedFault> faults, List<Integer> route, List<Integer> otherRoute)
      throws Exception {
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder.resolve("s"))))
            .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
    try (var grid = InProcessGrid.start(HOSTS + 2)) {
      var first = create(grid, 0, options);
      var second = create(grid, 1, options);
      var plain = create(grid, HOSTS, Options.STANDARD);
      follow(grid, faults);

      List<CompletableFuture<?>> calls = new ArrayList<>();
      calls.add(plain.tell(each -> each.fill(first.stub(), "plain")));
      for (var i = 0; i < CALLS; i++) {
        var number = i;
        calls.add(first.ask(each -> each.enter("main", number)));
        calls.add(first.ask(each -> each.pass(second.stub(), "passed", number)));
        second.stub().note("noted", number);
        calls.add(second.ask(each -> each.pass(plain.stub(), "plainly passed", number)));
      }
      var moves =
          CompletableFuture.runAsync(
              () -> move(grid, second, otherRoute), task -> Thread.startVirtualThread(task));
      move(grid, first, route);
      valueOf(moves, "the moves of the other object");
      for (var i = 0; i < calls.size(); i++) {
        valueOf(calls.get(i), "call " + i + " with " + faults);
      }
      MoveStep.follow(null);
      RestartStep.follow(null);
      var all = IntStream.range(0, CALLS).boxed().toList();
      // No call tells when the one-way calls of another object have been served.
      Waits.until(
          () -> entries(first, "plain").size() >= CALLS,
          "the one-way calls of the plain object with " + faults);
      for (var each : List.of("plain", "main", "passed")) {
        assertThat(entries(first, each)).as(each + " at the first").isEqualTo(all);
      }
      for (var each : List.of("passed noted", "passed entered", "noted", "plainly passed")) {
        assertThat(entries(second, each)).as(each + " at the second").isEqualTo(all);
      }
      for (var each : List.of("plainly passed noted", "plainly passed entered")) {
        assertThat(entries(plain, each)).as(each + " at the plain one").isEqualTo(all);
      }
      assertThat(failures).isEmpty();
      for (var i = 0; i < HOSTS + 2; i++) {
        awaitNothingKept(grid, grid.member(i));
      }
      awaitNothingKept(grid, grid.coordinator());
    }
  }

  private static Ref<Ledger> create(InProcessGrid grid, int host, Options options) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(host)).with(options).create(Ledger.class));
  }

  private static List<Integer> entries(Ref<Ledger> ledger, String sender) {
    return valueOf(ledger.ask(each -> each.entries(sender)), "the entries of " + sender);
  }

  private static void move(InProcessGrid grid, Ref<Ledger> object, List<Integer> route) {
    for (var next : route) {
      try {
        object.move(grid.get(next).id()).get(BOUND_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException failure) {
        assertThat(failure.getCause())
            .isInstanceOfAny(
                MoveException.class, NodeLostException.class, ObjectTerminatedException.class);
      } catch (Exception failure) {
        throw new AssertionError("a move to " + next, failure);
      }
    }
  }

  /** Waits until a node keeps no call and expects no answer. */
  private static void awaitNothingKept(InProcessGrid grid, GridMembership member) {
    var node = member.node();
    if (grid.coordinator() != member && grid.coordinator().moving().isGone(node.id())) {
      return;
    }
    Waits.until(
        () -> node.moved().keptCalls() == 0 && node.moved().expected().isEmpty(),
        "the end of all calls of " + node.id() + ", of which are kept " + node.moved().keptCalls());
  }

  /** A fault that happens when a node passes a step for the n-th time. */
  private record PlannedFault(String step, int host, int passage, boolean isThrown) {

    static PlannedFault drawn(Random random) {
      var step = MoveStep.values()[random.nextInt(MoveStep.values().length)];
      var isThrown = THROWING.contains(step) && random.nextBoolean();
      return new PlannedFault(step.name(), random.nextInt(HOSTS), 1 + random.nextInt(3), isThrown);
    }
  }

  private static void follow(InProcessGrid grid, List<PlannedFault> faults) {
    var passages = faults.stream().map(each -> new AtomicInteger()).toList();
    MoveStep.follow((at, where) -> passes(grid, faults, passages, at, where));
    RestartStep.follow((at, where) -> passes(grid, faults, passages, at, where));
  }

  private static void passes(
      InProcessGrid grid,
      List<PlannedFault> faults,
      List<AtomicInteger> passages,
      Enum<?> at,
      NodeId where) {
    for (var i = 0; i < faults.size(); i++) {
      var each = faults.get(i);
      if (at.name().equals(each.step())
          && where.equals(grid.get(each.host()).id())
          && passages.get(i).incrementAndGet() == each.passage()) {
        happen(grid, each);
      }
    }
  }

  private static void happen(InProcessGrid grid, PlannedFault fault) {
    if (fault.isThrown()) {
      throw new IllegalStateException("a fault of the test");
    }
    Faults.happen(
        () -> {
          grid.kill(fault.host());
          // What is left of the node must not wait for ever.
          grid.member(fault.host()).node().peers().all().forEach(each -> each.lose("killed"));
        });
  }
}
