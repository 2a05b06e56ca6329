package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.testing.LogRecords;

/**
 * Links that duplicate, delay and reorder frames and break, as a seed decides: each sum is exact.
 * {@code -Dtroupe.long=true} tries 25 times as many seeds.
 */
@Timeout(300)
class TasksOverFaultyLinksTest {

  private static final int SEEDS = Boolean.getBoolean("troupe.long") ? 100 : 4;

  @Test
  void changeNoSum(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    for (int seed = 1; seed <= SEEDS; seed++) {
      var links = new FaultyTransport(seed % 2 == 0);
      try (var nodes = LocalNodes.start(3, links);
          var tasks = Tasks.on(nodes.nodes())) {
        links.misbehave(seed);
        var sums = new ArrayList<CompletableFuture<Long>>();
        for (int i = 0; i < 8; i++) {
          int n = 10 + i;
          sums.add(tasks.submit(() -> fib(n)));
        }
        var cancelled = tasks.submit(() -> fib(30));
        cancelled.cancel(true);
        for (int i = 0; i < sums.size(); i++) {
          assertThat(sums.get(i).get(60, TimeUnit.SECONDS))
              .as("seed %d, sum %d", seed, i)
              .isEqualTo(plain(10 + i));
        }
        links.behave();
      }
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
