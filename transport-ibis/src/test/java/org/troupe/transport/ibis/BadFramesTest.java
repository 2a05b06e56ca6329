package org.troupe.transport.ibis;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;
import org.troupe.testing.LogRecords;

/** Malformed frames of a peer that knows the secret close its link and no other. */
@Timeout(60)
class BadFramesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Secret secret = Secret.random();
  private final LinkedBlockingQueue<Frame> received = new LinkedBlockingQueue<>();
  private Endpoint endpoint;
  private Port stranger;

  @BeforeEach
  void open() throws IOException {
    endpoint =
        new IbisTransport()
            .open(
                new EndpointOptions(secret.reveal(), "127.0.0.1", 0),
                (frame, _) -> // the header is reused
                received.add(new Frame(frame.header().clone(), frame.body(), frame.arrays())));
    stranger = Port.open(secret);
  }

  @AfterEach
  void close() throws InterruptedException {
    stranger.close();
    endpoint.close();
    Leftovers.assertNone();
  }

  private Link connect(String service) throws IOException {
    return stranger.connect(Address.parse(endpoint.address()), service, PATIENCE);
  }

  private static void write(Link link, int... numbers) throws IOException {
    var bytes = ByteBuffer.allocate(4 * numbers.length);
    for (int each : numbers) {
      bytes.putInt(each);
    }
    link.write(bytes.flip());
  }

  private static void assertClosed(Link link) {
    try {
      assertThat(link.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    } catch (IOException e) {
      // The end may also appear as a reset.
    }
  }

  @ParameterizedTest
  @CsvSource({
    "frames, -2, 4",
    "frames, 4, -1",
    "frames, -1, 0",
    "frames, 2147483647, 2147483647",
    "lane, -7, 0",
    "lane, -1, 0",
    "lane, 2147483640, 2147483640"
  })
  void closeTheirLinkBeforeAnythingIsAllocated(
      String service, int header, int body, LogRecords records) throws Exception {
    var link = connect(service);

    write(link, header, body);

    assertClosed(link);
    records.expect(WARNING, "a peer sent an unreadable frame");
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 0", "1000000, 0, 0", "1, 6, -1", "1, 6, 2000000000", "1, 9, 1"})
  void closeTheirLinkBeforeAnArrayIsAllocated(int count, byte kind, int length, LogRecords records)
      throws Exception {
    var link = connect("frames");
    var bytes = ByteBuffer.allocate(17).putInt(1).putInt(1 << 31).putInt(count);

    link.write(bytes.put(kind).putInt(length).flip());

    assertClosed(link);
    records.expect(WARNING, "a peer sent an unreadable frame", "array");
    assertThat(received).isEmpty();
  }

  @Test
  void turnsTheBytesOfAnotherKindOfMachineRound() throws Exception {
    var link = connect("frames");
    var other =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN;
    var code = (byte) (3 | (other == ByteOrder.BIG_ENDIAN ? 0x80 : 0));
    var bytes = ByteBuffer.allocate(25).putInt(0).putInt(1 << 31).putInt(1).put(code).putInt(2);

    link.write(bytes.order(other).putInt(7).putInt(-1000).flip());

    assertThat((int[]) received.poll(30, SECONDS).arrays().getFirst()).containsExactly(7, -1000);
  }

  @Test
  void areTheOnesOnALaneBeforeItsReply(LogRecords records) throws Exception {
    var link = connect("lane");

    write(link, 0, 0, 0, 0);

    assertClosed(link);
    records.expect(WARNING, "before the reply to the previous one");
    assertThat(received).hasSize(1);
  }

  @Test
  void doNotDisturbOthers(LogRecords records) throws Exception {
    var good = connect("frames");
    write(good, 4, 0, 1);
    var bad = connect("frames");
    write(bad, -3, 0);
    assertClosed(bad);
    records.expect(WARNING, "a peer sent an unreadable frame");

    write(good, 0, 4, 2);

    assertThat(received.poll(30, SECONDS)).isNotNull();
    assertThat(received.poll(30, SECONDS)).isNotNull();
  }

  @Test
  void mayEndInTheMiddle() throws Exception {
    var link = connect("frames");
    write(link, 4, 4, 1);
    link.close();
    var other = connect("frames");

    write(other, 4, 0, 9);

    assertThat(received.poll(30, SECONDS).header()).containsExactly(0, 0, 0, 9);
    assertThat(received).isEmpty();
  }
}
