package org.troupe.mpj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.mpj.comm.World;
import org.troupe.mpj.matching.RankAttachment;

/** A rank that does what a test says. */
public class TestRank {

  private static final long SECONDS = 50;
  private static final Map<Long, Act> ACTS = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  public TestRank() {}

  /** What each rank does between the beginning and the end of message passing. */
  @FunctionalInterface
  public interface Act {
    void at(int rank) throws Throwable;
  }

  public CompletableFuture<Boolean> act(long key) {
    var engine = RankAttachment.ofCurrent();
    var world =
        new World(
            engine,
            new World.RunControl() {
              @Override
              public void finalized() {}

              @Override
              public void abort(int code) {
                throw new IllegalStateException("aborted with " + code);
              }
            });
    world.enter();
    try {
      ACTS.get(key).at(engine.rank());
      return CompletableFuture.completedFuture(true);
    } catch (Throwable failure) {
      world.tellOfDeath("it has failed: " + failure);
      return CompletableFuture.failedFuture(failure);
    } finally {
      world.leave();
      RankAttachment.detachCurrent();
    }
  }

  /** Lets so many ranks, in blocks on so many nodes, do something. */
  public static void run(int ranks, int nodes, Act act) {
    try (var local = LocalNodes.start(nodes)) {
      run(local, ranks, act);
    }
  }

  /** Lets ranks that share memory do something, in blocks on so many nodes. */
  public static void runInSharedMemory(int ranks, int nodes, Act act) {
    runOver("shm", ranks, nodes, act);
  }

  /** Lets ranks do something that are connected by links of one driver. */
  public static void runOver(String driver, int ranks, int nodes, Act act) {
    var transport =
        ServiceLoader.load(Transport.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("ibis"))
            .findFirst()
            .orElseThrow();
    System.setProperty("troupe.links", driver);
    try (var local = LocalNodes.start(nodes, transport)) {
      run(local, ranks, act);
    } finally {
      System.clearProperty("troupe.links");
    }
  }

  public static void run(LocalNodes local, int ranks, Act act) {
    List<Node> places = new ArrayList<>();
    var count = local.list().size();
    for (var i = 0; i < ranks; i++) {
      places.add(local.get(i * count / ranks));
    }
    run(places, act);
  }

  public static void run(List<Node> places, Act act) {
    List<Throwable> failures = new ArrayList<>();
    for (var each : begin(places, act)) {
      try {
        each.get(SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        failures.add(e.getCause());
      } catch (InterruptedException | TimeoutException e) {
        failures.add(new AssertionError("a rank did not end", e));
      }
    }
    if (!failures.isEmpty()) {
      var first = failures.removeFirst();
      failures.forEach(first::addSuppressed);
      throw new AssertionError("a rank failed: " + first, first);
    }
  }

  /** Begins it; returns a future for each rank. */
  public static List<CompletableFuture<Boolean>> begin(List<Node> places, Act act) {
    var key = NUMBERS.incrementAndGet();
    ACTS.put(key, act);
    List<TestRank> all = new ArrayList<>();
    for (var each : places) {
      all.add(ActiveObjects.on(each).create(TestRank.class));
    }
    RankAttachment.attach(all);
    return all.stream().map(each -> each.act(key)).toList();
  }
}
