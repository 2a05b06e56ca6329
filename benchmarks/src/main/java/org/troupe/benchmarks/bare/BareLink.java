package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A bidirectional byte stream; at most one thread uses each end. */
public interface BareLink extends AutoCloseable {

  /** Writes all bytes of a direct buffer; blocks while the other end is slow. */
  void write(ByteBuffer from) throws IOException;

  /**
   * Fills a direct buffer; blocks until all bytes have arrived.
   *
   * @throws java.io.EOFException if the other end has closed the link
   */
  void readFully(ByteBuffer into) throws IOException;

  /** Writes all bytes of an array. */
  void write(MemorySegment array) throws IOException;

  /** Fills an array; blocks until all bytes have arrived. */
  void readFully(MemorySegment array) throws IOException;

  @Override
  void close() throws IOException;
}
