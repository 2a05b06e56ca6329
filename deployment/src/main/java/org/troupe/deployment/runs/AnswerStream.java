package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * The answer of a program at its control socket. A read that has waited for some time asks whether
 * the program still lives. Used by one thread, whose interrupt ends a read.
 */
final class AnswerStream extends InputStream {

  /*
   * Design: silence alone is no failure
   *
   * An answer may pause for any time: the output of nodes is followed while they print nothing, and the stacks of many nodes are
   * collected one after the other. A stopped program is silent, too, since the system accepts connections for it. So a reader that
   * has waited for the patience asks the program, by another connection, for its identity, which a program knows without
   * its nodes. A program that does not answer that either, within the patience again, is given up. The requests and answers need no
   * heartbeats for this, so programs of all versions are asked alike, and a client that was itself stopped for long asks
   * before it judges.
   *
   * The wait is that of a selector, since a channel in blocking mode has no time limit. It parks a virtual thread, such as
   * those of the page, without its carrier.
   */
  private final SocketChannel channel;
  private final Selector selector;
  private final Duration patience;
  private final LifeCheck check;

  /** Asks whether the program still lives. */
  @FunctionalInterface
  interface LifeCheck {

    /**
     * Returns if the program answers.
     *
     * @throws IOException if it does not, or has ended
     */
    void check() throws IOException;
  }

  /**
   * Creates a stream, which closes the channel.
   *
   * @param channel connected, and not in blocking mode
   * @param patience how long a read waits before each check
   */
  AnswerStream(SocketChannel channel, Duration patience, LifeCheck check) throws IOException {
    this.channel = channel;
    this.patience = patience;
    this.check = check;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.register(selector, SelectionKey.OP_READ);
  }

  /** Sends a request, which the buffers of the system have room for. */
  void send(byte[] request) throws IOException {
    for (var rest = ByteBuffer.wrap(request); rest.hasRemaining(); ) {
      channel.write(rest);
    }
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    var target = ByteBuffer.wrap(bytes, offset, length);
    while (target.hasRemaining()) {
      int count = channel.read(target);
      if (count != 0) {
        return count;
      }
      var isSilent = selector.select(patience.toMillis()) == 0;
      selector.selectedKeys().clear();
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while a program was asked");
      }
      if (isSilent) {
        check.check();
      }
    }
    return 0;
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      selector.close(); // first, since a registered channel is closed by its selector only
    }
  }
}
