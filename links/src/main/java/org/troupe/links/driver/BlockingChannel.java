package org.troupe.links.driver;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.links.IoFailures;

/** A connected socket, of which a thread can wait whether or not it blocks. */
final class BlockingChannel implements Closeable {

  /*
   * Blocking mode: the channel's own reads and writes, which is all that a lane needs. Shared mode:
   * the channel does not block, and who has to wait does so in a selector, the reader and the
   * writer in one each, since a selector serves one thread at a time.
   */

  private final SocketChannel channel;
  private volatile boolean shared;
  private volatile @Nullable Selector reading; // not null once shared
  private volatile @Nullable Selector writing; // made by the first writer that has to wait
  private volatile boolean closed;

  BlockingChannel(SocketChannel channel) {
    this.channel = channel;
  }

  SocketChannel channel() {
    return channel;
  }

  boolean isShared() {
    return shared;
  }

  boolean isClosed() {
    return closed;
  }

  /** Lets {@link #write} be asked not to wait. */
  void share() throws IOException {
    channel.configureBlocking(false);
    var selector = Selector.open();
    reading = selector;
    channel.register(selector, SelectionKey.OP_READ);
    shared = true;
    if (closed) {
      selector.close();
    }
  }

  /** Reads at least one byte, waiting for it; -1 at the end. */
  int read(ByteBuffer direct) throws IOException {
    int count = channel.read(direct);
    while (count == 0) {
      await(Objects.requireNonNull(reading, "only a shared channel reads nothing"));
      count = channel.read(direct);
    }
    return count;
  }

  /** Reads what has come, and does not wait; -1 at the end. */
  int tryRead(ByteBuffer direct) throws IOException {
    if (shared) {
      return channel.read(direct);
    }
    channel.configureBlocking(false);
    try {
      return channel.read(direct);
    } finally {
      channel.configureBlocking(true);
    }
  }

  /** Writes a buffer, all of it if it may wait; returns whether all has gone. */
  boolean write(ByteBuffer direct, boolean wait) throws IOException {
    while (direct.hasRemaining()) {
      if (channel.write(direct) == 0) {
        if (!wait) {
          return false;
        }
        awaitRoom();
      }
    }
    return true;
  }

  /** Writes the first of two buffers, and of the second what goes along. */
  boolean write(ByteBuffer[] two, boolean wait) throws IOException {
    while (two[0].hasRemaining()) {
      if (channel.write(two) == 0) {
        if (!wait) {
          return false;
        }
        awaitRoom();
      }
    }
    return true;
  }

  private void awaitRoom() throws IOException {
    Selector selector = writing;
    if (selector == null) {
      selector = Selector.open();
      channel.register(selector, SelectionKey.OP_WRITE);
      writing = selector;
      if (closed) {
        selector.close();
      }
    }
    await(selector);
  }

  /** Waits until the channel is ready; an interrupt is kept for later. */
  private static void await(Selector selector) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      selector.select();
      selector.selectedKeys().clear();
    } catch (ClosedSelectorException e) {
      throw IoFailures.caused(new AsynchronousCloseException(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    IoFailures.closeQuietly(channel);
    IoFailures.closeQuietly(reading);
    IoFailures.closeQuietly(writing);
  }
}
