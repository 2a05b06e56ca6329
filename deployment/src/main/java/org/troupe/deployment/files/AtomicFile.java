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
 * Writes files that are whole at any moment: a failed write, on a full disk for one, leaves a file
 * as it was, and nothing beside it. Thread-safe.
 */
public final class AtomicFile {

  /*
   * The content goes to a new file beside the place, is synced, and takes its place by renaming. The name of the new file
   * is drawn, since several programs may write one file at the same time. Syncing makes NFS, quotas and delayed allocation
   * report that there is no room. A program that is killed meanwhile leaves its unfinished file.
   */
  private static final String UNFINISHED = ".unfinished";

  /** What is mounted for this process: a line each, whose fifth word is the place. */
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private static final int MOUNT_POINT = 4;

  private static final int MOST_LINKS = 40; // as of Linux

  /** The names under which this program's standard output is reached. */
  private static final Set<String> OUTPUT =
      Set.of(
          "/proc/self/fd/1", "/dev/fd/1", "/proc/%d/fd/1".formatted(ProcessHandle.current().pid()));

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {

    /** Writes to a channel, which stays open. */
    void writeTo(FileChannel file) throws IOException;
  }

  private AtomicFile() {}

  /** Writes a file in UTF-8, in the place of one that is there. */
  public static void write(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a file, in the place of one that is there. */
  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, channel -> writeAll(channel, bytes));
  }

  /**
   * Writes a file, in the place of one that is there, whose permissions it gets unless others are
   * given, and whose owner and group, if this program may give files away. A device or pipe, a file
   * in a folder that this program may not write to, and one that is mounted cannot be replaced and
   * are overwritten; an open file of this program, such as {@code /dev/stdout}, is added to.
   *
   * @throws IOException whose message names the file, the reason and what is there now
   */
  public static void write(Path file, Content content, FileAttribute<?>... attributes)
      throws IOException {
    var target = target(file);
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
      fill(unfinished, content, isThere && attributes.length == 0 ? likeThat(target) : attributes);
      if (isThere) {
        inherit(target, unfinished, attributes.length == 0);
      }
      rename(unfinished, target);
    } catch (IOException e) {
      throw new IOException(
          "'%s' could not be written: %s; make room or mend that, all files that are there are whole"
              .formatted(file, reason(e)),
          e);
    }
  }

  /** Where a link leads to, be it there or not; not beyond the name of an open file. */
  private static Path target(Path file) throws IOException {
    var target = file;
    for (var links = 0;
        links < MOST_LINKS && Files.isSymbolicLink(target) && !isOpenFile(target);
        links++) {
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** Says whether a path names a file or pipe that a process has open. */
  private static boolean isOpenFile(Path file) {
    var path = file.toAbsolutePath().normalize();
    return path.startsWith("/proc") || path.startsWith("/dev/fd");
  }

  /** The permissions of a file for another, which is at no time open to more than that one. */
  private static FileAttribute<?>[] likeThat(Path file) throws IOException {
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
      // Only the system's administrator may give files away.
    }
    if (withPermissions) { // of which the process's mask has taken some
      fresh.setPermissions(its.permissions());
    }
  }

  private static Path unfinished(Path file) {
    var drawn = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return file.resolveSibling(file.getFileName() + "." + drawn + UNFINISHED);
  }

  /**
   * Finds out whether a file could be written, without touching it: another program may be writing
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

  /** Removes what programs that were killed have left of a file, which none writes now. */
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
   * Writes a new file, which others see while it grows, and removes it if that fails.
   *
   * @throws FileAlreadyExistsException if there is one
   * @throws IOException whose message names the file and the reason
   */
  public static void create(Path file, Content content, FileAttribute<?>... attributes)
      throws IOException {
    try {
      fill(file, content, attributes);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "'%s' could not be written: %s; make room or mend that".formatted(file, reason(e)), e);
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
   * Syncs a file and puts it into its place in one step; removes it if that fails.
   *
   * @throws IOException whose message names the place and the reason
   */
  public static void move(Path file, Path target) throws IOException {
    try {
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      rename(file, target);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw new IOException(
          "'%s' could not be written: %s; make room or mend that".formatted(target, reason(e)), e);
    }
  }

  private static void rename(Path file, Path target) throws IOException {
    try {
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    sync(target.toAbsolutePath().getParent());
  }

  /** Without it the name might be lost with the machine's power; not every system can do it. */
  private static void sync(Path folder) {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException | UnsupportedOperationException e) {
      // The file is whole under its old or its new name all the same.
    }
  }

  private static boolean isReplaceable(Path file) {
    return Files.isRegularFile(file)
            && Files.isWritable(file.toAbsolutePath().getParent())
            && !isMounted(file)
        || Files.isDirectory(file); // whose error is to be seen
  }

  /** Says whether a file is mounted by itself, as containers have it; such cannot be renamed. */
  private static boolean isMounted(Path file) {
    if (!Files.isReadable(MOUNTS)) {
      return false; // another system
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
      throw new IOException(
          "'%s' could not be written: %s; what is there is not whole".formatted(file, reason(e)),
          e);
    }
  }

  /**
   * Adds lines to the end of a file, all or none of them; makes the file if there is none. A last
   * line without an end, as editors leave it, is ended first.
   *
   * @param attributes of a file that is made
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
      throw new IOException(
          "'%s' could not be added to: %s; make room or mend that".formatted(file, reason(e)), e);
    }
  }

  /** Says whether a file ends within a line, as far as it may be read. */
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

  /** Returns why an access to a file failed, here or elsewhere, without the file's name. */
  public static String reason(IOException failure) {
    if (failure.getClass() == IOException.class && failure.getCause() instanceof IOException why) {
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
