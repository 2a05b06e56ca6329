package org.troupe.activeobjects.transport;

import java.lang.foreign.MemorySegment;

/**
 * A segment of memory that JVMs of one user on one host share. It is mapped as long as this object
 * is reachable. Thread-safe.
 */
public interface SharedSegment extends AutoCloseable {

  /** The bytes at the beginning that belong to the transport. */
  int RESERVED_BYTES = 64;

  /** Returns the memory, which is zero at first, except for the reserved bytes. */
  MemorySegment all();

  /** Returns the data by which other JVMs open the memory. */
  byte[] details();

  /**
   * Waits until {@link #wake} is called for an aligned word, if the word has this value; may return
   * earlier. Called on platform threads; not interruptible.
   */
  void await(MemorySegment word, int value);

  /** Wakes all threads, of any JVM, that wait on the word. */
  void wake(MemorySegment word);

  /** Ends the offer of this memory to further JVMs. Idempotent; the memory remains usable. */
  @Override
  void close();
}
