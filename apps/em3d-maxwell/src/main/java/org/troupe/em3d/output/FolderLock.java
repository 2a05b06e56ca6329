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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a folder to one run, by a lock on a file in it: on this machine, and on all that share the
 * folder where its file system has locks. The end of the process releases it, however it ends.
 */
public final class FolderLock implements AutoCloseable {

  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

  /**
   * The files that this JVM has locked: to open one again and close it would release the lock, as
   * POSIX has it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;
  private final FileLock lock; // null: the file system has none

  private FolderLock(Path file, FileChannel channel, FileLock lock) {
    this.file = file;
    this.channel = channel;
    this.lock = lock;
  }

  /** Another run has the folder; the message names its process. */
  public static final class HeldException extends IOException {

    private static final long serialVersionUID = 1;

    private HeldException(String holder) {
      super("another run writes there" + (holder.isBlank() ? "" : ": " + holder.strip()));
    }
  }

  /**
   * Takes the lock; the file is made if need be, and stays.
   *
   * @throws HeldException if another run has it
   */
  public static FolderLock take(Path file) throws IOException {
    var itself = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
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

  private static FileLock locked(FileChannel channel, Path file) throws IOException {
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

  /** For the message of another run; a full disk must not matter. */
  private static void sign(FileChannel channel) {
    try {
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              "process %d on %s\n"
                  .formatted(ProcessHandle.current().pid(), host())
                  .getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      // The lock holds all the same.
    }
  }

  private static String host() {
    try {
      return Files.readString(HOST).strip();
    } catch (IOException e) {
      return "this machine"; // another system
    }
  }

  /** Says whether it keeps others out. */
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
