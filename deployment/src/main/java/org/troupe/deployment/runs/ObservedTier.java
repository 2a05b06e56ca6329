package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.ObservationTier;

/** The tier in which all JVMs of a grid record requests. Thread-safe. */
final class ObservedTier {

  private final GridMember host;
  private volatile @Nullable ObservationTier wanted; // null: each node begins with its property
  private volatile ObservationTier lasting = ObservationTier.ofProperty(); // without a time limit

  ObservedTier(GridMember host) {
    this.host = host;
  }

  /** Sets the tier of a node that has joined. */
  void joined(Node node) {
    var tier = wanted;
    if (tier != null) {
      host.observe(node, tier); // if it fails, the node is lost
    }
  }

  ObservationTier current() {
    return Objects.requireNonNullElse(wanted, ObservationTier.ofProperty());
  }

  /**
   * Changes the tier of the program and all nodes.
   *
   * @param within for how long; zero for good
   * @return the names of the nodes that have not answered
   */
  List<String> set(ObservationTier tier, Duration within) {
    if (within.isZero()) {
      lasting = tier;
      return set(tier);
    }
    var silent = set(tier);
    CompletableFuture.delayedExecutor(
            within.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
        .execute(() -> endOf(tier));
    return silent;
  }

  /**
   * Returns to the tier that has no time limit, unless another one was chosen meanwhile. The tier
   * before may have had a limit, too, which has passed.
   */
  private void endOf(ObservationTier tier) {
    if (wanted == tier) {
      set(lasting);
    }
  }

  /** Changes the tier of the program and all nodes; returns the nodes that did not answer. */
  List<String> set(ObservationTier tier) {
    wanted = tier; // first: a node that joins now is among the members, or told by the listener
    Map<String, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
    answers.put(host.self().name(), host.observe(host.self(), tier));
    host.nodes("").forEach(node -> answers.put(node.name(), host.observe(node, tier)));
    var deadline = System.nanoTime() + GridController.PATIENCE.toNanos();
    List<String> silent = new ArrayList<>();
    answers.forEach(
        (name, answer) -> {
          try {
            GridController.awaited(answer, deadline);
          } catch (ExecutionException | TimeoutException e) {
            silent.add(name);
          }
        });
    return silent;
  }
}
