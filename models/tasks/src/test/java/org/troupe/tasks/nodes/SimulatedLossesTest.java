package org.troupe.tasks.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.tasks.LongJob;
import org.troupe.tasks.Tasks;
import org.troupe.testing.LogRecords;

/**
 * Nodes that are killed, join and are cut off at any step of the protocol, over a network that
 * reorders. Each sum is exact. {@code -Dtroupe.long=true} tries 50 times as many seeds.
 */
@Timeout(300)
class SimulatedLossesTest {

  private static final int SEEDS = Boolean.getBoolean("troupe.long") ? 500 : 10;
  private static final String[] CLUSTERS = {"one", "two"};

  /** An irregular tree: it forks, calls directly, cancels and forks many at once. */
  static final class Tree extends LongJob {
    private final long seed;
    private final int depth;

    Tree(long seed, int depth) {
      this.seed = seed;
      this.depth = depth;
    }

    @Override
    protected long compute() {
      if (depth == 0) {
        return seed & 0xff;
      }
      var random = new Random(seed);
      int kind = random.nextInt(8);
      int children = kind == 0 ? 40 : 1 + random.nextInt(3);
      int below = kind == 0 ? Math.min(1, depth - 1) : depth - 1;
      var forks = new ArrayList<Tree>();
      if (kind == 1) {
        fork(new Tree(random.nextLong(), below));
        cancel();
      }
      for (int i = 0; i < children; i++) {
        forks.add(fork(new Tree(random.nextLong(), below)));
      }
      long sum = new Tree(random.nextLong(), below).compute();
      sync();
      for (var each : forks) {
        sum += each.result();
      }
      return sum;
    }

    long plain() {
      if (depth == 0) {
        return seed & 0xff;
      }
      var random = new Random(seed);
      int kind = random.nextInt(8);
      int children = kind == 0 ? 40 : 1 + random.nextInt(3);
      int below = kind == 0 ? Math.min(1, depth - 1) : depth - 1;
      if (kind == 1) {
        random.nextLong();
      }
      long sum = 0;
      for (int i = 0; i <= children; i++) {
        sum += new Tree(random.nextLong(), below).plain();
      }
      return sum;
    }
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void changeNoSum(Strategy strategy, LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    for (int seed = 1; seed <= SEEDS; seed++) {
      killAtRandom(strategy, true, seed);
    }
  }

  @Test
  void changeNoSumIfOrphansAreDropped(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    for (int seed = 1; seed <= SEEDS; seed++) {
      killAtRandom(Strategy.CRS, false, seed);
    }
  }

  private static void killAtRandom(Strategy strategy, boolean keepsOrphans, int seed)
      throws Exception {
    var random = new Random(seed);
    var steps = new AtomicInteger();
    var observer =
        new SimulatedNodes.Observer() {
          @Override
          public void delivered(TaskMember from, TaskMember to, PacketKind kind) {
            steps.incrementAndGet();
          }
        };
    try (var nodes =
        new SimulatedNodes(SimulatedNodes.settings(strategy, keepsOrphans), seed, observer)) {
      nodes.start("one", 1);
      var alive = new ArrayList<Integer>();
      for (int i = 0; i < 3; i++) {
        alive.add(nodes.start(CLUSTERS[i % 2], 1 + random.nextInt(2)));
      }
      var engine = nodes.get(0).engine();
      var roots = new ArrayList<CompletableFuture<Tree>>();
      var expected = new ArrayList<Long>();
      for (int i = 0; i < 6; i++) {
        var tree = new Tree(random.nextLong(), 7);
        expected.add(tree.plain());
        roots.add(random.nextBoolean() ? engine.submit(tree) : engine.submitAnywhere(tree));
        nodes.get(0).fed();
        int until = steps.get() + random.nextInt(60);
        while (steps.get() < until && !roots.stream().allMatch(CompletableFuture::isDone)) {
          Thread.onSpinWait();
        }
        if (random.nextInt(3) > 0 && !alive.isEmpty()) {
          nodes.kill(alive.remove(random.nextInt(alive.size())));
        }
        if (alive.size() < 3) {
          alive.add(nodes.start(CLUSTERS[random.nextInt(2)], 1));
        }
      }
      for (int i = 0; i < roots.size(); i++) {
        var description = "%s, seed %d, root %d".formatted(strategy, seed, i);
        assertThat(roots.get(i).get(60, TimeUnit.SECONDS).result())
            .as(description)
            .isEqualTo(expected.get(i));
      }
      if (!keepsOrphans) {
        for (int i = 0; i < 4; i++) {
          assertThat(nodes.get(i).totals().saved()).isZero();
        }
      }
      nodes.get(0).forget();
      assertThat(nodes.get(0).orphans()).isZero();
    }
  }

  private static volatile CountDownLatch hasBegun = new CountDownLatch(0);
  private static volatile CountDownLatch mayEnd = new CountDownLatch(0);

  /** Runs until it is cancelled. */
  static final class Endless extends LongJob {
    @Override
    protected long compute() {
      hasBegun.countDown();
      while (true) {
        Tasks.checkpoint();
      }
    }
  }

  /** Whatever the step at which the root is cancelled, its node and all others are free again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cancelWhatIsUnderWay(boolean isClosed) throws Exception {
    for (int seed = 1; seed <= 3 * SEEDS; seed++) {
      var random = new Random(seed);
      try (var nodes =
          new SimulatedNodes(
              SimulatedNodes.settings(Strategy.CRS, true),
              seed,
              new SimulatedNodes.Observer() {})) {
        nodes.start("one", 0);
        nodes.start("one", 1);
        nodes.start("one", 1);
        var engine = nodes.get(0).engine();
        hasBegun = new CountDownLatch(random.nextInt(2));
        var roots = new ArrayList<CompletableFuture<Endless>>();
        var jobs = List.of(new Endless(), new Endless(), new Endless());
        for (var job : jobs) {
          roots.add(engine.submitAnywhere(job));
        }
        nodes.get(0).fed();
        hasBegun.await();
        for (int spins = random.nextInt(2_000); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        if (isClosed) {
          engine.close();
        } else {
          jobs.forEach(engine::cancel);
        }
        for (var root : roots) {
          assertThat(root.handle((job, failure) -> failure).get(20, TimeUnit.SECONDS)).isNotNull();
        }
        if (!isClosed) { // by the workers that had the endless ones
          var sums = new ArrayList<CompletableFuture<Tree>>();
          for (int i = 0; i < 4; i++) {
            sums.add(engine.submitAnywhere(new Tree(3, 0)));
            nodes.get(0).fed();
          }
          for (var sum : sums) {
            assertThat(sum.get(20, TimeUnit.SECONDS).result()).isEqualTo(3);
          }
        }
      }
    }
  }

  @Test
  void forgetWhatNoRootNeeds(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    try (var nodes =
        new SimulatedNodes(
            SimulatedNodes.settings(Strategy.CRS, true), 1, new SimulatedNodes.Observer() {})) {
      nodes.start("one", 0);
      nodes.start("one", 1);
      nodes.start("one", 1);
      hasBegun = new CountDownLatch(2);
      mayEnd = new CountDownLatch(1);
      var root = nodes.get(0).engine().submitAnywhere(new Pair());
      nodes.get(0).fed();
      hasBegun.await();
      int parent = Pair.place.startsWith("simulated-1-") ? 1 : 2;
      nodes.kill(parent); // the child is an orphan on the other node now
      mayEnd.countDown();
      assertThat(root.get(50, TimeUnit.SECONDS).result()).isEqualTo(1);
      var other = nodes.get(3 - parent);
      nodes.get(0).forget();
      other.forget();
      assertThat(other.orphans() + nodes.get(0).orphans()).isZero();
    }
  }

  /** Waits until another node has taken its fork. */
  static final class Pair extends LongJob {
    private static volatile String place = "";

    @Override
    protected long compute() {
      place = Thread.currentThread().getName();
      var child = fork(new Child());
      hasBegun.countDown();
      await(mayEnd, hasBegun);
      sync();
      return child.result();
    }
  }

  static final class Child extends LongJob {
    @Override
    protected long compute() {
      hasBegun.countDown();
      await(mayEnd, hasBegun);
      return 1;
    }
  }

  private static void await(CountDownLatch... latches) {
    try {
      for (var latch : latches) {
        if (!latch.await(40, TimeUnit.SECONDS)) {
          throw new IllegalStateException("another node did not come");
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
