package org.troupe.activeobjects.internal.classes;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** Another node, as a provider of classes that this node lacks. */
public interface ClassProvider {

  /** Returns the node. */
  NodeId id();

  /**
   * Requests the code source of a class; completes with {@code null} if the node does not know the
   * class.
   */
  CompletableFuture<CodeSources.Source> sourceOf(String className);

  /**
   * Requests a part of a code source's archive; completes with {@code null} if the node does not
   * have it.
   */
  CompletableFuture<byte[]> archivePart(String hash, int offset);

  /**
   * Asks the coordinator of the node's grid whether a code source belongs to the deployed program.
   *
   * @return {@code null} if this JVM's node is the coordinator
   */
  @Nullable CompletableFuture<ClassAccess.Announced> announced(String hash);
}
