package org.troupe.transport.ibis;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.activeobjects.transport.Transport.Receiver;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;
import org.troupe.serialization.SerializationException;
import org.troupe.testing.LogRecords;

/** A hostile peer that knows the secret uses only a bounded share of memory and links. */
@Timeout(60)
class HostileMembersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration FOR_EVER = Duration.ofDays(1);
  private static final long MEBI = 1 << 20;
  private static final byte GARBAGE = 99;

  private final Secret secret = Secret.random();
  private final LinkedBlockingQueue<Byte> received = new LinkedBlockingQueue<>();
  private final ReceiveBudget budget = new ReceiveBudget(MEBI, 1L << 40);
  private Endpoint endpoint;
  private Port hostile;

  /** Receives frames whose header has two bytes: the sender and another one. */
  private final class Sink implements Receiver {
    @Override
    public void received(Frame frame, Exchange exchange) {
      if (frame.header()[1] == GARBAGE) {
        throw new SerializationException("on purpose");
      }
      received.add(frame.header()[1]);
    }

    @Override
    public Object sender(byte[] header) {
      return header[0];
    }
  }

  private void open(IncomingLinks.Bounds bounds) throws IOException {
    endpoint =
        LinkEndpoint.open(
            new EndpointOptions(secret.reveal(), "127.0.0.1", 0), new Sink(), budget, bounds);
    hostile = Port.open(secret);
  }

  @AfterEach
  void close() throws InterruptedException {
    hostile.close();
    endpoint.close();
    Leftovers.assertNone();
  }

  private Link connect(String service) throws IOException {
    return hostile.connect(Address.parse(endpoint.address()), service, PATIENCE);
  }

  private static void send(Link link, int sender, int what) throws IOException {
    link.write(
        ByteBuffer.allocate(10).putInt(2).putInt(0).put((byte) sender).put((byte) what).flip());
  }

  private void assertReceived(int what) throws InterruptedException {
    assertThat(received.poll(30, SECONDS)).isEqualTo((byte) what);
  }

  private static void assertClosed(Link link) {
    try {
      assertThat(link.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    } catch (IOException e) {
      // The end may also appear as a reset.
    }
  }

  @Test
  void mayAnnounceMoreThanThereIs() throws Exception {
    open(new IncomingLinks.Bounds(100, 100, FOR_EVER));
    var links = new ArrayList<Link>();
    for (int i = 0; i < 40; i++) {
      var link = connect(i % 2 == 0 ? "frames" : "lane");
      links.add(link);
      if (i % 4 < 2) { // a body
        link.write(ByteBuffer.allocate(9).putInt(1).putInt(Integer.MAX_VALUE - 100).flip());
      } else { // a header
        link.write(ByteBuffer.allocate(9).putInt(Integer.MAX_VALUE - 100).putInt(1).flip());
      }
    }
    var healthy = connect("frames");
    send(healthy, 2, 5);

    assertReceived(5);
    assertThat(budget.reserved()).isLessThanOrEqualTo(MEBI);
    links.forEach(Link::close);
  }

  @Test
  void losesTheLinkOverWhichItStopsInTheMidst(LogRecords records) throws Exception {
    open(new IncomingLinks.Bounds(100, 100, Duration.ofMillis(200)));
    var idle = connect("frames");
    send(idle, 1, 1);
    assertReceived(1);
    var silent = connect("frames");
    var inPrefix = connect("frames");
    inPrefix.write(ByteBuffer.allocate(3)); // of eight bytes
    var inBody = connect("frames");
    inBody.write(ByteBuffer.allocate(20).putInt(2).putInt(1000).put((byte) 1).put((byte) 1).flip());
    var inArray = connect("frames");
    inArray.write(
        ByteBuffer.allocate(30)
            .putInt(2)
            .putInt(FrameOutput.ARRAYS)
            .putInt(1)
            .put(ArrayKind.DOUBLE.code())
            .putInt(1_000_000)
            .flip());
    var onALane = connect("lane");
    onALane.write(ByteBuffer.allocate(9).putInt(2).putInt(100_000).flip());

    assertClosed(silent);
    assertClosed(inPrefix);
    assertClosed(inBody);
    assertClosed(inArray);
    assertClosed(onALane);
    send(idle, 1, 2);
    assertReceived(2);
    records.expect(WARNING, "has received nothing for", "its first frame is outstanding");
  }

  @Test
  void hasSoManyLinksOnly(LogRecords records) throws Exception {
    open(new IncomingLinks.Bounds(100, 2, FOR_EVER));
    var links = new ArrayList<Link>();
    for (int i = 0; i < 2; i++) {
      links.add(connect("frames"));
      send(links.get(i), 1, i);
      assertReceived(i);
    }
    var oneMore = connect("lane");
    send(oneMore, 1, 7);
    assertClosed(oneMore);
    var ofAnother = connect("frames");
    send(ofAnother, 2, 8);
    assertReceived(8);
    links.getFirst().close();

    for (boolean isTaken = false; !isTaken; ) { // once its end has been detected
      var next = connect("frames");
      send(next, 1, 9);
      isTaken = received.poll(100, java.util.concurrent.TimeUnit.MILLISECONDS) != null;
    }
    records.expect(
        WARNING, "a peer sent an unreadable frame", "the sender already has 2 links to this JVM");
  }

  @Test
  void leavesRoomForOthersEvenIfItIsManyPeers(LogRecords records) throws Exception {
    open(new IncomingLinks.Bounds(3, 100, FOR_EVER));
    var links = new ArrayList<Link>();
    for (int i = 0; i < 3; i++) {
      links.add(connect("frames"));
      send(links.get(i), i, i);
      assertReceived(i);
    }

    assertClosed(connect("frames"));

    send(links.get(1), 1, 4);
    assertReceived(4);
    records.expect(WARNING, "peers have 3 links to this JVM, and no more are accepted");
  }

  @Test
  void losesTheLinkOverWhichGarbageComes(LogRecords records) throws Exception {
    open(new IncomingLinks.Bounds(100, 100, FOR_EVER));
    for (var service : new String[] {"frames", "lane"}) {
      var link = connect(service);
      send(link, 1, GARBAGE);
      assertClosed(link);
    }
    var healthy = connect("frames");
    send(healthy, 1, 3);
    assertReceived(3);
    records.expect(WARNING, "a peer sent an unreadable frame", "on purpose");
  }
}
