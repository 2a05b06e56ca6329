package ibis.satin.impl;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;

/**
 * The nodes of a closed world: those of a set that were present at one time, as long as they are.
 */
record ClosedNodes(Nodes all, List<Node> admitted) implements Nodes {

  /** Closes the world of the nodes that are present now. */
  static ClosedNodes of(Nodes all) {
    return new ClosedNodes(all, all.list());
  }

  @Override
  public List<Node> list() {
    return all.list().stream().filter(admitted::contains).toList();
  }

  @Override
  public Node get(int index) {
    List<Node> now = list();
    if (index < 0 || index >= now.size()) {
      throw new IllegalStateException(
          "the closed world has %d nodes now, so there is none at %d; no more are admitted"
              .formatted(now.size(), index));
    }
    return now.get(index);
  }

  @Override
  public Iterator<Node> iterator() {
    return list().iterator();
  }

  @Override
  public Nodes await(Quorum quorum, Duration timeout)
      throws TimeoutException, InterruptedException {
    all.await(quorum, timeout);
    return this;
  }

  @Override
  public void onJoin(Consumer<Node> listener) {
    all.onJoin(
        node -> {
          if (admitted.contains(node)) {
            listener.accept(node);
          }
        });
  }

  @Override
  public void onLeave(BiConsumer<Node, String> listener) {
    all.onLeave(ofAdmitted(listener));
  }

  @Override
  public void onLeaving(BiConsumer<Node, String> listener) {
    all.onLeaving(ofAdmitted(listener));
  }

  private BiConsumer<Node, String> ofAdmitted(BiConsumer<Node, String> listener) {
    return (node, why) -> {
      if (admitted.contains(node)) {
        listener.accept(node, why);
      }
    };
  }

  @Override
  public void request(int more) {
    throw new UnsupportedOperationException(
        "the world is closed (-Dsatin.closed), so it admits no more nodes");
  }

  @Override
  public CompletableFuture<Void> release(Node node) {
    return all.release(node);
  }
}
