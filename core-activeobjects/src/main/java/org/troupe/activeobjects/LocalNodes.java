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

  /**
   * Starts nodes that go on with the {@linkplain Keep kept} objects that a store has from earlier
   * runs: an object is made again when it is called, by its {@linkplain
   * ActiveObjects.Creation#named name} or by a reference that another object holds.
   *
   * @throws java.io.UncheckedIOException if the store cannot be used, or another run uses it
   */
  static LocalNodes resume(Store store, int count) {
    return RuntimeProvider.current().resumeLocalNodes(store, count);
  }

  /** Starts nodes that communicate over the given transport; for tests of transports. */
  static LocalNodes start(int count, Transport transport) {
    return RuntimeProvider.current().startLocalNodes(count, transport);
  }

  /**
   * Returns the live set of the nodes that are alive, in the order of their start. It supports
   * {@link Nodes#request} and {@link Nodes#release}.
   */
  Nodes nodes();

  /**
   * Returns all nodes that were started, also those that have ended, in the order of their start.
   */
  List<Node> list();

  /**
   * Returns the node of this index, from 0.
   *
   * @throws IllegalStateException if fewer were started
   */
  Node get(int index);

  /** Starts one more node, which joins the others. */
  Node join();

  /** Ends a node in good order: it announces that it leaves. */
  void leave(int index);

  /** Ends a node as if its process had been killed. */
  void kill(int index);

  /** Ends all nodes. */
  @Override
  void close();
}
