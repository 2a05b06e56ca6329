package org.troupe.activeobjects;

import java.util.List;
import org.troupe.activeobjects.transport.Transport;

/**
 * Several nodes in this JVM, for tests: calls between them are encoded, travel and arrive as
 * between JVMs, without any process or socket.
 *
 * {@snippet file="org/troupe/activeobjects/snippets/CoreSnippets.java" region="local"}
 */
public interface LocalNodes extends AutoCloseable {

  /**
   * Starts nodes named {@code node-1}, {@code node-2} ...
   *
   * @throws IllegalArgumentException if the number is negative
   */
  static LocalNodes start(int count) {
    return RuntimeProvider.current().startLocalNodes(count, null);
  }

  /** Starts nodes that talk over a transport of their own: for the tests of transports. */
  static LocalNodes start(int count, Transport transport) {
    return RuntimeProvider.current().startLocalNodes(count, transport);
  }

  /**
   * Returns the nodes that are alive; a live set, in order, of which more can be requested, and
   * which can be released.
   */
  Nodes nodes();

  /** Returns the nodes that were started, those that have ended too, in order. */
  List<Node> list();

  /**
   * Returns the node of this index, from 0.
   *
   * @throws IllegalStateException if fewer were started
   */
  Node get(int index);

  /** Starts one more node, which joins those that are there. */
  Node join();

  /** Ends a node in good order: it says that it leaves. */
  void leave(int index);

  /** Ends a node as if its process had been killed. */
  void kill(int index);

  /** Ends all nodes. */
  @Override
  void close();
}
