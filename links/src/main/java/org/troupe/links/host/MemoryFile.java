package org.troupe.links.host;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.troupe.links.Secret;

/** A new file in memory that other processes of the same user can open until it is closed. */
public final class MemoryFile implements Closeable {

  /*
   * The file is anonymous (memfd); other processes open it through the descriptors of its creator in
   * /proc. Therefore nothing remains if a process is killed, the size of /dev/shm and its quotas do not
   * matter, and only the same user can open the file. The numbers of the process and the descriptor may
   * have been reused meanwhile, so the file begins with a token, which a process checks before it writes.
   */

  private static final int TOKEN_BYTES = 32;
  private static final int DETAILS_BYTES = TOKEN_BYTES + Long.BYTES + Integer.BYTES + Long.BYTES;

  private final LinuxSystemCalls system;
  private final int descriptor;
  private final byte[] details;
  private final MemorySegment memory;
  private final AtomicBoolean closed = new AtomicBoolean();

  private MemoryFile(
      LinuxSystemCalls system, int descriptor, byte[] details, MemorySegment memory) {
    this.system = system;
    this.descriptor = descriptor;
    this.details = details;
    this.memory = memory;
  }

  /** Creates a file and maps it for as long as an arena lives. */
  public static MemoryFile create(LinuxSystemCalls system, String name, long size, Arena arena)
      throws IOException {
    int descriptor = system.createMemoryFile(name);
    long process = ProcessHandle.current().pid();
    byte[] token = Secret.randomBytes(TOKEN_BYTES);
    try (FileChannel file = open(process, descriptor)) {
      file.write(ByteBuffer.allocate(1), size - 1);
      file.write(ByteBuffer.wrap(token), 0);
      system.seal(descriptor);
      byte[] details =
          ByteBuffer.allocate(DETAILS_BYTES)
              .put(token)
              .putLong(process)
              .putInt(descriptor)
              .putLong(size)
              .array();
      return new MemoryFile(
          system, descriptor, details, file.map(MapMode.READ_WRITE, 0, size, arena));
    } catch (IOException | RuntimeException e) {
      system.close(descriptor);
      throw e;
    }
  }

  /** Returns the data by which other processes open the file. */
  public byte[] details() {
    return details;
  }

  /** Returns the content. */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Opens a file of another process.
   *
   * @throws IOException if it cannot be opened, no longer exists or has another size
   */
  public static MemorySegment open(byte[] details, long size, Arena arena) throws IOException {
    if (details.length != DETAILS_BYTES) {
      throw new IOException("the peer describes its shared memory in an unknown format");
    }
    var described = ByteBuffer.wrap(details);
    byte[] token = new byte[TOKEN_BYTES];
    described.get(token);
    try (FileChannel file = open(described.getLong(), described.getInt())) {
      if (described.getLong() != size || file.size() != size) {
        throw new IOException("the peer's shared memory has another size");
      }
      var found = ByteBuffer.allocate(TOKEN_BYTES);
      while (found.hasRemaining()) {
        if (file.read(found, found.position()) < 0) {
          throw new EOFException("the peer's shared memory ends early");
        }
      }
      if (!MessageDigest.isEqual(found.array(), token)) {
        throw new IOException(
            "the peer's shared memory no longer exists; its descriptor was reused");
      }
      return file.map(MapMode.READ_WRITE, 0, size, arena);
    }
  }

  private static FileChannel open(long process, int descriptor) throws IOException {
    return FileChannel.open(
        Path.of("/proc/" + process + "/fd/" + descriptor),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  /** Closes the descriptor, so that no further process can open the file; mappings remain. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      system.close(descriptor);
    }
  }
}
