package org.troupe.deployment.files;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes files atomically: a write that fails, such as on a full disk, leaves the old file
 * unchanged, and no other file. Thread-safe.
 */
public final class AtomicFile {

  /*
   * The content is written to a new file beside the target, synced, and renamed to the target. The name of the new
   * file is random, since several programs may write the same file. Syncing makes NFS, quotas and delayed allocation
   * report a lack of space. A program that is killed meanwhile leaves its unfinished file.
   */
  private static final String UNFINISHED = ".unfinished";

  /** The mounts of this process, one a line; the fifth word is the mount point. */
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private static final int MOUNT_POINT = 4;

  private static final int MOST_LINKS = 40; // the limit of Linux

  /** The paths of this program's standard output. */
  private static final Set<String> OUTPUT =
      Set.of(
          "/proc/self/fd/1", "/dev/fd/1", "/proc/%d/fd/1".formatted(ProcessHandle.current().pid()));

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {

    /** Writes to a channel, stays open. */
    void writeTo(FileChannel file) throws IOException;
  }

  private AtomicFile() {}

  /** Writes a file in UTF-8; replaces an existing one. */
  public static void write(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a file; replaces an existing one. */
  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, channel -> writeAll(channel, bytes));
  }

  /**
   * Writes a file; replaces an existing one, whose permissions it inherits unless others are given,
   * and whose owner and group, if this program may change them. Overwrites a device or pipe, a file
   * in a folder that this program may not write to, and a mounted file, since these cannot be
   * replaced. Appends to an open file of this program, such as {@code /dev/stdout}.
   *
   * @throws IOException whose message names the file, the reason and the state of the file
   */
  public static void write(Path file, Content content, FileAttribute<?>... attributes)
      throws IOException {
    var target = target(file);
    if (isOpenFile(target) && !Files.exists(target)) {
      throw new FileWriteException(
          "'%s' could not be written: no file can be made there; name one in another folder"
              .formatted(file),
          new NoSuchFileException(target.toString()));
    }
    if (isOpenFile(target) || Files.exists(target) && !isReplaceable(target)) {
      overwrite(target, content);
      return;
    }
    var unfinished = unfinished(target);
    try {
      var isThere = Files.isRegularFile(target);
      if (isThere && !Files.isWritable(target)) {
        throw new AccessDeniedException(target.toString(), null, "it is read-only");
      }
      fill(
          unfinished,
          content,
          isThere && attributes.length == 0 ? permissionsOf(target) : attributes);
      if (isThere) {
        inherit(target, unfinished, attributes.length == 0);
      }
      rename(unfinished, target);
    } catch (IOException e) {
      throw unwritten(file, e, "; free some space or correct that; all existing files are intact");
    }
  }

  /**
   * Returns whether {@link #write} would overwrite a file, so that its former content is lost as
   * soon as the write begins.
   */
  public static boolean isOverwritten(Path file) {
    try {
      var target = target(file);
      return isOpenFile(target) || Files.exists(target) && !isReplaceable(target);
    } catch (IOException e) {
      return false;
    }
  }

  /** Resolves symbolic links, also to a missing file, but not the path of an open file. */
  private static Path target(Path file) throws IOException {
    var target = file;
    for (var links = 0;
        links < MOST_LINKS && Files.isSymbolicLink(target) && !isOpenFile(target);
        links++) {
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** Returns whether a path names a file or pipe that a process has open. */
  private static boolean isOpenFile(Path file) {
    var path = file.toAbsolutePath().normalize();
    return path.startsWith("/proc") || path.startsWith("/dev/fd");
  }

  /** Returns the permissions of a file, for a new file that is never accessible to more users. */
  private static FileAttribute<?>[] permissionsOf(Path file) throws IOException {
    var posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return posix == null
        ? new FileAttribute<?>[0]
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(posix.readAttributes().permissions())
        };
  }

  private static void inherit(Path from, Path to, boolean withPermissions) throws IOException {
    var old = Files.getFileAttributeView(from, PosixFileAttributeView.class);
    if (old == null) {
      return;
    }
    var its = old.readAttributes();
    var fresh = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    var own = fresh.readAttributes();
    try {
      if (!own.group().equals(its.group())) {
        fresh.setGroup(its.group());
      }
      if (!own.owner().equals(its.owner())) {
        fresh.setOwner(its.owner());
      }
    } catch (IOException e) {
      // Only the administrator may change owners.
    }
    if (withPermissions) { // the process's mask has removed some
      fresh.setPermissions(its.permissions());
    }
  }

  private static Path unfinished(Path file) {
    var drawn = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return file.resolveSibling(file.getFileName() + "." + drawn + UNFINISHED);
  }

  /**
   * Checks whether a file can be written, without touching it, since another program may be writing
   * it.
   */
  public static void check(Path file) throws IOException {
    var target = target(file);
    if (!Files.exists(target)) {
      var probe = unfinished(target);
      fill(probe, empty -> {});
      Files.delete(probe);
    }
  }

  /** Removes the unfinished files of killed programs; no program may be writing the file now. */
  public static void removeUnfinished(Path file) throws IOException {
    var prefix = file.getFileName() + ".";
    try (var files = Files.list(file.toAbsolutePath().getParent())) {
      for (var each : files.toList()) {
        var name = each.getFileName().toString();
        if (name.startsWith(prefix) && name.endsWith(UNFINISHED)) {
          Files.deleteIfExists(each);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Writes a new file, which others see while it grows; removes it if the write fails.
   *
   * @throws FileAlreadyExistsException if the file exists
   * @throws IOException whose message names the file and the reason
   */
  public static void create(Path file, Content content, FileAttribute<?>... attributes)
      throws IOException {
    try {
      fill(file, content, attributes);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw unwritten(file, e, "; free some space or correct that");
    }
  }

  private static void fill(Path file, Content content, FileAttribute<?>... attributes)
      throws IOException {
    var channel =
        FileChannel.open(
            file, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
    var isWhole = false;
    try {
      try (channel) {
        content.writeTo(channel);
        channel.force(true);
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * Syncs a file and renames it atomically; removes it if that fails.
   *
   * @throws IOException whose message names the target and the reason
   */
  public static void move(Path file, Path target) throws IOException {
    try {
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      rename(file, target);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw unwritten(target, e, "; free some space or correct that");
    }
  }

  private static void rename(Path file, Path target) throws IOException {
    try {
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    var folder = target.toAbsolutePath().getParent();
    if (folder != null) {
      sync(folder);
    }
  }

  /** Syncs a folder, if the system can, so that a renamed file survives a loss of power. */
  private static void sync(Path folder) {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException | UnsupportedOperationException e) {
      // The file is complete under its old or its new name.
    }
  }

  private static boolean isReplaceable(Path file) {
    return Files.isRegularFile(file)
            && Files.isWritable(file.toAbsolutePath().getParent())
            && !isMounted(file)
        || Files.isDirectory(file); // the write reports the error
  }

  /** Returns whether a single file is mounted here, as in containers; it cannot be replaced. */
  private static boolean isMounted(Path file) {
    if (!Files.isReadable(MOUNTS)) {
      return false; // not Linux
    }
    try (var mounts = Files.lines(MOUNTS)) {
      var path = file.toRealPath().toString().replace("\\", "\\134").replace(" ", "\\040");
      return mounts.anyMatch(
          line -> {
            var words = line.split(" ", MOUNT_POINT + 2);
            return words.length > MOUNT_POINT && words[MOUNT_POINT].equals(path);
          });
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private static FileChannel truncated(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static void overwrite(Path file, Content content) throws IOException {
    try {
      if (OUTPUT.contains(file.toAbsolutePath().normalize().toString())) {
        System.out.flush();
        content.writeTo(new FileOutputStream(FileDescriptor.out).getChannel()); // which stays open
        return;
      }
      try (var channel =
          isOpenFile(file) ? FileChannel.open(file, StandardOpenOption.APPEND) : truncated(file)) {
        content.writeTo(channel);
        if (Files.isRegularFile(file)) {
          channel.force(true);
        }
      }
    } catch (IOException e) {
      throw unwritten(file, e, "; its content is incomplete");
    }
  }

  /**
   * Appends lines to a file, all or none of them; creates the file if there is none. Ends a last
   * line without line end first.
   *
   * @param attributes the attributes of a new file
   */
  public static void append(Path file, String lines, FileAttribute<?>... attributes)
      throws IOException {
    try (var channel =
        FileChannel.open(
            file, EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), attributes)) {
      var before = channel.size();
      var text = endsWithin(file, before) ? "\n" + lines : lines;
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        if (channel.size() == before + bytes.position()) { // no other process has appended since
          channel.truncate(before);
        }
        throw e;
      }
    } catch (IOException e) {
      throw new FileWriteException(
          "'%s' could not be added to: %s; free some space or correct that"
              .formatted(file, reason(e)),
          e);
    }
  }

  /** Returns whether a file ends without a line end; false if it is not readable. */
  private static boolean endsWithin(Path file, long size) {
    if (size == 0) {
      return false;
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      var last = ByteBuffer.allocate(1);
      return channel.read(last, size - 1) == 1 && last.get(0) != '\n';
    } catch (IOException e) {
      return false;
    }
  }

  private static void writeAll(FileChannel channel, byte[] bytes) throws IOException {
    Channels.newOutputStream(channel).write(bytes);
  }

  private static FileWriteException unwritten(Path file, IOException cause, String remedy) {
    return new FileWriteException(
        "'%s' could not be written: %s%s".formatted(file, reason(cause), remedy), cause);
  }

  /** Returns the reason of a failed file access, without the file's name. */
  public static String reason(IOException failure) {
    if ((failure instanceof FileWriteException || failure.getClass() == IOException.class)
        && failure.getCause() instanceof IOException why) {
      return reason(why);
    }
    return switch (failure) {
      case FileSystemException of when of.getReason() != null -> of.getReason();
      case NoSuchFileException none -> "its folder does not exist";
      case AccessDeniedException denied -> "access is denied";
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }
}
