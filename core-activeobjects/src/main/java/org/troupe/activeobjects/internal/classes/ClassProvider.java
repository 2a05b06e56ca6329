package org.troupe.activeobjects.internal.classes;

import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.NodeId;

/** Another node, as a provider of classes that this node lacks. */
public interface ClassProvider {

  /** Returns the node. */
  NodeId id();

  /** Asks where a class comes from that the node knows; {@code null} if it does not. */
  CompletableFuture<CodeSources.Source> sourceOf(String className);

  /** Asks for a part of a code source's archive; {@code null} if the node does not have it. */
  CompletableFuture<byte[]> archivePart(String hash, int offset);

  /**
   * Asks the coordinator of the node's grid whether a code source is of the deployed program.
   *
   * @return {@code null} if this JVM's node is the coordinator
   */
  CompletableFuture<ClassAccess.Announced> announced(String hash);
}
