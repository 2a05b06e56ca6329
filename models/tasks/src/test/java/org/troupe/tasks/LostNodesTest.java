package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.testing.LogRecords;

/**
 * Nodes end, leave and join while they execute tasks, in an order that a seed decides. Each answer
 * is right, and none stays away. {@code -Dtroupe.long=true} kills 200 nodes instead of 24.
 */
@Timeout(300)
class LostNodesTest {

  private static final Map<Integer, Scene> scenes = new ConcurrentHashMap<>();
  private static final int KILLS_PER_SEED = 4;
  private static final int SEEDS = Boolean.getBoolean("troupe.long") ? 50 : 6;

  @Test
  void changesNoAnswerWhateverTheOrder(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    for (int seed = 1; seed <= SEEDS; seed++) {
      changeAtRandom(seed);
    }
  }

  private static void changeAtRandom(int seed) throws Exception {
    var random = new Random(seed);
    try (var nodes = LocalNodes.start(3);
        var tasks = Tasks.on(nodes.nodes())) {
      int alive = 3;
      int started = 3;
      var gone = new HashSet<Integer>();
      for (int kill = 0; kill < KILLS_PER_SEED; kill++) {
        int n = 16 + random.nextInt(5);
        var answer =
            random.nextBoolean() ? tasks.submit(() -> fib(n)) : tasks.submit(() -> mixed(n));
        spin(random.nextInt(3_000));
        int victim = random.nextInt(started);
        if (gone.add(victim)) {
          if (random.nextInt(4) == 0) {
            nodes.leave(victim);
          } else {
            nodes.kill(victim);
          }
          alive--;
        }
        while (alive < 3 && random.nextInt(3) > 0) {
          nodes.join();
          started++;
          alive++;
        }
        assertThat(answer.get(60, TimeUnit.SECONDS))
            .as("seed %d, kill %d", seed, kill)
            .isEqualTo(plain(n));
      }
    }
  }

  /** Lets a number of threads run; not a time, as no result depends on it. */
  private static void spin(int rounds) {
    for (int i = 0; i < rounds; i++) {
      Thread.yield();
    }
  }

  @Test
  void runsHereWhenAllNodesAreLost(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    try (var nodes = LocalNodes.start(2);
        var tasks = Tasks.on(nodes.nodes())) {
      var answer = tasks.submit(() -> fib(19));
      nodes.kill(0);
      nodes.kill(1);
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(4181);
    }
    assertThat(records.texts(Level.WARNING))
        .anyMatch(text -> text.contains("the program's own JVM"));
  }

  /**
   * A node is lost while a task that another node has stolen from it runs. The repeated task takes
   * over the running one, unless it forks before the news of that has come; so this is tried some
   * times.
   */
  @Test
  void takesOverWhatOtherNodesComputeForALostOne(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    for (int attempt = 0; attempt < 20; attempt++) {
      try (var nodes = LocalNodes.start(3);
          var tasks = Tasks.on(nodes.nodes())) {
        var scene = new Scene();
        scenes.put(attempt, scene);
        int number = attempt;
        var answer = tasks.submit(() -> parent(number));
        scene.childRuns.acquire();
        nodes.kill(indexOf(nodes, scene.parents.poll(60, TimeUnit.SECONDS)));
        scene.parents.poll(60, TimeUnit.SECONDS); // it is repeated
        scene.mayFork.release(
            10); // threads of the killed node still run in this JVM, and take some
        scene.childMayEnd.release(10);
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(43);
        if (tasks.report().total().saved() > 0) {
          assertThat(scene.childRuns.availablePermits()).as("further runs of the child").isZero();
          return;
        }
      }
    }
    throw new AssertionError("no result was saved in 20 attempts");
  }

  private static final class Scene {
    final BlockingQueue<String> parents = new LinkedBlockingQueue<>();
    final Semaphore mayFork = new Semaphore(1);
    final Semaphore childRuns = new Semaphore(0);
    final Semaphore childMayEnd = new Semaphore(0);
  }

  private static int parent(int number) throws Exception {
    var scene = scenes.get(number);
    scene.parents.add(Thread.currentThread().getName());
    scene.mayFork.acquire();
    try (var scope = Scope.open()) {
      var child = scope.fork(() -> child(number));
      var first = scope.fork(() -> 1); // or the parent would take the child itself
      scene.mayFork.acquire();
      scope.sync();
      return child.get() + first.get();
    }
  }

  private static int child(int number) throws Exception {
    var scene = scenes.get(number);
    scene.childRuns.release();
    scene.childMayEnd.acquire();
    return 42;
  }

  private static int indexOf(LocalNodes nodes, String thread) {
    for (int i = 0; i < nodes.list().size(); i++) {
      if (thread.contains(nodes.get(i).name() + "-")) {
        return i;
      }
    }
    throw new AssertionError("no node has thread " + thread);
  }

  @Test
  void repeatsNothingWhenANodeLeavesInOrder(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    try (var nodes = LocalNodes.start(3);
        var tasks = Tasks.on(nodes.nodes())) {
      assertThat(tasks.run(() -> fib(12))).isEqualTo(144);
      var answer = tasks.submit(() -> fib(20));
      nodes.nodes().release(nodes.get(0)).get(60, TimeUnit.SECONDS);
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(6765);
      assertThat(tasks.report().total().repeated()).isZero();
    }
  }

  private static long mixed(int n) throws Exception {
    try (var scope = Scope.open()) {
      Fork<Long> one = scope.fork(() -> fib(n - 1));
      Fork<Long> other = scope.fork(() -> fib(n - 2));
      scope.sync();
      return one.get() + other.get();
    }
  }

  private static long plain(int n) {
    return n < 2 ? n : plain(n - 1) + plain(n - 2);
  }

  private static long fib(int n) throws Exception {
    if (n < 2) {
      return n;
    }
    try (var scope = Scope.open()) {
      Fork<Long> left = scope.fork(() -> fib(n - 1));
      long right = fib(n - 2);
      scope.sync();
      return left.get() + right;
    }
  }
}
