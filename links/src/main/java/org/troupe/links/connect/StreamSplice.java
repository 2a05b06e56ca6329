package org.troupe.links.connect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.links.IoFailures;

/** Forwards the bytes of each of two connections to the other. */
public final class StreamSplice implements Closeable {

  /*
   * Each direction has a virtual thread and a buffer. A sender that is faster than the receiver at the
   * other end fills the buffer and then blocks. The orderly end of one direction is forwarded and
   * leaves the other open; a failure closes both.
   */

  private static final int BUFFER_BYTES = 64 * 1024;

  private final SocketChannel one;
  private final SocketChannel other;
  private final Set<Closeable> open;
  private final AtomicInteger running = new AtomicInteger(2);

  private StreamSplice(SocketChannel one, SocketChannel other, Set<Closeable> open) {
    this.one = one;
    this.other = other;
    this.open = open;
  }

  /** Starts to forward until both connections have ended, one breaks or this is closed. */
  static StreamSplice start(SocketChannel one, SocketChannel other, Set<Closeable> open) {
    var splice = new StreamSplice(one, other, open);
    return splice.start(() -> splice.endOf(one));
  }

  /**
   * Starts to forward a caller that may be unauthenticated. The end of the port's direction closes
   * both, as a caller that the port has rejected may neither send nor disconnect.
   */
  public static StreamSplice startUnauthenticated(
      SocketChannel caller, SocketChannel port, Set<Closeable> open) {
    var splice = new StreamSplice(caller, port, open);
    return splice.start(splice::close);
  }

  /** The action at the end of one direction. */
  private interface Ending {
    void end() throws IOException;
  }

  private StreamSplice start(Ending otherEnding) {
    open.add(this);
    Thread.ofVirtual().name("troupe-splice").start(() -> forward(one, other, () -> endOf(other)));
    Thread.ofVirtual().name("troupe-splice").start(() -> forward(other, one, otherEnding));
    return this;
  }

  private void endOf(SocketChannel to) throws IOException {
    to.shutdownOutput();
    if (running.decrementAndGet() == 0) {
      close();
    }
  }

  private void forward(SocketChannel from, SocketChannel to, Ending ending) {
    try {
      var buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
      ending.end();
    } catch (IOException | RuntimeException | OutOfMemoryError _) {
      close(); // both peers notice it
    }
  }

  @Override
  public void close() {
    open.remove(this);
    IoFailures.closeQuietly(one);
    IoFailures.closeQuietly(other);
  }
}
