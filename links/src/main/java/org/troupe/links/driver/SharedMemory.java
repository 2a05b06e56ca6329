package org.troupe.links.driver;

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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Secret;
import org.troupe.links.host.LinuxSystemCalls;

/** Memory that two processes of one user share; holds a ring for each direction. */
final class SharedMemory implements Closeable {

  /*
   * The memory is an anonymous file (memfd), which the caller opens through the descriptors of the
   * accepting process in /proc. Therefore nothing remains if a process is killed, the size of /dev/shm
   * and its quotas do not matter, and only the same user can open the file. The numbers of the process
   * and the descriptor may have been reused meanwhile, so the caller checks a token in the file before
   * it writes.
   */

  /**
   * The size for each direction. A larger ring was no faster, as it exceeds the processor's cache;
   * a smaller one makes the two sides alternate more often.
   */
  static final int RING_BYTES = 512 * 1024;

  private static final int TOKEN_BYTES = 32;
  private static final int PAGE = 4096;
  private static final long SIZE = PAGE + 2L * (Ring.HEAD_BYTES + RING_BYTES);
  private static final int DETAILS_BYTES = TOKEN_BYTES + Long.BYTES + Integer.BYTES + Long.BYTES;

  private final Arena arena;
  private final MemorySegment all;

  private SharedMemory(Arena arena, MemorySegment all) {
    this.arena = arena;
    this.all = all;
  }

  /**
   * Memory that the accepting side has created, with the descriptor until the caller has opened it.
   */
  static final class Offered implements Closeable {

    private final LinuxSystemCalls system;
    private final int descriptor;
    private final byte[] details;
    private @Nullable SharedMemory memory; // null once taken

    private Offered(LinuxSystemCalls system, int descriptor) throws IOException {
      this.system = system;
      this.descriptor = descriptor;
      byte[] token = Secret.randomBytes(TOKEN_BYTES);
      try (FileChannel file = open(ProcessHandle.current().pid(), descriptor)) {
        file.write(ByteBuffer.allocate(1), SIZE - 1);
        file.write(ByteBuffer.wrap(token), 0);
        system.seal(descriptor);
        memory = map(file);
      }
      details =
          ByteBuffer.allocate(DETAILS_BYTES)
              .put(token)
              .putLong(ProcessHandle.current().pid())
              .putInt(descriptor)
              .putLong(SIZE)
              .array();
    }

    /** Returns the data by which the caller opens the memory. */
    byte[] details() {
      return details;
    }

    SharedMemory take() {
      SharedMemory taken = Objects.requireNonNull(memory, "the memory is taken once");
      memory = null;
      return taken;
    }

    @Override
    public void close() {
      system.close(descriptor);
      if (memory != null) {
        memory.close();
      }
    }
  }

  static Offered offer(LinuxSystemCalls system) throws IOException {
    int descriptor = system.createMemoryFile("troupe-link");
    try {
      return new Offered(system, descriptor);
    } catch (IOException | RuntimeException e) {
      system.close(descriptor);
      throw e;
    }
  }

  /**
   * Opens the memory that a port on this host has offered.
   *
   * @throws IOException if it cannot be opened or no longer exists
   */
  static SharedMemory open(byte[] details) throws IOException {
    if (details.length != DETAILS_BYTES) {
      throw new IOException("the peer describes its shared memory in an unknown format");
    }
    var described = ByteBuffer.wrap(details);
    byte[] token = new byte[TOKEN_BYTES];
    described.get(token);
    try (FileChannel file = open(described.getLong(), described.getInt())) {
      if (described.getLong() != SIZE || file.size() != SIZE) {
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
      return map(file);
    }
  }

  private static FileChannel open(long process, int descriptor) throws IOException {
    return FileChannel.open(
        Path.of("/proc/" + process + "/fd/" + descriptor),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  private static SharedMemory map(FileChannel file) throws IOException {
    var arena = Arena.ofShared();
    try {
      return new SharedMemory(arena, file.map(MapMode.READ_WRITE, 0, SIZE, arena));
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /** Returns the ring that the caller writes. */
  MemorySegment fromCaller() {
    return all.asSlice(PAGE, Ring.HEAD_BYTES + RING_BYTES);
  }

  /** Returns the ring that the accepting side writes. */
  MemorySegment toCaller() {
    return all.asSlice(PAGE + Ring.HEAD_BYTES + RING_BYTES, Ring.HEAD_BYTES + RING_BYTES);
  }

  /** Releases the memory unless a thread still waits on it; returns whether it is released. */
  boolean tryClose() {
    try {
      arena.close();
      return true;
    } catch (IllegalStateException _) {
      return !arena.scope().isAlive();
    }
  }

  @Override
  public void close() {
    boolean _ = tryClose();
  }
}
