package org.troupe.replicas;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.stubs.ObjectConstruction;
import org.troupe.stubs.Stubs;

/** Creates replicated objects, and explains which of their methods are reads. */
public final class Replicas {

  private static final System.Logger LOG = System.getLogger(Replicas.class.getName());

  private Replicas() {}

  /** Returns the creation of objects with a replica on each node of a live set. */
  public static Creation on(Nodes nodes) {
    return new Creation(Objects.requireNonNull(nodes, "nodes"));
  }

  /** Where objects are created. */
  public static final class Creation {

    private final Nodes nodes;

    private Creation(Nodes nodes) {
      this.nodes = nodes;
    }

    /**
     * Creates a replicated object: constructs it here, by the constructor that fits the arguments,
     * and copies it to each node. Nodes that join the set later get a replica of its state then.
     *
     * @param type an ordinary class that can have a stub; its writes must be deterministic and may
     *     call no active object and no replica
     * @throws org.troupe.stubs.NotReifiableException if the class can have no stub
     * @throws IllegalArgumentException if there is no node, or no constructor fits
     */
    public <T> Replicated<T> create(Class<T> type, Object... arguments) {
      Stubs.define(type);
      var hosts = nodes.list();
      if (hosts.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no node for the replicas of "
                + type.getName()
                + "; wait for some with nodes.await(..)");
      }
      var object = constructed(type, arguments);
      var members = new TreeMap<Integer, ReplicaMember>();
      for (var node : hosts) {
        members.put(members.size(), ActiveObjects.on(node).create(ReplicaHost.class));
      }
      var identity = members.firstEntry().getValue();
      var begun = new ArrayList<Runnable>();
      for (var member : members.entrySet()) {
        var state =
            new OrderMessage.State(identity, member.getKey(), 0, 0, object, members, List.of());
        begun.add(ActiveObjects.ref(member.getValue()).ask(m -> m.begin(state))::join);
      }
      begun.forEach(Runnable::run);
      nodes.onJoin(node -> Thread.startVirtualThread(() -> join(node, members)));
      for (var node : nodes.list()) {
        if (!hosts.contains(node)) {
          join(node, members);
        }
      }
      return new Replicated<>(identity, type);
    }

    private static Object constructed(Class<?> type, Object[] arguments) {
      try {
        return ObjectConstruction.construct(type, arguments);
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable failure) {
        throw new RemoteFailure(failure.getClass().getName(), failure.getMessage(), failure);
      }
    }

    /** Adds a replica on a node that has joined the set. */
    private static void join(Node node, TreeMap<Integer, ReplicaMember> members) {
      try {
        var newcomer = ActiveObjects.on(node).create(ReplicaHost.class);
        synchronized (members) {
          for (var member : members.values()) { // the sequencer is one of them
            try {
              if (member.join(newcomer)) {
                members.put(members.lastKey() + 1, newcomer);
                return;
              }
            } catch (NodeLostException | ObjectTerminatedException e) {
              // another one is the sequencer
            }
          }
        }
      } catch (NodeLostException e) {
        return; // the new node
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "node ''{0}'' got no replica: no member is left",
          node.name());
    }
  }

  /**
   * Returns a table in plain text of which methods of a class are reads and which are writes when
   * it is replicated, and why; or the reasons why the class cannot be replicated.
   */
  public static String explain(Class<?> type) {
    var reads = ReadMethods.of(type);
    return Stubs.define(type).methods().stream()
        .filter(method -> method.method().getDeclaringClass() != Object.class)
        .map(
            method -> {
              var verdict = reads.verdict(method.method());
              return "%-40s %-5s %s"
                  .formatted(method, verdict.isRead() ? "read" : "write", verdict.why());
            })
        .collect(joining(System.lineSeparator(), type.getName() + System.lineSeparator(), ""));
  }
}
