package org.troupe.links.driver;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.links.host.LinuxSystemCalls;
import org.troupe.links.host.MemoryFile;

/** Memory that two processes of one user share; holds a ring for each direction. */
final class SharedMemory implements Closeable {

  /**
   * The size for each direction. A larger ring was no faster, as it exceeds the processor's cache;
   * a smaller one makes the two sides alternate more often.
   */
  static final int RING_BYTES = 512 * 1024;

  private static final String NAME = "troupe-link";

  /** The file as the system lists it among the mappings of a process. */
  static final String FILE = "/memfd:" + NAME;

  private static final int PAGE = 4096;
  private static final long SIZE = PAGE + 2L * (Ring.HEAD_BYTES + RING_BYTES);

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

    private final MemoryFile file;
    private @Nullable SharedMemory memory; // null once taken

    private Offered(LinuxSystemCalls system) throws IOException {
      var arena = Arena.ofShared();
      try {
        file = MemoryFile.create(system, NAME, SIZE, arena);
      } catch (IOException | RuntimeException e) {
        arena.close();
        throw e;
      }
      memory = new SharedMemory(arena, file.memory());
    }

    /** Returns the data by which the caller opens the memory. */
    byte[] details() {
      return file.details();
    }

    SharedMemory take() {
      SharedMemory taken = Objects.requireNonNull(memory, "the memory is taken once");
      memory = null;
      return taken;
    }

    @Override
    public void close() {
      file.close();
      if (memory != null) {
        memory.close();
      }
    }
  }

  static Offered offer(LinuxSystemCalls system) throws IOException {
    return new Offered(system);
  }

  /**
   * Opens the memory that a port on this host has offered.
   *
   * @throws IOException if it cannot be opened or no longer exists
   */
  static SharedMemory open(byte[] details) throws IOException {
    var arena = Arena.ofShared();
    try {
      return new SharedMemory(arena, MemoryFile.open(details, SIZE, arena));
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
