package org.troupe.links.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts before a read of an accepted socket. */
@Timeout(20)
class ChannelSocketTest {

  private final Set<Closeable> open = new HashSet<>();
  private SocketChannel caller;
  private ChannelSocket accepted;

  @BeforeEach
  void connect() throws IOException {
    try (var listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      caller = SocketChannel.open(listener.getLocalAddress());
      accepted = ChannelSocket.of(listener.accept().socket(), open);
    }
  }

  @AfterEach
  void close() throws IOException {
    Thread.interrupted();
    accepted.close();
    caller.close();
  }

  @Test
  void aReadDefersAnEarlierInterrupt() throws IOException {
    caller.write(ByteBuffer.wrap(new byte[] {7}));
    Thread.currentThread().interrupt();

    assertThat(accepted.getInputStream().read()).isEqualTo(7);

    assertThat(Thread.interrupted()).as("the interrupt stays set").isTrue();
    assertThat(accepted.isClosed()).isFalse();
  }

  @Test
  void anInterruptibleReadFailsAfterAnEarlierInterrupt() throws IOException {
    var input = accepted.getInputStream();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> ChannelSocket.interruptibly(input::read))
        .isInstanceOf(SocketException.class);

    assertThat(Thread.interrupted()).as("the interrupt stays set").isTrue();
    assertThat(caller.read(ByteBuffer.allocate(1))).as("the other side sees the end").isEqualTo(-1);
  }
}
