package org.troupe.activeobjects;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A set of nodes that holds one node of this JVM and never changes; see {@link Nodes#here}. */
record SingleNodeSet(Node node) implements Nodes {

  @Override
  public List<Node> list() {
    return List.of(node);
  }

  @Override
  public Iterator<Node> iterator() {
    return list().iterator();
  }

  @Override
  public Node get(int index) {
    if (index != 0) {
      throw new IllegalStateException(
          "this set has one node, at index 0, so there is none at %d; deploy a grid for more"
              .formatted(index));
    }
    return node;
  }

  @Override
  public Nodes await(Quorum quorum, Duration timeout) {
    if (quorum instanceof Quorum.AtLeast(int count) && count > 1) {
      throw new NodesMissingException(
          "%d nodes are needed, but this set has one and no more can come; deploy a grid for more"
              .formatted(count));
    }
    return this;
  }

  @Override
  public void onJoin(Consumer<Node> listener) {
    Thread.startVirtualThread(() -> listener.accept(node));
  }

  /** Keeps nothing: the node lives as long as this JVM. */
  @Override
  public void onLeave(BiConsumer<Node, String> listener) {}

  /** Keeps nothing: the node lives as long as this JVM. */
  @Override
  public void onLeaving(BiConsumer<Node, String> listener) {}

  @Override
  public void request(int more) {
    throw new UnsupportedOperationException(
        "no infrastructure provides nodes beside this JVM; deploy a grid and request them there");
  }

  @Override
  public CompletableFuture<Void> release(Node released) {
    throw new UnsupportedOperationException(
        "the node is this JVM itself, which ends with the program and cannot be released");
  }
}
