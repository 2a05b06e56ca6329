package org.troupe.activeobjects.internal.membership;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.NodeToken;

/** The node of this JVM while it takes part in no grid: no other node can reach its objects. */
public final class LoneNode implements Node, NodeToken {

  private final NodeObjects objects;

  public LoneNode(NodeObjects objects) {
    this.objects = objects;
  }

  /** Returns the active objects of the node. */
  public NodeObjects objects() {
    return objects;
  }

  @Override
  public NodeId id() {
    return objects.id();
  }

  @Override
  public List<String> virtualNodes() {
    return List.of();
  }

  @Override
  public String host() {
    return "localhost";
  }

  @Override
  public Map<String, String> attributes() {
    var runtime = Runtime.getRuntime();
    return Map.of(
        "pid", Long.toString(ProcessHandle.current().pid()),
        "processors", Integer.toString(runtime.availableProcessors()),
        "heap", Long.toString(runtime.maxMemory()));
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public boolean isAlive() {
    return true;
  }

  @Override
  public CompletableFuture<List<Ref<?>>> evacuate(Nodes others) {
    return CompletableFuture.failedFuture(
        new IllegalStateException(
            this
                + " takes part in no grid, so its objects cannot move to another node; deploy a grid first"));
  }

  @Override
  public <T> T lookup(String name, Class<T> type) {
    return objects.names().lookup(name, type).stub();
  }

  @Override
  public NodeDescription member() {
    return new NodeDescription(id(), "", virtualNodes(), host(), attributes());
  }

  /** Has no answer; a message to a peer names a local node by the membership of its sender. */
  @Override
  public Membership access() {
    throw new IllegalStateException(this + " takes part in no grid");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Node node && node.id().equals(id());
  }

  @Override
  public int hashCode() {
    return id().hashCode();
  }

  @Override
  public String toString() {
    return "node '" + id().name() + "' of this JVM";
  }
}
