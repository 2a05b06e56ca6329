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

/** A connected socket channel on which threads can block in either blocking mode. */
final class BlockingChannel implements Closeable {

  /*
   * Blocking mode: reads and writes block in the channel. Shared mode: the channel does not block; a
   * reader or writer that must wait blocks in a selector. Reader and writer have one each, as a
   * selector serves one thread at a time.
   */

  private final SocketChannel channel;
  private volatile boolean shared;
  private volatile @Nullable Selector reading; // not null once shared
  private volatile @Nullable Selector writing; // created by the first writer that blocks
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

  /** Switches to shared mode, in which {@link #write} need not block. */
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

  /** Reads at least one byte; blocks until one has arrived; -1 at the end. */
  int read(ByteBuffer direct) throws IOException {
    int count = channel.read(direct);
    while (count == 0) {
      await(Objects.requireNonNull(reading, "only a shared channel reads nothing"));
      count = channel.read(direct);
    }
    return count;
  }

  /** Reads the bytes that have arrived without blocking; -1 at the end. */
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

  /** Writes a buffer, completely if it may block; returns whether all bytes are written. */
  boolean write(ByteBuffer direct, boolean mayBlock) throws IOException {
    while (direct.hasRemaining()) {
      if (channel.write(direct) == 0) {
        if (!mayBlock) {
          return false;
        }
        awaitWritable();
      }
    }
    return true;
  }

  /**
   * Writes the first of two buffers, and as much of the second as the system calls take with it.
   */
  boolean write(ByteBuffer[] two, boolean mayBlock) throws IOException {
    while (two[0].hasRemaining()) {
      if (channel.write(two) == 0) {
        if (!mayBlock) {
          return false;
        }
        awaitWritable();
      }
    }
    return true;
  }

  private void awaitWritable() throws IOException {
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

  /** Waits until the channel is ready; an interrupt is restored afterwards. */
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
