package org.troupe.activeobjects;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A place in a JVM for active objects. May be shared between threads; equal if it is the same life
 * of the same node.
 *
 * <p>May travel, as an argument, a result or in a field, to the nodes of its own grid: active
 * objects may look names up on it and make others there. {@link ActiveObjects#node} gives them
 * their own.
 */
public interface Node {

  /** Returns its name and life. */
  NodeId id();

  /** Returns its name, unique among the nodes of its grid. */
  default String name() {
    return id().name();
  }

  /** Returns the virtual nodes that it belongs to: those that the descriptor maps to its JVM. */
  List<String> virtualNodes();

  /** Returns the machine that it runs on. */
  String host();

  /**
   * Returns what else it told of itself when it joined: {@code pid}, {@code java}, {@code job} ...
   */
  Map<String, String> attributes();

  /**
   * Returns its cluster, as the descriptor has it: nodes of one are near each other. The machine,
   * where there is no descriptor.
   */
  default String cluster() {
    return attributes().getOrDefault("cluster", host());
  }

  /** Returns how many processors its JVM may use; empty if it has not told. */
  default OptionalInt processors() {
    var told = attributes().get("processors");
    return told == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(told));
  }

  /** Returns how many bytes its heap may take; empty if it has not told. */
  default OptionalLong heapBytes() {
    var told = attributes().get("heap");
    return told == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(told));
  }

  /** Returns how many bytes of memory its machine has; empty if it has not told. */
  default OptionalLong memoryBytes() {
    var told = attributes().get("memory");
    return told == null || !told.endsWith(" kB")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(told.substring(0, told.length() - " kB".length())) << 10);
  }

  /** Says whether it is in this JVM. */
  boolean isLocal();

  /** Says whether it has neither left nor died. */
  boolean isAlive();

  /**
   * Finds an active object that was registered on this node. Waits for the node's answer.
   *
   * @param name the name that it was registered under
   * @param type a class or interface of the object
   * @return a stub
   * @throws IllegalArgumentException if there is no such name; the message lists those there are
   */
  <T> T lookup(String name, Class<T> type);
}
