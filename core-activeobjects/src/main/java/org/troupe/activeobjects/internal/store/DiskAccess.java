package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** How a store reaches the disk: whether what it has written must survive the host. */
class DiskAccess {

  /** Leaves what was written to the page cache: it survives the process. */
  static final DiskAccess CACHED = new DiskAccess(false);

  /** Waits until what was written is on the disk: it survives the host. */
  static final DiskAccess SYNCED = new DiskAccess(true);

  /** A channel copies all bytes of a write, if they are in the heap, into memory beside it. */
  private static final int PIECE = 1 << 20;

  private final boolean isSynced;

  DiskAccess(boolean isSynced) {
    this.isSynced = isSynced;
  }

  boolean isSynced() {
    return isSynced;
  }

  /** Makes the content of a file as durable as the store promises. */
  void sync(FileChannel file) throws IOException {
    if (isSynced) {
      file.force(false);
    }
  }

  /** Makes the content of a file that is not open as durable as the store promises. */
  void sync(Path file) throws IOException {
    if (isSynced) {
      try (var opened = FileChannel.open(file, StandardOpenOption.READ)) {
        sync(opened);
      }
    }
  }

  /** Makes the names in a folder as durable as the store promises. */
  void syncNames(Path folder) throws IOException {
    if (isSynced && folder.getFileSystem() == FileSystems.getDefault()) {
      try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  /** Writes all bytes at the end of a file, or throws. */
  void write(FileChannel file, ByteBuffer... parts) throws IOException {
    var bytes = 0L;
    for (var part : parts) {
      bytes += part.remaining();
    }
    if (bytes > PIECE) {
      writeInPieces(file, parts);
      return;
    }
    for (var last = parts.length - 1; last >= 0; ) {
      if (parts[last].hasRemaining()) {
        file.write(parts);
      } else {
        last--;
      }
    }
  }

  private static void writeInPieces(FileChannel file, ByteBuffer[] parts) throws IOException {
    for (var part : parts) {
      var end = part.limit();
      while (part.position() < end) {
        part.limit(Math.min(end, part.position() + PIECE));
        file.write(part);
      }
    }
  }

  /** Creates a folder that only its user may enter, with the folders above it. */
  void createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    var parent = folder.getParent();
    if (parent != null && !Files.isDirectory(parent)) { // else that would fail and be caught
      Files.createDirectories(parent);
    }
    Files.createDirectories(folder, usersOnly(folder, "rwx------"));
  }

  /** Returns the attributes of a file or folder that only its user may open. */
  static FileAttribute<?>[] usersOnly(Path file, String permissions) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Returns why a file could not be used, with the remedy if there is one. The message of the cause
   * is sometimes only its name.
   */
  static String reason(IOException cause) {
    var reason =
        switch (cause) {
          case NoSuchFileException gone -> "the file " + gone.getFile() + " does not exist";
          case AccessDeniedException denied -> "access to " + denied.getFile() + " is denied";
          case FileSystemException other when other.getReason() != null -> other.getReason();
          case ClosedByInterruptException _ -> "its thread was interrupted; try again";
          default -> String.valueOf(cause.getMessage());
        };
    return reason + remedy(reason);
  }

  private static String remedy(String reason) {
    if (reason.contains("No space left") || reason.contains("quota exceeded")) {
      return "; free some space there";
    }
    return reason.contains("Read-only file system") ? "; mount it for writing" : "";
  }
}
