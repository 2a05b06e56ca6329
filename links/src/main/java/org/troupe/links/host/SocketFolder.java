package org.troupe.links.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.troupe.links.IoFailures;

/** A new folder for one Unix domain socket, accessible to its owner only. */
public final class SocketFolder implements Closeable {

  /*
   * The folder of a killed process remains. Therefore each folder holds a file that its process has
   * locked: a lock that can be acquired means that the process has ended. Process numbers do not show
   * that, as containers may share a folder but have separate process numbers. A process skips its own
   * folders, as closing a file releases all locks of the process on it.
   */

  private static final String PREFIX = "troupe-";
  private static final String SOCKET = "s";
  private static final String LOCK = "lock";

  /** A Unix address holds 108 bytes with their end, on some systems 104. */
  private static final int LONGEST_PATH = 100;

  private static final Set<SocketFolder> LIVE = ConcurrentHashMap.newKeySet();

  private static final AtomicBoolean REMOVED_AT_EXIT = new AtomicBoolean();

  private final Path folder;
  private final FileChannel lockFile;

  private SocketFolder(Path folder) throws IOException {
    this.folder = folder;
    lockFile =
        FileChannel.open(
            folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    LIVE.add(this);
    try {
      if (lockFile.tryLock() == null || !Files.exists(folder.resolve(LOCK))) {
        throw new IOException("'" + folder + "' was removed as soon as it was created");
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Creates a folder, and removes those of killed processes of this user. */
  public static SocketFolder create() throws IOException {
    removeAtExit();
    Path base = base();
    removeLeftovers(base);
    String prefix = PREFIX + ProcessHandle.current().pid() + "-";
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    return new SocketFolder(Files.createTempDirectory(base, prefix, ownerOnly));
  }

  private static void removeAtExit() throws IOException {
    if (REMOVED_AT_EXIT.compareAndSet(false, true)) {
      try {
        Runtime.getRuntime()
            .addShutdownHook(
                Thread.ofPlatform()
                    .unstarted(() -> List.copyOf(LIVE).forEach(SocketFolder::close)));
      } catch (IllegalStateException e) {
        throw new IOException("this JVM is ending", e);
      }
    }
  }

  /** Removes the folders of killed processes of this user. */
  public static void removeLeftovers() {
    removeLeftovers(base());
  }

  /** Returns the parent of the folders: that of temporary files, if a socket's path there fits. */
  private static Path base() {
    Path usual = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    boolean fits =
        usual
                .resolve(PREFIX + "1234567890-" + Long.MAX_VALUE)
                .resolve(SOCKET)
                .toString()
                .getBytes()
                .length
            <= LONGEST_PATH;
    return fits ? usual : Path.of("/tmp");
  }

  /** Returns the path of the socket. */
  public Path socket() {
    return folder.resolve(SOCKET);
  }

  private static void removeLeftovers(Path base) {
    String own = PREFIX + ProcessHandle.current().pid() + "-";
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(base, PREFIX + "*-*")) {
      for (Path folder : folders) {
        // Other users may write here, too: symbolic links are not followed.
        if (!folder.getFileName().toString().startsWith(own)
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.isRegularFile(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
          removeIfLeft(folder);
        }
      }
    } catch (IOException _) {
      // the next port that opens a socket tries again
    }
  }

  private static void removeIfLeft(Path folder) {
    try (FileChannel file = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock != null) {
        remove(folder);
      }
    } catch (IOException | RuntimeException _) {
      // of another user, or removed meanwhile
    }
  }

  private static void remove(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(SOCKET));
    Files.deleteIfExists(folder.resolve(LOCK));
    Files.deleteIfExists(folder);
  }

  @Override
  public void close() {
    LIVE.remove(this);
    try {
      remove(folder);
    } catch (IOException _) {
      // not empty, or already removed
    }
    IoFailures.closeQuietly(lockFile);
  }
}
