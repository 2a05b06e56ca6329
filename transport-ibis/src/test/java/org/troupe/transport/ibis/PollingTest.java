package org.troupe.transport.ibis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.links.Address;
import org.troupe.links.Driver;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;

/** A waiting thread receives frames by polling, and no frame before or after it is lost. */
@Timeout(120)
class PollingTest {

  private static final String SECRET = "5ec2e7".repeat(10) + "beef";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The frames sent, some of which exceed the capacity of a link. */
  private static final int LARGEST = 700_000;

  private final LinkedBlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();
  private Endpoint receiving;
  private Endpoint sending;
  private Connection connection;

  /** A frame, and the thread that received it. */
  private record Arrival(int number, int size, Thread thread) {}

  @BeforeEach
  void connect() throws IOException {
    Drivers.only(Driver.SHM);
    receiving = opened((frame, _) -> arrived.add(arrival(frame)));
    sending = opened((_, _) -> {});
    connection = sending.connect(receiving.address());
  }

  private static Endpoint opened(org.troupe.activeobjects.transport.Transport.Receiver receiver)
      throws IOException {
    return new IbisTransport().open(new EndpointOptions(SECRET, "127.0.0.1", 0), receiver);
  }

  @AfterEach
  void close() {
    sending.close();
    receiving.close();
    Drivers.any();
  }

  private static Frame frame(int number, int doubles) {
    var header = new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number};
    return new Frame(header, new byte[0], List.of(new double[doubles]));
  }

  private static Arrival arrival(Frame frame) {
    var header = frame.header();
    var number = (header[0] & 0xff) << 16 | (header[1] & 0xff) << 8 | header[2] & 0xff;
    return new Arrival(
        number, ((double[]) frame.arrays().getFirst()).length, Thread.currentThread());
  }

  private void send(int number, int doubles) {
    try {
      if (number % 2 == 0 || !connection.offer(List.of(frame(number, doubles)))) {
        connection.send(number % 2 == 0 ? List.of(frame(number, doubles)) : List.of());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Arrival next() throws InterruptedException {
    var arrival = arrived.poll(60, SECONDS);
    assertThat(arrival).as("the next frame").isNotNull();
    return arrival;
  }

  @Test
  void receivesWhatItWaitsForByItself() throws Exception {
    assumeThat(Runtime.getRuntime().availableProcessors())
        .isGreaterThan(1); // otherwise the thread of the link is woken
    for (var number = 0; ; number++) {
      var sent = number;
      var asked = new AtomicInteger();
      receiving.receiveWhile(
          () -> {
            if (asked.getAndIncrement() == 0) {
              send(sent, 100);
            }
            return arrived.isEmpty();
          });
      if (asked.get() == 0) {
        send(sent, 100); // the link is not accepted yet, so there was none to poll
      }
      var arrival = next();
      assertThat(arrival.number()).isEqualTo(number);
      if (arrival.thread() == Thread.currentThread()) {
        return; // seldom in the first round, because the thread of the link has just started
      }
    }
  }

  @Test
  void losesNothingWhenItBeginsAndEnds() throws Exception {
    var frames = 4_000;
    var sizes = new Random(1).ints(frames, 0, 8).map(bits -> LARGEST >> 2 * bits).toArray();
    sizes[0] = LARGEST;
    var sender =
        CompletableFuture.runAsync(
            () -> {
              for (var i = 0; i < frames; i++) {
                send(i, sizes[i] / (i % 16 == 0 ? Double.BYTES : 100 * Double.BYTES));
              }
            });
    for (var i = 0; i < frames; i++) {
      var looks = ThreadLocalRandom.current().nextInt(60);
      var asked = new AtomicInteger();
      receiving.receiveWhile(() -> asked.getAndIncrement() < looks && arrived.isEmpty());
      assertThat(next().number()).isEqualTo(i);
    }
    sender.get(60, SECONDS);
  }

  @Test
  void keepsNobodyElseIfAPeerStopsInTheMidst() throws Exception {
    try (var stranger = Port.open(Secret.parse(SECRET))) {
      var stuck = stranger.connect(Address.parse(receiving.address()), "frames", PATIENCE);
      stuck.write(ByteBuffer.allocate(2 * Integer.BYTES).putInt(3).putInt(LARGEST).flip());
      var poller = CompletableFuture.runAsync(() -> receiving.receiveWhile(() -> true));
      for (var i = 0; i < 100; i++) {
        send(i, i % 2 == 0 ? 10 : LARGEST / Double.BYTES);
        assertThat(next().number()).isEqualTo(i);
      }
      stuck.close();
      poller.get(60, SECONDS);
    }
  }

  @Test
  void doesNoHarmIfInterrupted() throws Exception {
    send(0, LARGEST / 8 / Double.BYTES);
    Thread.currentThread().interrupt();
    receiving.receiveWhile(arrived::isEmpty);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(next().number()).isZero();
    send(1, 100);
    assertThat(next().number()).isEqualTo(1);
  }

  @Test
  void endsThoughThePeerIsGone() throws Exception {
    closeMeanwhile(sending);
  }

  @Test
  void endsThoughItIsClosed() throws Exception {
    closeMeanwhile(receiving);
  }

  private void closeMeanwhile(Endpoint closed) throws InterruptedException {
    assumeThat(Runtime.getRuntime().availableProcessors())
        .isGreaterThan(1); // otherwise no thread polls
    send(0, 100);
    assertThat(next().number()).isZero(); // the link exists and can be polled
    var asked = new AtomicInteger();
    receiving.receiveWhile(
        () -> {
          if (asked.getAndIncrement() == 0) {
            closed.close();
          }
          return true;
        });

    assertThat(asked).as("looks at whether to receive on").hasPositiveValue();
    assertThat(arrived).isEmpty();
  }
}
