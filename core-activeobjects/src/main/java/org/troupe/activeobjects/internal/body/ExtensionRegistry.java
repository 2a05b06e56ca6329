package org.troupe.activeobjects.internal.body;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;

/**
 * State that the extensions of a node's bodies share: losses of nodes, and common state of
 * collective calls.
 */
public final class ExtensionRegistry {

  private final Set<BodyExtensions> carriers =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Map<BodyExtension.Key, Object> shared = new ConcurrentHashMap<>(); // by call
  private final Map<Long, Loss> losses = new ConcurrentHashMap<>(); // by incarnation

  private record Loss(NodeId node, String reason) {}

  /** Registers extensions that must be notified of lost nodes. */
  void add(BodyExtensions extensions) {
    carriers.add(extensions);
  }

  /** Notifies a new extension of nodes that were lost earlier. */
  void reportLosses(BodyExtension extension) {
    losses.values().forEach(each -> extension.lost(each.node(), each.reason()));
  }

  /** Records the loss of a node and notifies all extensions. */
  public void lost(NodeId node, String reason) {
    losses.put(
        node.incarnation(),
        new Loss(node, reason)); // before the extensions are listed, so that new ones see it
    shared.keySet().removeIf(call -> call.origin() == node.incarnation());
    List<BodyExtensions> all;
    synchronized (carriers) {
      all = List.copyOf(carriers);
    }
    all.forEach(each -> each.lost(node, reason));
  }

  /** Forgets the losses of nodes of a grid that this node has left. */
  public void forget(Predicate<NodeId> isOfGrid) {
    losses.values().removeIf(loss -> isOfGrid.test(loss.node()));
  }

  /**
   * Returns the common state of the node's objects that answer the same call.
   *
   * @param made creates it on first use; receives the action that removes it
   */
  @SuppressWarnings("unchecked") // a call has one state of one type
  public <S> S shared(BodyExtension.Key call, Function<Runnable, S> made) {
    var common = (S) shared.computeIfAbsent(call, each -> made.apply(() -> shared.remove(each)));
    if (losses.containsKey(call.origin())) {
      shared.remove(call); // the loss came first, when there was nothing to remove
    }
    return common;
  }

  /** Removes and returns the common state of a call; {@code null} if there is none. */
  public @Nullable Object removeShared(BodyExtension.Key call) {
    return shared.remove(call);
  }
}
