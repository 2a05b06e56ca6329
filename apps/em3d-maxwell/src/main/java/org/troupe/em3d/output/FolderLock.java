package org.troupe.em3d.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reserves a folder for one run, by a lock on a file in it. The lock holds on this machine and, if
 * the file system supports locks, on all machines that share the folder. The end of the process
 * releases it in any case.
 */
public final class FolderLock implements AutoCloseable {

  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

  /**
   * The files that this JVM has locked. Under POSIX, closing any other channel of such a file would
   * release its lock.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;
  private final @Nullable FileLock lock; // null: the file system does not support locks

  private FolderLock(Path file, FileChannel channel, @Nullable FileLock lock) {
    this.file = file;
    this.channel = channel;
    this.lock = lock;
  }

  /** Another run has reserved the folder; the message names its process. */
  public static final class HeldException extends IOException {

    private static final long serialVersionUID = 1;

    private HeldException(String holder) {
      super("another run writes there" + (holder.isBlank() ? "" : ": " + holder.strip()));
    }
  }

  /**
   * Takes the lock; creates the file if necessary and does not delete it.
   *
   * @throws HeldException if another run holds the lock
   */
  public static FolderLock take(Path file) throws IOException {
    var folder =
        Objects.requireNonNull(file.toAbsolutePath().getParent(), "the lock is a file in a folder");
    var itself = folder.toRealPath().resolve(file.getFileName());
    if (!HELD.add(itself)) {
      throw new HeldException("one of this program");
    }
    FolderLock taken = null;
    try {
      taken = open(itself);
      return taken;
    } finally {
      if (taken == null) {
        HELD.remove(itself);
      }
    }
  }

  private static FolderLock open(Path file) throws IOException {
    var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    var isTaken = false;
    try {
      var lock = locked(channel, file);
      isTaken = true;
      if (lock != null) {
        sign(channel);
      }
      return new FolderLock(file, channel, lock);
    } finally {
      if (!isTaken) {
        channel.close();
      }
    }
  }

  private static @Nullable FileLock locked(FileChannel channel, Path file) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw new HeldException("one of this program");
    } catch (IOException e) {
      return null; // a file system without locks
    }
    if (lock == null) {
      throw new HeldException(Files.readString(file));
    }
    return lock;
  }

  /** Writes the process into the file, for the message of another run; failures are ignored. */
  private static void sign(FileChannel channel) {
    try {
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              "process %d on %s\n"
                  .formatted(ProcessHandle.current().pid(), host())
                  .getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      // The lock holds without this text.
    }
  }

  private static String host() {
    try {
      return Files.readString(HOST).strip();
    } catch (IOException e) {
      return "this machine"; // another system
    }
  }

  /** Returns whether the file system supports the lock. */
  public boolean isEffective() {
    return lock != null;
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      HELD.remove(file);
    }
  }
}
