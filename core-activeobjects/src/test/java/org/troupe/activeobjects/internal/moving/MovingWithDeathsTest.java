package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Nodes that an object has left are killed while it moves on and others call it. */
@Timeout(120)
class MovingWithDeathsTest {

  private static final int HOSTS = 4;
  private static final int WINDOW = 20;

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
    public List<Integer> fill(Ledger ledger, String name, int count) {
      return MovingWithDeathsTest.fill(ledger, name, count);
    }
  }

  private static List<Integer> fill(Ledger ledger, String name, int count) {
    var ref = ActiveObjects.ref(ledger);
    List<Integer> answered = new ArrayList<>();
    for (var from = 0; from < count; from += WINDOW) {
      List<CompletableFuture<Integer>> asked = new ArrayList<>();
      for (var i = from; i < from + WINDOW; i++) {
        var number = i;
        asked.add(ref.ask(it -> it.enter(name, number)));
      }
      for (var each : asked) {
        try {
          answered.add(each.join());
        } catch (CompletionException failure) {
          assertThat(failure).hasCauseInstanceOf(NodeLostException.class);
        }
      }
    }
    return answered;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyCallEndsAndIsServedOnceInOrder(long seed) throws Exception {
    var random = new Random(seed);
    try (var grid = InProcessGrid.start(HOSTS + 1)) {
      List<Node> hosts = new ArrayList<>(grid.list().subList(0, HOSTS));
      var safe = grid.get(HOSTS);
      var isBornHere = seed % 2 == 0; // on the node of a caller
      var ledger =
          (isBornHere ? ActiveObjects.here() : ActiveObjects.on(hosts.getFirst()))
              .create(Ledger.class);
      var clerk = ActiveObjects.on(safe).create(Clerk.class);
      var far = ActiveObjects.ref(clerk).ask(it -> it.fill(ledger, "far", 3_000));
      var near = new CompletableFuture<List<Integer>>();
      Thread.startVirtualThread(
          () -> {
            try {
              near.complete(fill(ledger, "near", 3_000));
            } catch (Throwable failure) {
              near.completeExceptionally(failure);
            }
          });

      while (!far.isDone() || !near.isDone()) {
        var next = hosts.get(random.nextInt(hosts.size()));
        valueOf(ActiveObjects.ref(ledger).move(next.id()), "the move");
        if (hosts.size() > 2 && random.nextInt(6) == 0) {
          var left = hosts.stream().filter(each -> !each.equals(next)).toList();
          var doomed = left.get(random.nextInt(left.size()));
          hosts.remove(doomed);
          grid.kill(grid.list().indexOf(doomed));
        }
      }

      for (var name : List.of("far", "near")) {
        var entries = entries(ledger, name);
        assertThat(entries).as("in order, once").isSorted().doesNotHaveDuplicates();
        assertThat(entries).containsAll(name.equals("far") ? far.join() : near.join());
      }
    }
  }

  /** Asks again, because the call may be lost with a node that still forwarded it. */
  private static List<Integer> entries(Ledger ledger, String name) {
    for (var attempts = 1; ; attempts++) {
      try {
        return ActiveObjects.ref(ledger).ask(it -> it.entries(name)).join();
      } catch (CompletionException e) {
        assertThat(e).hasCauseInstanceOf(NodeLostException.class);
        assertThat(attempts).as("attempts").isLessThan(HOSTS);
      }
    }
  }
}
