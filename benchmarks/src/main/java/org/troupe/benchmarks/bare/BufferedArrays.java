package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Copies arrays through a direct buffer, since channels read and write buffers only. Not
 * thread-safe.
 */
final class BufferedArrays {

  /** Fits into the core's own cache, so the copy costs little. */
  private static final int BYTES = 1 << 16;

  private final ByteBuffer chunk = ByteBuffer.allocateDirect(BYTES);
  private final MemorySegment memory = MemorySegment.ofBuffer(chunk);

  void write(MemorySegment array, BareLink link) throws IOException {
    for (var done = 0L; done < array.byteSize(); ) {
      var part = (int) Math.min(BYTES, array.byteSize() - done);
      MemorySegment.copy(array, done, memory, 0, part);
      link.write(chunk.clear().limit(part));
      done += part;
    }
  }

  void readFully(MemorySegment array, BareLink link) throws IOException {
    for (var done = 0L; done < array.byteSize(); ) {
      var part = (int) Math.min(BYTES, array.byteSize() - done);
      link.readFully(chunk.clear().limit(part));
      MemorySegment.copy(memory, 0, array, done, part);
      done += part;
    }
  }
}
