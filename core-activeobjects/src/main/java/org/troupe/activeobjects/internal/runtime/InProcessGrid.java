package org.troupe.activeobjects.internal.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.membership.InProcessTransport;
import org.troupe.activeobjects.internal.membership.Memberships;
import org.troupe.activeobjects.transport.Transport;

/** A grid within this JVM, with this JVM's own node as its coordinator. */
public final class InProcessGrid implements LocalNodes, GridMember.Coordinated {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String VIRTUAL_NODE = "local";

  private final Transport transport;
  private final Opening opening;
  private final GridMembership coordinator;
  private final List<GridMembership> members = new CopyOnWriteArrayList<>();
  private final Set<GridMembership> killed = ConcurrentHashMap.newKeySet();
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final Map<Node, CompletableFuture<Void>> joining = new ConcurrentHashMap<>();

  /** Opens a node to the grid. */
  @FunctionalInterface
  public interface Opening {
    GridMembership open(Memberships memberships, GridMember.Settings settings, Transport transport)
        throws IOException;
  }

  /** A store that a grid resumes, perhaps from a save point. */
  private record Resumed(Store store, Optional<String> savePoint) {}

  private InProcessGrid(int count, Transport transport, Opening opening, @Nullable Resumed resumed)
      throws IOException {
    this.transport = transport;
    this.opening = opening;
    coordinator =
        opening.open(
            NodeRuntime.main().memberships(), settings("main", List.of(), transport), transport);
    coordinator.coordinate();
    coordinator.provide(
        new GridMember.Provider() {
          @Override
          public void request(String virtualNode, int more) {
            for (var i = 0; i < more; i++) {
              Thread.startVirtualThread(InProcessGrid.this::join);
            }
          }

          @Override
          public CompletableFuture<Void> release(Node node) {
            return coordinator
                .retire(node, "it was released")
                .thenCompose(told -> joining.get(node)) // it may not know yet that it has joined
                .thenRun(() -> leave(nodes.indexOf(node)));
          }
        });
    try {
      if (resumed != null) {
        coordinator.resume(resumed.store(), resumed.savePoint());
      }
      for (var i = 1; i <= count; i++) {
        start("node-" + i);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Node start(String name) throws IOException {
    var access =
        opening.open(
            new NodeRuntime(name).memberships(),
            settings(name, List.of(VIRTUAL_NODE), transport),
            transport);
    var node = access.selfFor(coordinator);
    var joined = new CompletableFuture<Void>();
    joining.put(node, joined);
    members.add(access);
    nodes.add(node); // listeners may use it before it knows that it has joined
    try {
      access.join(coordinator.contact(), PATIENCE);
      return node;
    } catch (IOException | RuntimeException e) {
      members.remove(access);
      nodes.remove(node);
      access.close();
      throw e;
    } finally {
      joined.complete(null);
    }
  }

  /** Starts nodes over the transport of this JVM. */
  public static InProcessGrid start(int count) {
    return start(count, new InProcessTransport());
  }

  /** Starts nodes over any transport. */
  public static InProcessGrid start(int count, Transport transport) {
    return start(count, transport, GridMembership::open);
  }

  public static InProcessGrid start(int count, Transport transport, Opening opening) {
    return start(count, transport, opening, null);
  }

  /** Starts nodes over the transport of this JVM, which go on with the objects in a store. */
  public static InProcessGrid resume(Store store, int count) {
    return resume(store, Optional.empty(), count);
  }

  /** Starts nodes over the transport of this JVM, which put objects back to a save point. */
  public static InProcessGrid resume(Store store, String savePoint, int count) {
    return resume(store, Optional.of(savePoint), count);
  }

  private static InProcessGrid resume(Store store, Optional<String> savePoint, int count) {
    return start(
        count, new InProcessTransport(), GridMembership::open, new Resumed(store, savePoint));
  }

  private static InProcessGrid start(
      int count, Transport transport, Opening opening, @Nullable Resumed resumed) {
    if (count < 0) {
      throw new IllegalArgumentException(
          "start(" + count + ") cannot start so many nodes; give 0 or more");
    }
    try {
      return new InProcessGrid(count, transport, opening, resumed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static GridMember.Settings settings(
      String name, List<String> virtualNodes, Transport transport) {
    return new GridMember.Settings(
        name,
        virtualNodes,
        "localhost",
        Map.of(),
        transport.name(),
        new Transport.EndpointOptions("5ec2e7".repeat(10) + "beef", "127.0.0.1", 0),
        GridMember.Settings.USUAL_SILENCE);
  }

  @Override
  public Nodes nodes() {
    return coordinator.nodes(VIRTUAL_NODE);
  }

  @Override
  public List<Node> list() {
    return List.copyOf(nodes);
  }

  @Override
  public Node get(int index) {
    return nodes.get(known(index));
  }

  private int known(int index) {
    var started = nodes.size();
    if (index < 0 || index >= started) {
      throw new IllegalStateException(
          "%s started, so there is none at %d; count from 0, or start more with join()"
              .formatted(started == 1 ? "1 node was" : started + " nodes were", index));
    }
    return index;
  }

  @Override
  public synchronized Node join() {
    try {
      return start("node-" + (nodes.size() + 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void leave(int index) {
    members.get(known(index)).close();
  }

  @Override
  public void kill(int index) {
    // As the launcher of a process learns of its end.
    coordinator.ended(vanish(index).node().id().name(), "it was killed");
  }

  /** Ends a node whose loss the others notice by their links only, as if its host had failed. */
  public void cutOff(int index) {
    coordinator.check(vanish(index).node().id());
  }

  private GridMembership vanish(int index) {
    var member = members.get(known(index));
    killed.add(member);
    member.vanish();
    return member;
  }

  @Override
  public void close() {
    coordinator.endSupervision();
    members.forEach(GridMembership::close);
    coordinator.close();
    members.forEach(
        member -> {
          var objects = member.node().objects();
          if (killed.contains(member)) {
            objects.abandon(); // they may wait for answers that a killed node does not get
          } else {
            objects.close();
          }
        });
  }

  @Override
  public GridMembership coordinator() {
    return coordinator;
  }

  public GridMembership member(int index) {
    return members.get(index);
  }
}
