package org.troupe.activeobjects;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A place in a JVM for active objects. May be shared between threads. Two nodes are equal if they
 * have the same name and the same incarnation.
 *
 * <p>A node may travel, as an argument, a result or in a field, to the nodes of its own grid, where
 * active objects can look up names and create active objects on it. {@link ActiveObjects#node}
 * returns the node of the caller.
 */
public interface Node {

  /** Returns its name and incarnation. */
  NodeId id();

  /** Returns its name, unique among the nodes of its grid. */
  default String name() {
    return id().name();
  }

  /** Returns the names of the virtual nodes that the descriptor maps to its JVM. */
  List<String> virtualNodes();

  /** Returns the name of the machine that it runs on. */
  String host();

  /**
   * Returns the attributes that it announced when it joined: {@code pid}, {@code java}, {@code job}
   * and others.
   */
  Map<String, String> attributes();

  /**
   * Returns the name of its cluster in the descriptor; nodes of one cluster are near each other.
   * Without a descriptor it is the name of the machine.
   */
  default String cluster() {
    return attributes().getOrDefault("cluster", host());
  }

  /** Returns the number of processors that its JVM may use; empty if it did not announce it. */
  default OptionalInt processors() {
    var told = attributes().get("processors");
    return told == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(told));
  }

  /** Returns the maximal heap of its JVM in bytes; empty if it did not announce it. */
  default OptionalLong heapBytes() {
    var told = attributes().get("heap");
    return told == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(told));
  }

  /** Returns the memory of its machine in bytes; empty if it did not announce it. */
  default OptionalLong memoryBytes() {
    var told = attributes().get("memory");
    return told == null || !told.endsWith(" kB")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(told.substring(0, told.length() - " kB".length())) << 10);
  }

  /** Returns whether it is in this JVM. */
  boolean isLocal();

  /** Returns whether it has neither left nor died. */
  boolean isAlive();

  /**
   * Moves the active objects of this node to others, those with the fewest objects first. A node
   * that leaves waits for the listeners of {@link Nodes#onLeaving}, one of which may call this and
   * wait for the result. It comes when the objects are served on the other nodes, but waits for
   * none of them for more than 10 s after it has left.
   *
   * @param others the nodes to move to; this node and those that leave are passed over
   * @return a future of the references to the objects that stay, because they {@linkplain
   *     MoveException cannot move}
   */
  CompletableFuture<List<Ref<?>>> evacuate(Nodes others);

  /**
   * Finds an active object that was registered on this node. Waits for the node's reply.
   *
   * @param name the name that it was registered under
   * @param type a class or interface of the object
   * @return a stub
   * @throws IllegalArgumentException if there is no such name; the message lists the registered
   *     names
   */
  <T> T lookup(String name, Class<T> type);
}
