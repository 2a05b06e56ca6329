package org.troupe.activeobjects.internal.service;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The order of nodes by their numbers of objects. */
public final class NodeLoads {

  private static final Duration ANSWERS = Duration.ofMillis(500);

  private NodeLoads() {}

  /**
   * Returns the nodes, those with the fewest objects first. Waits for a short time for their
   * numbers; nodes that have not answered come last.
   */
  public static <N> List<N> leastFirst(Map<N, CompletableFuture<Integer>> asked)
      throws InterruptedException {
    var ends = System.nanoTime() + ANSWERS.toNanos();
    Map<N, Integer> loads = new LinkedHashMap<>();
    for (var each : asked.entrySet()) {
      loads.put(each.getKey(), load(each.getValue(), Math.max(0, ends - System.nanoTime())));
    }
    return loads.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static int load(CompletableFuture<Integer> answer, long nanos)
      throws InterruptedException {
    try {
      return answer.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return Integer.MAX_VALUE; // it is lost, or busy
    }
  }
}
