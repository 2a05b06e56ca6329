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
   * A virtual thread and a buffer for each direction: who sends faster than the other end reads
   * fills the buffer and then has to wait. The end of one direction is passed on, and leaves the
   * other open; anything else than an end closes both.
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
   * Starts to pass on to a port what comes from somebody who may be a stranger: when the port has
   * sent him away he may not stay, though he says nothing and hangs up never.
   */
  public static StreamSplice startFromAnybody(
      SocketChannel anybody, SocketChannel port, Set<Closeable> open) {
    var splice = new StreamSplice(anybody, port, open);
    return splice.start(splice::close);
  }

  /** The action at the end of one direction. */
  private interface Ending {
    void end() throws IOException;
  }

  private StreamSplice start(Ending ofOther) {
    open.add(this);
    Thread.ofVirtual().name("troupe-splice").start(() -> pass(one, other, () -> endOf(other)));
    Thread.ofVirtual().name("troupe-splice").start(() -> pass(other, one, ofOther));
    return this;
  }

  private void endOf(SocketChannel to) throws IOException {
    to.shutdownOutput();
    if (running.decrementAndGet() == 0) {
      close();
    }
  }

  private void pass(SocketChannel from, SocketChannel to, Ending ending) {
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
      close(); // both peers see that
    }
  }

  @Override
  public void close() {
    open.remove(this);
    IoFailures.closeQuietly(one);
    IoFailures.closeQuietly(other);
  }
}
