package org.troupe.activeobjects.internal.classes;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.troupe.serialization.SerializationException;

/**
 * The classes that this node lacks and gets from those who send their objects, if they belong to
 * the program that was deployed.
 *
 * <p>Which code sources do, the coordinator says, by their hashes; what a sender gives is checked
 * against the hash. One that has come is kept, and served on to others.
 */
final class RemoteClasses {

  /** A sender gives an archive in parts, so that other calls get between them. */
  static final int PART_BYTES = 1 << 20;

  private static final String PROPERTY = "troupe.classes.load";

  private final Function<String, ClassAccess.Announced> announcedHere;
  private final boolean isOn;
  private final Map<String, CodeSourceLoader> loaders = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<CodeSourceLoader>> coming = new ConcurrentHashMap<>();

  /**
   * Creates an empty set.
   *
   * @param announcedHere what this node, if it is the coordinator, says of a code source's hash
   */
  RemoteClasses(Function<String, ClassAccess.Announced> announcedHere) {
    this.announcedHere = announcedHere;
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

  /** Returns a class of a source that has come, or {@code null}. */
  Class<?> here(String name) {
    for (var loader : loaders.values()) {
      if (loader.has(name)) {
        return loaded(loader, name);
      }
    }
    return null;
  }

  /** Returns the archive of a source that has come, or {@code null}. */
  byte[] archive(String hash) {
    var loader = loaders.get(hash);
    return loader == null ? null : loader.archive();
  }

  /**
   * Returns a class that another node has; waits for it, so never called by a reader.
   *
   * @return {@code null} if the other node does not have it either, or is gone
   * @throws SerializationException if its source is not of the program, saying what to do
   */
  Class<?> from(ClassProvider sender, String name) {
    if (!isOn) {
      return null;
    }
    var source = answer(sender.sourceOf(name), sender, name);
    if (source == null) {
      return null;
    }
    var loader = loaders.get(source.hash());
    return loaded(loader == null ? fetched(source, sender, name) : loader, name);
  }

  private static Class<?> loaded(CodeSourceLoader loader, String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** One thread fetches a source; others that want it wait for that one. */
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
    byte[] part;
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

  private ClassAccess.Announced announced(ClassProvider sender, String hash, String name) {
    var asked = sender.announced(hash);
    return asked == null ? announcedHere.apply(hash) : answer(asked, sender, name);
  }

  private static <T> T answer(CompletableFuture<T> asked, ClassProvider sender, String name) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw new SerializationException(
          "class '%s' is not known here, and could not be had from node '%s': %s"
              .formatted(name, sender.id().name(), e.getCause().getMessage()),
          e.getCause());
    }
  }
}
