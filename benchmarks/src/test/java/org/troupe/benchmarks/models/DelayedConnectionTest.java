package org.troupe.benchmarks.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;

@Timeout(60)
class DelayedConnectionTest {

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final BlockingQueue<Frame> arrived = new LinkedBlockingQueue<>();
  private volatile boolean isBroken;

  private final DelayedConnection connection =
      new DelayedConnection(
          new Connection() {
            @Override
            public void send(List<Frame> frames) throws IOException {
              if (isBroken) {
                throw new IOException("on purpose");
              }
              arrived.addAll(frames);
            }

            @Override
            public @Nullable Frame exchange(Frame frame) {
              return frame;
            }

            @Override
            public void close() {}
          },
          NANOS);

  private static Frame frame(int number) {
    return new Frame(new byte[] {(byte) number});
  }

  @Test
  void framesArriveInOrderAfterTheDelay() throws Exception {
    var began = System.nanoTime();
    var header = new byte[] {0};
    connection.send(List.of(new Frame(header)));
    header[0] = 9; // the sender may reuse it
    connection.offer(List.of(frame(1), frame(2)));

    List<Byte> numbers = new ArrayList<>();
    for (var i = 0; i < 3; i++) {
      numbers.add(arrived.take().header()[0]);
      assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(NANOS);
    }
    assertThat(numbers).containsExactly((byte) 0, (byte) 1, (byte) 2);
    connection.close();
  }

  @Test
  void anExchangeTakesBothWays() throws Exception {
    var began = System.nanoTime();
    connection.exchange(frame(1));

    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(2 * NANOS);
    connection.close();
  }

  @Test
  void failsAfterABreak() {
    isBroken = true;

    assertThatThrownBy(
            () -> {
              while (true) {
                connection.send(List.of(frame(1)));
              }
            })
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("on purpose");
  }
}
