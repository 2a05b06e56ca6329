package org.troupe.deployment;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.model.Distance;
import org.troupe.deployment.node.LatencyProbe;

/** Measures round-trip time and bandwidth between the clusters of a grid. Thread-safe. */
final class DistanceMeter {

  /*
   * The first nodes of two clusters measure, one pair and one direction at a time, since parallel measurements would
   * share the network. A result is valid until the nodes of one of the two clusters change. Each measurement creates
   * its own probes, so that a probe that hangs delays no other measurement.
   */

  private static final long LONGEST_SECONDS = 30;
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final Supplier<Nodes> nodes;
  private final ReentrantLock measuring = new ReentrantLock();
  private final Map<Pair, Distance> known = new ConcurrentHashMap<>();

  private record Pair(String from, List<Node> callers, String to, List<Node> called) {}

  DistanceMeter(Supplier<Nodes> nodes) {
    this.nodes = nodes;
  }

  /** Measures the distances that are not known, and waits for the results. */
  List<Distance> measured() throws InterruptedException {
    measuring.lockInterruptibly();
    try {
      var pairs = pairs();
      known.keySet().retainAll(Set.copyOf(pairs));
      for (var pair : pairs) {
        if (!known.containsKey(pair)) {
          measure(pair).ifPresent(distance -> known.put(pair, distance));
        }
      }
      return known(pairs);
    } finally {
      measuring.unlock();
    }
  }

  /** Returns the distances that have been measured. */
  List<Distance> known() {
    return known(pairs());
  }

  private List<Distance> known(List<Pair> pairs) {
    return pairs.stream().flatMap(pair -> Optional.ofNullable(known.get(pair)).stream()).toList();
  }

  private List<Pair> pairs() {
    var clusters =
        nodes.get().list().stream()
            .filter(
                node -> !node.virtualNodes().isEmpty()) // the launcher belongs to no virtual node
            .collect(Collectors.groupingBy(Node::cluster, LinkedHashMap::new, Collectors.toList()));
    var pairs = new ArrayList<Pair>();
    clusters.forEach(
        (from, callers) ->
            clusters.forEach(
                (to, called) -> {
                  if (!from.equals(to)) {
                    pairs.add(new Pair(from, callers, to, called));
                  }
                }));
    return pairs;
  }

  private static Optional<Distance> measure(Pair pair) throws InterruptedException {
    var made = new ArrayList<LatencyProbe>();
    try {
      var there = probe(pair.called().getFirst());
      made.add(there);
      var here = probe(pair.callers().getFirst());
      made.add(here);
      var found =
          ActiveObjects.ref(here)
              .ask(each -> each.measure(there))
              .get(LONGEST_SECONDS, TimeUnit.SECONDS);
      return Optional.of(
          new Distance(pair.from(), pair.to(), Duration.ofNanos((long) found[0]), found[1]));
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(
          Level.WARNING,
          "cannot measure the distance from cluster ''{0}'' to ''{1}'': {2}",
          pair.from(),
          pair.to(),
          e instanceof TimeoutException
              ? "it took longer than " + LONGEST_SECONDS + " s"
              : Objects.requireNonNull(e.getCause(), "set by get").getMessage());
      return Optional.empty();
    } finally {
      made.forEach(each -> ActiveObjects.ref(each).terminateNow());
    }
  }

  private static LatencyProbe probe(Node node)
      throws ExecutionException, TimeoutException, InterruptedException {
    return ActiveObjects.on(node)
        .createAsync(LatencyProbe.class)
        .get(LONGEST_SECONDS, TimeUnit.SECONDS);
  }
}
