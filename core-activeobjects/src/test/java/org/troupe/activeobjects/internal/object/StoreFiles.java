package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;

/** The files of a store, which a test removes. */
final class StoreFiles {

  private StoreFiles() {}

  /** Deletes a folder, unless an image is still being written; returns whether it is gone. */
  static boolean areDeleted(Path folder) {
    try (var files = Files.walk(folder)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
    return !Files.exists(folder);
  }
}
