package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A stream of bytes both ways. For one thread at each end. */
public interface BareLink extends AutoCloseable {

  /** Writes all of a direct buffer; waits while the other end is slow. */
  void write(ByteBuffer from) throws IOException;

  /**
   * Fills a direct buffer; waits for what is missing.
   *
   * @throws java.io.EOFException if the other end is gone
   */
  void readFully(ByteBuffer into) throws IOException;

  /** Writes all of an array. */
  void write(MemorySegment array) throws IOException;

  /** Fills an array. */
  void readFully(MemorySegment array) throws IOException;

  @Override
  void close() throws IOException;
}
