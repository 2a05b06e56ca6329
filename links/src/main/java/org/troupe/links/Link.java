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
 * and have left the process when {@code write} returns. A slow reader blocks its writers: at most a
 * few megabytes are in flight.
 *
 * <p>A link is in one of two modes. At first its calls block, and an interrupt of a blocked thread
 * closes the link: the call throws {@link InterruptedIOException}, and the thread remains
 * interrupted. After {@link #share}, many threads may use the link: {@link #offer} does not block,
 * and interrupts have no effect.
 */
public abstract class Link implements Closeable {

  public Link() {}

  /** Returns the driver that carries the bytes. */
  public abstract Driver driver();

  /** Returns where the bytes go, for people; nothing is known of a link that is closed. */
  public LinkAddresses addresses() {
    return LinkAddresses.NONE;
  }

  /**
   * Reads at least one byte; blocks until one has arrived. Called on platform threads, by one at a
   * time.
   *
   * @return the number of bytes read, or -1 at the orderly end; 0 only if the buffer is full
   * @throws IOException if the link broke or was closed on this side
   */
  public abstract int read(ByteBuffer into) throws IOException;

  /**
   * Reads the bytes that have arrived, without blocking. Called on a platform thread while no other
   * thread reads; on a link that is not {@linkplain #share shared}, no other thread may write
   * meanwhile either.
   *
   * @return the number of bytes read, 0 if none have arrived, or -1 at the orderly end
   * @throws IOException as for {@link #read}
   */
  public abstract int tryRead(ByteBuffer into) throws IOException;

  /**
   * Writes all bytes; blocks while the peer is slow. Called by one thread at a time. A write on a
   * virtual thread over a socket makes all later reads on this side a little slower, unless the
   * link is shared.
   *
   * @throws IOException if the link broke or was closed, on either side; the number of transmitted
   *     bytes is unknown
   */
  public abstract void write(ByteBuffer... parts) throws IOException;

  /**
   * Writes the bytes of a segment, such as one of a large array, as {@link #write(ByteBuffer...)}
   * does; copies them at most once before the system call.
   */
  public abstract void write(MemorySegment part) throws IOException;

  /**
   * Fills a segment, such as one of a large array; blocks until all its bytes have arrived. Called
   * under the conditions of {@link #read}.
   *
   * @throws EOFException if the orderly end came before the segment was full
   */
  public abstract void readFully(MemorySegment into) throws IOException;

  /**
   * Permits {@link #offer}: from now on any thread, also a virtual one, may write without blocking.
   * Must be called before the first read or write.
   */
  public abstract void share() throws IOException;

  /**
   * Writes as many bytes as possible without blocking. Only after {@link #share}, and not while
   * another thread writes or offers.
   *
   * @return whether all bytes are written. If not, {@link #write(ByteBuffer...)} or a later offer
   *     must be called with the same buffers, even if their positions are at their limits: the link
   *     may have buffered the rest
   * @throws IOException as for {@link #write(ByteBuffer...)}
   */
  public abstract boolean offer(ByteBuffer... parts) throws IOException;

  /**
   * Writes all of these bytes without copying them first, or none; none unless it is certain
   * beforehand that the write will not block. Not while another thread writes or offers.
   *
   * @param beginning consumed completely if the bytes are written
   * @return whether the bytes were written
   * @throws IOException as for {@link #write(ByteBuffer...)}
   */
  public boolean tryWrite(ByteBuffer beginning, List<MemorySegment> rest) throws IOException {
    return false;
  }

  /**
   * Writes as many bytes of a segment as possible, from an offset on, without blocking, as {@link
   * #offer(ByteBuffer...)} does. Only on a link that can be {@linkplain #canPoll polled}.
   *
   * @return the number of bytes written
   * @throws IOException as for {@link #write(ByteBuffer...)}
   */
  public long offer(MemorySegment part, long from) throws IOException {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Returns whether a write of so many bytes would not block. Only on a link that can be polled,
   * and only by the thread that may write.
   */
  public boolean hasRoom(long bytes) {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Returns whether the link's state can be polled without reading, by the methods that throw
   * {@link UnsupportedOperationException} otherwise.
   */
  public boolean canPoll() {
    return false;
  }

  /** Returns the number of bytes that can be read without blocking. Called by any thread. */
  public long available() {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /** Returns whether the stream has ended; bytes that are {@link #available} can still be read. */
  public boolean isOver() {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Blocks until bytes can be read. Another thread may read them before this one does.
   *
   * @return whether bytes had arrived; false at the orderly end
   * @throws IOException as for {@link #read}
   */
  public boolean awaitReadable() throws IOException {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Announces that a thread starts to poll, which is permitted while no thread reads, or that
   * polling has ended, which any thread may announce. In between, the peer does not wake a thread
   * in {@link #awaitReadable}; afterwards that thread checks for bytes again.
   */
  public void poll(boolean begins) {
    throw new UnsupportedOperationException(this + " cannot be polled");
  }

  /**
   * Closes the link; blocked readers and writers on this side throw an exception. The peer reads
   * the bytes written before and then the end of the stream. It gets an exception if it writes, or
   * if this side has not read all its bytes. Idempotent; called by any thread; does not block.
   */
  @Override
  public abstract void close();
}
