package org.troupe.activeobjects.internal.service;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.classes.CodeSources;

/**
 * A peer as a provider of classes. The coordinator, which knows the code sources of the program, is
 * asked whether a code source belongs to it.
 *
 * @param coordinator gives the service of the coordinator; null at the coordinator itself
 */
public record PeerClasses(
    NodeServiceClient service, Supplier<@Nullable NodeServiceClient> coordinator)
    implements ClassProvider {

  @Override
  public NodeId id() {
    return service.peer().id();
  }

  @Override
  public CompletableFuture<CodeSources.Source> sourceOf(String className) {
    return service.sourceOf(className);
  }

  @Override
  public CompletableFuture<byte[]> archivePart(String hash, int offset) {
    return service.archivePart(hash, offset);
  }

  @Override
  public @Nullable CompletableFuture<ClassAccess.Announced> announced(String hash) {
    var asked = coordinator.get();
    return asked == null ? null : asked.announced(hash);
  }
}
