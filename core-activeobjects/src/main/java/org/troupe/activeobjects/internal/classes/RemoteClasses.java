package org.troupe.activeobjects.internal.classes;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.serialization.SerializationException;

/**
 * The classes that this node does not have and loads from the nodes that send objects of them,
 * provided they belong to the deployed program.
 *
 * <p>The coordinator announces the hashes of the program's code sources; the content that a sender
 * delivers is checked against its hash. A source that has arrived is kept, and served to other
 * nodes in turn.
 */
final class RemoteClasses {

  /** An archive is sent in parts of this size, so that other calls can be served between them. */
  static final int PART_BYTES = 1 << 20;

  private static final String PROPERTY = "troupe.classes.load";

  private final Function<String, ClassAccess.Announced> announcedHere;
  private final BiConsumer<CodeSources.Source, ClassProvider> fetched;
  private final boolean isOn;
  private final Map<String, CodeSourceLoader> loaders = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<CodeSourceLoader>> coming = new ConcurrentHashMap<>();

  /**
   * Creates an empty set.
   *
   * @param announcedHere the announcement for a code source's hash if this node is the coordinator
   * @param fetched is told of each source that has been fetched
   */
  RemoteClasses(
      Function<String, ClassAccess.Announced> announcedHere,
      BiConsumer<CodeSources.Source, ClassProvider> fetched) {
    this.announcedHere = announcedHere;
    this.fetched = fetched;
    this.isOn =
        switch (System.getProperty(PROPERTY, "announced")) {
          case "announced" -> true;
          case "off" -> false;
          default ->
              throw new IllegalArgumentException(
                  PROPERTY
                      + " is '"
                      + System.getProperty(PROPERTY)
                      + "'; it can be 'announced' or 'off'");
        };
  }

  /** Returns a class of a source that has arrived; {@code null} if there is none. */
  @Nullable Class<?> here(String name) {
    for (var loader : loaders.values()) {
      if (loader.has(name)) {
        return loaded(loader, name);
      }
    }
    return null;
  }

  /** Returns the archive of a source that has arrived; {@code null} if there is none. */
  byte @Nullable [] archive(String hash) {
    var loader = loaders.get(hash);
    return loader == null ? null : loader.archive();
  }

  /**
   * Returns a class that another node has; waits for that node, so no reader thread may call this.
   *
   * @return {@code null} if the other node does not have the class either, or is lost
   * @throws SerializationException if its source is not part of the program, with the remedy
   */
  @Nullable Class<?> from(ClassProvider sender, String name) {
    if (!isOn) {
      return null;
    }
    var source = answer(sender.sourceOf(name), sender, name);
    if (source == null) {
      return null;
    }
    var known = loaders.get(source.hash());
    var loader = known == null ? fetched(source, sender, name) : known;
    return loader.has(name) ? loaded(loader, name) : null; // it would ask the sender again
  }

  private static @Nullable Class<?> loaded(CodeSourceLoader loader, String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Fetches a source on one thread; others that need it wait for that thread. */
  private CodeSourceLoader fetched(CodeSources.Source source, ClassProvider sender, String name) {
    var mine = new CompletableFuture<CodeSourceLoader>();
    var other = coming.putIfAbsent(source.hash(), mine);
    if (other != null) {
      try {
        return other.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    }
    try {
      var loader = loaders.get(source.hash());
      if (loader == null) {
        loader = fetch(source, sender, name);
        loaders.put(source.hash(), loader);
        fetched.accept(source, sender);
      }
      mine.complete(loader);
      return loader;
    } catch (RuntimeException | Error failure) {
      mine.completeExceptionally(failure);
      throw failure;
    } finally {
      coming.remove(source.hash());
    }
  }

  private CodeSourceLoader fetch(CodeSources.Source source, ClassProvider sender, String name) {
    var announced = announced(sender, source.hash(), name);
    if (announced == null) {
      throw new SerializationException(
          "class '%s' comes from '%s' (SHA-256 %s...) on node '%s', which is not part of the program that was deployed; put it on the class path of the launcher, name it in the launcher's system property troupe.application, or put it on the class path of this node by the descriptor's jvm element"
              .formatted(name, source.name(), source.hash().substring(0, 12), sender.id().name()));
    }
    var bytes = new ByteArrayOutputStream();
    byte @Nullable [] part;
    do {
      part = answer(sender.archivePart(source.hash(), bytes.size()), sender, name);
      bytes.writeBytes(part == null ? new byte[0] : part);
    } while (part != null && part.length == PART_BYTES);
    var archive = bytes.toByteArray();
    if (!CodeSources.hash(archive).equals(source.hash())) {
      throw new SerializationException(
          "class '%s' comes from '%s', whose content on node '%s' is not what was announced; it was changed after the program began, so deploy again"
              .formatted(name, source.name(), sender.id().name()));
    }
    if (FlightSwitch.isOn()) {
      FlightEvents.archive(source.hash(), source.name(), archive.length, sender.id().name());
    }
    return new CodeSourceLoader(
        source,
        announced.isOwn(),
        archive,
        ClassAccess.loader(),
        other -> {
          var here = here(other);
          return here != null ? here : from(sender, other);
        });
  }

  private ClassAccess.@Nullable Announced announced(
      ClassProvider sender, String hash, String name) {
    var asked = sender.announced(hash);
    return asked == null ? announcedHere.apply(hash) : answer(asked, sender, name);
  }

  private static <T extends @Nullable Object> T answer(
      CompletableFuture<T> asked, ClassProvider sender, String name) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new SerializationException(
          "class '%s' is not known here, and could not be fetched from node '%s': %s"
              .formatted(name, sender.id().name(), cause.getMessage()),
          cause);
    }
  }
}
