package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.troupe.activeobjects.store.StoredImage;

/** The file with the image of a journal: complete, or that of before. */
final class ImageFile {

  /*
   * Format: magic (8)  number of the last record whose effect it has (8)  length (8)  content  CRC-32C of all that (4).
   * The file is written beside its place and renamed, so it never is incomplete where a reader looks.
   */
  static final String NAME = "image";
  static final String BESIDE = "image.new";

  private static final long MAGIC = 0x54524f5550454931L; // "TROUPEI1"
  private static final int HEAD = 24;
  private static final int CHECK = 4;

  private ImageFile() {}

  static void write(Path folder, DiskAccess disk, long upTo, ByteBuffer[] parts)
      throws IOException {
    var length = 0L;
    for (var part : parts) {
      length += part.remaining();
    }
    if (length > Integer.MAX_VALUE - 16) {
      throw new IOException(
          "an image of %d bytes is too large for a store, which takes 2 GiB".formatted(length));
    }
    var all = new ByteBuffer[parts.length + 2];
    var check = new CRC32C();
    all[0] = ByteBuffer.allocate(HEAD).putLong(MAGIC).putLong(upTo).putLong(length).flip();
    System.arraycopy(parts, 0, all, 1, parts.length);
    for (int i = 0; i <= parts.length; i++) {
      all[i] = all[i].duplicate();
      check.update(all[i].duplicate());
    }
    all[parts.length + 1] = ByteBuffer.allocate(CHECK).putInt((int) check.getValue()).flip();
    var beside = folder.resolve(BESIDE);
    try {
      try (var file =
          FileChannel.open(
              beside,
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  LinkOption.NOFOLLOW_LINKS,
                  StandardOpenOption.WRITE),
              DiskAccess.usersOnly(beside, "rw-------"))) {
        disk.write(file, all);
        disk.sync(file);
      }
      Files.move(
          beside,
          folder.resolve(NAME),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      try {
        Files.deleteIfExists(beside);
      } catch (IOException left) {
        failure.addSuppressed(left); // the next image replaces it
      }
      throw failure;
    }
    disk.syncNames(folder);
  }

  /** Returns the last record whose effect the image has; 0 if there is no image. */
  static long upTo(Path folder) throws IOException {
    try (var file = FileChannel.open(folder.resolve(NAME), StandardOpenOption.READ)) {
      var head = ByteBuffer.allocate(HEAD);
      while (head.hasRemaining() && file.read(head) >= 0) {
        // until all is read
      }
      return head.getLong(Long.BYTES);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  static Optional<StoredImage> read(Path folder) throws IOException {
    var file = folder.resolve(NAME);
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (FileSystemException e) {
      throw new IOException(
          "the image %s cannot be read: %s; restore the store from a copy"
              .formatted(file, DiskAccess.reason(e)),
          e);
    } catch (OutOfMemoryError e) {
      throw new IOException("the image %s does not fit into the heap".formatted(file), e);
    }
    if (bytes.length < HEAD + CHECK) {
      throw damaged(file, "it is incomplete");
    }
    var head = ByteBuffer.wrap(bytes);
    var check = new CRC32C();
    check.update(bytes, 0, bytes.length - CHECK);
    var isWhole = head.getInt(bytes.length - CHECK) == (int) check.getValue();
    if (!isWhole || head.getLong() != MAGIC) {
      throw damaged(file, "it does not match its check");
    }
    var upTo = head.getLong();
    if (head.getLong() != bytes.length - HEAD - CHECK) {
      throw damaged(file, "its length is wrong");
    }
    var content = new byte[bytes.length - HEAD - CHECK];
    head.get(content);
    return Optional.of(new StoredImage(upTo, content));
  }

  private static IOException damaged(Path file, String what) {
    return new IOException(
        "the image %s is damaged: %s; restore the store from a copy, or delete the folder %s to give up what it keeps"
            .formatted(file, what, file.getParent()));
  }
}
