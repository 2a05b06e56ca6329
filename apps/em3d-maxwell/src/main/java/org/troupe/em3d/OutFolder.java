package org.troupe.em3d;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The folder that a run writes to. It fills while the run goes on; each file in it is whole at any
 * moment, since it is written beside its place and then renamed.
 */
final class OutFolder {

  /** Says that a run has made the folder, so that another may overwrite it. */
  private static final String MARK = ".em3d";

  private final Path path;

  private OutFolder(Path path) {
    this.path = path;
  }

  /** What is wrong with a folder to be made; {@code null} if nothing is. */
  static String problem(Path path, boolean overwrite) {
    if (!Files.exists(path)) {
      return null;
    }
    if (!overwrite) {
      return "--out "
          + path
          + " exists already; name a new folder, or add --overwrite to replace it";
    }
    return Files.exists(path.resolve(MARK))
        ? null
        : "--out " + path + " is no folder that a run has made, so --overwrite leaves it alone";
  }

  /** Makes it, in the place of the one of a former run, if there is one. */
  static OutFolder make(Path path) throws IOException {
    if (Files.exists(path.resolve(MARK))) {
      delete(path);
    }
    Files.createDirectory(path);
    Files.createFile(path.resolve(MARK));
    return new OutFolder(path);
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
          public FileVisitResult postVisitDirectory(Path each, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  Path path() {
    return path;
  }

  /** Writes a file of the folder. */
  void write(String name, String text) throws IOException {
    writeWhole(path.resolve(name), text);
  }

  /** Removes the folder if nothing was written to it. */
  void removeIfEmpty() throws IOException {
    try (var files = Files.list(path)) {
      if (files.anyMatch(file -> !file.endsWith(MARK))) {
        return;
      }
    }
    delete(path);
  }

  /** Writes a file so that it is never seen half written. */
  static void writeWhole(Path file, String text) throws IOException {
    writeWhole(file, text.getBytes(StandardCharsets.UTF_8));
  }

  static void writeWhole(Path file, byte[] bytes) throws IOException {
    var unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    try {
      Files.write(unfinished, bytes);
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      try {
        Files.deleteIfExists(unfinished);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw new IOException(
          "'%s' could not be written: %s; make room or mend that, all files that are there are whole"
              .formatted(file, reason(e)),
          e);
    }
  }

  /**
   * A file system's reason without the name of the file before it, which it may be all there is.
   */
  private static String reason(IOException failure) {
    return failure instanceof java.nio.file.FileSystemException of && of.getReason() != null
        ? of.getReason()
        : failure.toString();
  }
}
