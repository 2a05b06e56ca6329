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

/** A new folder for one Unix domain socket, which only its owner can enter. */
public final class SocketFolder implements Closeable {

  /*
   * A process that is killed leaves its folder behind. So each holds a file that its process has
   * locked: a lock that can be had means that the process has ended. Process numbers would not
   * tell, as containers may share a folder and count processes each for itself. A process's own
   * folders are left alone without a look: closing a file gives up all of one's locks on it.
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
        throw new IOException("'" + folder + "' was removed as soon as it was made");
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Creates a folder, and removes those that killed processes of this user have left. */
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
        throw new IOException("this JVM is about to end", e);
      }
    }
  }

  public static void removeLeftovers() {
    removeLeftovers(base());
  }

  /** Returns where the folders are: for temporary files, unless that is too deep for a socket. */
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

  public Path socket() {
    return folder.resolve(SOCKET);
  }

  private static void removeLeftovers(Path base) {
    String own = PREFIX + ProcessHandle.current().pid() + "-";
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(base, PREFIX + "*-*")) {
      for (Path folder : folders) {
        // Others may write here too: nothing is followed that could lead to files of another kind.
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
      // of another user, or gone by now
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
