package org.troupe.em3d.output;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;

/**
 * The folder that a run writes its results to. Files appear during the run; each one is complete,
 * as it is written under a temporary name and then renamed.
 */
public final class OutFolder implements AutoCloseable {

  /** Marks a folder that a run has created, which another run may overwrite. */
  private static final String MARK = ".em3d";

  private final Path path;

  private final FolderLock lock;

  private OutFolder(Path path, FolderLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Returns why a folder cannot be created; empty if it can. */
  public static Optional<String> problem(Path path, boolean overwrite) {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    if (!overwrite) {
      return Optional.of(
          "--out %s exists already; name a new folder, or add --overwrite to replace it"
              .formatted(path));
    }
    if (!Files.exists(path.resolve(MARK))) {
      return Optional.of(
          "--out %s was not created by a run, so --overwrite does not replace it; name another folder"
              .formatted(path));
    }
    try (var _ = FolderLock.take(path.resolve(MARK))) {
      return Optional.empty();
    } catch (FolderLock.HeldException e) {
      return Optional.of(
          "--out %s: %s; name another folder, or wait for its end".formatted(path, e.getMessage()));
    } catch (IOException e) {
      return Optional.of(
          "--out %s cannot be overwritten: %s; name another folder"
              .formatted(path, AtomicFile.reason(e)));
    }
  }

  /** Creates the folder; replaces that of an earlier run. */
  public static OutFolder make(Path path) throws IOException {
    if (Files.exists(path.resolve(MARK))) {
      try (var _ = FolderLock.take(path.resolve(MARK))) {
        delete(path);
      }
    }
    Files.createDirectory(path);
    return new OutFolder(path, FolderLock.take(path.resolve(MARK)));
  }

  private static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  public Path path() {
    return path;
  }

  /** Writes a file of the folder. */
  public void write(String name, String text) throws IOException {
    AtomicFile.write(path.resolve(name), text);
  }

  /** Releases the folder; removes it if it is empty. Idempotent. */
  @Override
  public void close() throws IOException {
    try (lock) {
      if (isEmpty()) {
        delete(path);
      }
    }
  }

  private boolean isEmpty() throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    try (var files = Files.list(path)) {
      return files.allMatch(file -> file.endsWith(MARK));
    }
  }
}
