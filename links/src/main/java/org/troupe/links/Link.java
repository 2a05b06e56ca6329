package org.troupe.links;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A two-way stream of bytes between two ports, over the best driver that both have.
 *
 * <p>One thread may read while another writes; any may close. Bytes arrive completely and in order,
 * and have left the process when {@code write} returns. A slow reader blocks its writers: at most
 * some megabytes are in flight.
 *
 * <p>A link is in one of two modes. At first it is for threads that wait: an interrupt of a thread
 * that waits in it closes the link and is answered by an {@link InterruptedIOException}, the thread
 * staying interrupted. After {@link #share} it is for many: {@link #offer} never waits, and
 * interrupts do no harm.
 */
public abstract class Link implements Closeable {

  public Link() {}

  /** Returns the driver that carries the bytes. */
  public abstract Driver driver();

  /**
   * Reads at least one byte, waiting for it; on a platform thread, one at a time.
   *
   * @return how many bytes were read, or -1 at the orderly end; 0 only if there is no room
   * @throws IOException if the link broke or was closed on this side
   */
  public abstract int read(ByteBuffer into) throws IOException;

  /**
   * Reads the bytes that have arrived, without waiting; on a platform thread, while no other reads.
   * On a link that is not {@linkplain #share shared} no other thread may write meanwhile, either.
   *
   * @return how many bytes were read, 0 if none have come, or -1 at the orderly end
   * @throws IOException as for {@link #read}
   */
  public abstract int tryRead(ByteBuffer into) throws IOException;

  /**
   * Writes everything, waiting while the peer is slow; one thread at a time. A virtual thread may
   * write too, but over a socket that makes later reads on this side a little slower for good,
   * unless the link is shared.
   *
   * @throws IOException if the link broke or was closed, on either side; how much has gone is
   *     unknown
   */
  public abstract void write(ByteBuffer... parts) throws IOException;

  /**
   * Writes the bytes of a segment, such as one of a large array, as {@link #write(ByteBuffer...)}
   * does; copies them at most once on their way to the system.
   */
  public abstract void write(MemorySegment part) throws IOException;

  /**
   * Fills a segment, such as one of a large array, waiting for the bytes; as {@link #read} does.
   *
   * @throws EOFException if the orderly end came before the segment was full
   */
  public abstract void readFully(MemorySegment into) throws IOException;

  /**
   * Makes {@link #offer} possible: from now on any thread, also a virtual one, may write without
   * waiting. To be called before anything is read or written.
   */
  public abstract void share() throws IOException;

  /**
   * Writes what goes without waiting; never while another thread writes or offers. Only after
   * {@link #share}.
   *
   * @return whether everything went; if not, {@link #write(ByteBuffer...)} or a later offer has to
   *     be called with the same buffers, whose positions tell what the link has taken, even if that
   *     is all: it may hold a rest itself
   * @throws IOException as for {@link #write(ByteBuffer...)}
   */
  public abstract boolean offer(ByteBuffer... parts) throws IOException;

  /**
   * Writes all of this at once, straight from where it lies, or nothing: that always if it cannot
   * be told beforehand that all of it goes without waiting. Never while another thread writes or
   * offers.
   *
   * @param beginning of which all is taken, if it goes
   * @return whether it went
   * @throws IOException as for {@link #write(ByteBuffer...)}
   */
  public boolean tryWrite(ByteBuffer beginning, List<MemorySegment> rest) throws IOException {
    return false;
  }

  /**
   * Writes what goes without waiting of a segment, from an offset on; of a link that can be
   * {@linkplain #canPoll polled}, as {@link #offer(ByteBuffer...)} does.
   *
   * @return how many bytes
   * @throws IOException as for {@link #write(ByteBuffer...)}
   */
  public long offer(MemorySegment part, long from) throws IOException {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Says whether so many bytes would go without waiting, of a link that can be polled. Asked by who
   * may write.
   */
  public boolean hasRoom(long bytes) {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /** Says whether one can look for bytes without reading any, as the next methods do. */
  public boolean canPoll() {
    return false;
  }

  /** Returns how many bytes can be read without waiting. Any thread may ask. */
  public long available() {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /** Says whether the stream has ended; bytes that are {@link #available} can still be read. */
  public boolean isOver() {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Waits until there is something to read. Another thread may read meanwhile, so that nothing is
   * left.
   *
   * @return whether there was; not at the orderly end
   * @throws IOException as for {@link #read}
   */
  public boolean awaitReadable() throws IOException {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Announces that a thread begins to poll for bytes, allowed while no thread reads, or that it
   * ends, allowed to any thread. In between, the peer does not wake a thread that {@linkplain
   * #awaitReadable waits}; afterwards that thread checks again.
   */
  public void poll(boolean begins) {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Closes the link; threads that read or write here get an exception. The peer reads the bytes
   * written before, then the end; it gets an exception if it writes, or if this side has not read
   * all its bytes. Any number of times, from any thread; does not wait.
   */
  @Override
  public abstract void close();
}
