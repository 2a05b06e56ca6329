package org.troupe.activeobjects.internal.object;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;

/** What the extensions of a node's bodies share: news of lost nodes, and state of common calls. */
public final class ExtensionRegistry {

  private final Set<BodyExtensions> carriers =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Map<BodyExtension.Key, Object> shared = new ConcurrentHashMap<>(); // by calls
  private final Map<Long, Loss> losses = new ConcurrentHashMap<>(); // by incarnations

  private record Loss(NodeId node, String reason) {}

  /** Notes extensions that have to hear of lost nodes. */
  void add(BodyExtensions extensions) {
    carriers.add(extensions);
  }

  /** Tells a new extension of the nodes that are lost already. */
  void reportLosses(BodyExtension extension) {
    losses.values().forEach(each -> extension.lost(each.node(), each.reason()));
  }

  /** A node is lost. */
  public void lost(NodeId node, String reason) {
    losses.put(node.incarnation(), new Loss(node, reason)); // before the look at who is attached
    shared.keySet().removeIf(call -> call.origin() == node.incarnation());
    List<BodyExtensions> all;
    synchronized (carriers) {
      all = List.copyOf(carriers);
    }
    all.forEach(each -> each.lost(node, reason));
  }

  /** Forgets the losses of nodes whose grid this node has left. */
  public void forget(Predicate<NodeId> isOfGrid) {
    losses.values().removeIf(loss -> isOfGrid.test(loss.node()));
  }

  /**
   * Returns what the objects of the node have in common while they answer a call.
   *
   * @param made makes it for the first that asks; is given what removes it
   */
  @SuppressWarnings("unchecked") // a call has one thing of one type
  public <S> S shared(BodyExtension.Key call, Function<Runnable, S> made) {
    var common = (S) shared.computeIfAbsent(call, each -> made.apply(() -> shared.remove(each)));
    if (losses.containsKey(call.origin())) {
      shared.remove(call); // the loss came before, and removes nothing more
    }
    return common;
  }

  /** Removes what the objects of the node have in common, and returns it; or {@code null}. */
  public Object removeShared(BodyExtension.Key call) {
    return shared.remove(call);
  }
}
