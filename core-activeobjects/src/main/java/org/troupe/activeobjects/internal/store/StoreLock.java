package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.StoreUser;

/** The lock that keeps the processes of other runs away from a directory. */
final class StoreLock {

  /*
   * Design: shared locks of one run
   *
   * All processes of a run may use the store, and the run goes on when any of them ends, also the first. So each of them
   * holds a shared lock of the operating system on the lock file, which ends with the process, however it ends. A process that
   * can lock the file exclusively is the first of its run: it writes the run into the file, and turns its lock into a shared one. A
   * process that cannot finds in the file whose the store is. Both happen under another lock, on the next byte, so that
   * they do not interleave.
   *
   * A lock belongs to the process, and is lost when any channel to the file is closed. All users within a JVM
   * therefore share one channel, found in a table by the file's identity.
   */
  private static final String NAME = "lock";
  private static final long USE = Long.MAX_VALUE - 2; // behind all content
  private static final long GUARD = Long.MAX_VALUE - 1;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The locks of this JVM, by the identity of the file. Guarded by itself. */
  private static final Map<Object, StoreLock> HELD = new HashMap<>();

  private final Object key;
  private final FileChannel file;
  private final String run;
  private final StoreUser first;
  private int users = 1; // guarded by HELD

  private StoreLock(Object key, FileChannel file, String run, StoreUser first) {
    this.key = key;
    this.file = file;
    this.run = run;
    this.first = first;
  }

  /**
   * Locks a directory for a run.
   *
   * @throws IOException if another run uses it, with a message that names that run
   */
  static StoreLock take(Path folder, String store, StoreUser user) throws IOException {
    synchronized (HELD) {
      var path = folder.resolve(NAME);
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        create(path);
      }
      if (Files.isSymbolicLink(path)) { // it might lead to a file that matters elsewhere
        throw new FileSystemException(
            path.toString(), null, "its file '" + NAME + "' is a symbolic link");
      }
      var fileKey = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      var key = fileKey == null ? path.toRealPath() : fileKey;
      var known = HELD.get(key);
      if (known != null) {
        if (!known.run.equals(user.run())) {
          throw new IOException(known.first.refusal(store));
        }
        known.users++;
        return known;
      }
      var file =
          FileChannel.open(
              path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      try {
        var taken = new StoreLock(key, file, user.run(), locked(file, store, user));
        HELD.put(key, taken);
        return taken;
      } catch (IOException | RuntimeException failure) {
        file.close();
        throw failure;
      }
    }
  }

  private static void create(Path path) throws IOException {
    FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            DiskAccess.usersOnly(path, "rw-------"))
        .close();
  }

  /** Locks the file, and returns the first user of its run. */
  private static StoreUser locked(FileChannel file, String store, StoreUser user)
      throws IOException {
    try (var _ = guard(file, store)) {
      var alone = file.tryLock(USE, 1, false);
      if (alone != null) {
        write(file, user);
        alone.release();
      }
      var first = alone != null ? user : read(file);
      if (first == null || !first.run().equals(user.run())) {
        throw new IOException(
            first == null
                ? "the store "
                    + store
                    + " is used by another run, which has not written its name; end that, or give another"
                : first.refusal(store));
      }
      if (file.tryLock(USE, 1, true) == null) {
        throw new IOException("the lock of the store " + store + " could not be shared");
      }
      return first;
    } catch (OverlappingFileLockException e) {
      throw new IOException(
          "the store "
              + store
              + " is used by another copy of this library in this process; end that, or give another",
          e);
    }
  }

  private static FileLock guard(FileChannel file, String store) throws IOException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    for (; ; ) {
      var guard = file.tryLock(GUARD, 1, false);
      if (guard != null) {
        return guard;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the store %s has been locked by another process for %s, which may be stopped; end that, or give another"
                .formatted(store, PATIENCE));
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the store " + store + " was locked", e);
      }
    }
  }

  private static void write(FileChannel file, StoreUser user) throws IOException {
    var text =
        "run=%s\nprocess=%d\nhost=%s\nsince=%s\n"
            .formatted(user.run().replace("\\", "\\\\"), user.process(), user.host(), user.since());
    file.truncate(0);
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes, bytes.position());
    }
  }

  private static @Nullable StoreUser read(FileChannel file) throws IOException {
    var bytes = ByteBuffer.allocate((int) Math.min(file.size(), 1 << 16));
    while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {
      // until all is read
    }
    var content = new Properties();
    try {
      content.load(
          new StringReader(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)));
      return new StoreUser(
          content.getProperty("run", ""),
          Long.parseLong(content.getProperty("process", "")),
          content.getProperty("host", ""),
          Instant.parse(content.getProperty("since", "")));
    } catch (IllegalArgumentException | DateTimeParseException e) {
      return null;
    }
  }

  /** Ends the use of the directory by one user of this JVM. */
  void release() throws IOException {
    synchronized (HELD) {
      if (--users == 0) {
        HELD.remove(key);
        file.close();
      }
    }
  }
}
