package org.troupe.links.handshake;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Address;
import org.troupe.links.Driver;
import org.troupe.links.RecordingSocket;
import org.troupe.links.Secret;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortTest;
import org.troupe.links.port.TestPorts;
import org.troupe.testing.LogRecords;

/** What those get who do not know the secret: nothing, and no hold on the port. */
@Timeout(120)
class StrangersTest {

  private static final byte[] MAGIC = "TROUPE\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String REFUSED = "refused a connection from 127.0.0.1: it ";
  private static final HandshakeLimits PATIENT =
      new HandshakeLimits(Duration.ofMinutes(10), 10, Duration.ofMinutes(10));
  private static final HandshakeLimits HASTY =
      new HandshakeLimits(Duration.ofMillis(200), 10, Duration.ofMinutes(1));

  private final Random random = new Random(42);
  private final Secret secret = Secret.random();
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
  private final List<Socket> strangers = new ArrayList<>();
  private Port here;
  private Port port;

  @BeforeEach
  void openPort() throws IOException {
    here = Port.open(secret);
  }

  @AfterEach
  void closeAll() throws IOException {
    here.close();
    port.close();
    for (Socket stranger : strangers) {
      stranger.close();
    }
    assertThat(accepted).as("connections given to the service").isEmpty();
  }

  private void open(HandshakeLimits limits) throws IOException {
    port = TestPorts.open(secret, PortTest.ANY, WireVersions.OURS, limits);
    port.serveSockets("echo", accepted::add);
  }

  private Socket stranger() throws IOException {
    var socket = new Socket(port.address().host(), port.address().port());
    socket.setSoTimeout(
        30_000); // a port that keeps a stranger fails the test, and does not hang it
    strangers.add(socket);
    return socket;
  }

  /** Connects as a peer that knows the secret, which has to work whatever strangers do. */
  private void connectProperly() throws Exception {
    try (Socket _ = here.connectSocket(port.address(), "echo", PortTest.LONG)) {
      assertThat(accepted.poll(30, TimeUnit.SECONDS)).isNotNull();
    }
  }

  /** Reads to the end; a reset is an end. */
  private static byte[] allThatComes(Socket socket) {
    var bytes = new ArrayList<Byte>();
    try {
      InputStream in = socket.getInputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        bytes.add((byte) b);
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the port has not closed the connection for 30 s", e);
    } catch (IOException _) {
      // reset: the port closed while bytes of ours were unread
    }
    byte[] all = new byte[bytes.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = bytes.get(i);
    }
    return all;
  }

  private byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] hello() {
    byte[] hello = randomBytes(44);
    System.arraycopy(MAGIC, 0, hello, 0, MAGIC.length);
    return hello;
  }

  @Test
  void getNoByteForRandomBytes(LogRecords records) throws Exception {
    open(PATIENT);
    Socket stranger = stranger();
    stranger.getOutputStream().write(randomBytes(500));

    assertThat(allThatComes(stranger)).isEmpty();
    records.expect(WARNING, REFUSED, "does not speak Troupe's handshake");
    connectProperly();
  }

  @Test
  void getNoByteForAnotherProtocol(LogRecords records) throws Exception {
    open(PATIENT);
    Socket stranger = stranger();
    stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    assertThat(allThatComes(stranger)).isEmpty();
    records.expect(WARNING, REFUSED, "does not speak Troupe's handshake");
  }

  @Test
  void areClosedWhenTheyHalfClose(LogRecords records) throws Exception {
    open(PATIENT);
    Socket stranger = stranger();
    stranger.getOutputStream().write(hello(), 0, 20);
    stranger.shutdownOutput();

    assertThat(allThatComes(stranger)).isEmpty();
    records.expect(WARNING, REFUSED, "disconnected before it had proved the secret");
  }

  @Test
  void areClosedAtTheDeadlineIfTheySayNothing(LogRecords records) throws Exception {
    open(HASTY);

    assertThat(allThatComes(stranger())).isEmpty();
    records.expect(WARNING, REFUSED, "did not prove the secret in time");
  }

  @Test
  void areClosedAtTheDeadlineIfTheyStopAfterTheHello(LogRecords records) throws Exception {
    open(HASTY);
    Socket stranger = stranger();
    stranger.getOutputStream().write(hello());

    assertThat(allThatComes(stranger)).as("the challenge").hasSize(32);
    records.expect(WARNING, REFUSED, "did not prove the secret in time");
  }

  @Test
  void doNotProlongTheDeadlineByDrippingBytes(LogRecords records) throws Exception {
    open(HASTY);
    Socket stranger = stranger();

    assertThatThrownBy(
            () -> {
              for (byte b : hello()) {
                stranger.getOutputStream().write(b);
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos()); // the pace, not an order
              }
              stranger.getOutputStream().write(0);
              stranger.getOutputStream().write(0);
            })
        .isInstanceOf(IOException.class);
    assertThat(allThatComes(stranger)).isEmpty();
    records.expect(WARNING, REFUSED, "did not prove the secret in time");
  }

  @Test
  void cannotMakeThePortTakeMoreThanItsFixedSizes(LogRecords records) throws Exception {
    open(PATIENT);
    Socket stranger = stranger();
    stranger.getOutputStream().write(hello());

    byte[] much = randomBytes(1 << 20);
    assertThatThrownBy(
            () -> {
              for (int megabytes = 0; megabytes < 1000; megabytes++) {
                stranger.getOutputStream().write(much);
              }
            })
        .isInstanceOf(IOException.class);
    records.expect(WARNING, REFUSED, "does not know this deployment's secret");
  }

  @Test
  void areToldRefusedAndNoMoreForAWrongProof(LogRecords records) throws Exception {
    open(PATIENT);
    Socket stranger = stranger();
    stranger.getOutputStream().write(hello());
    assertThat(stranger.getInputStream().readNBytes(32)).hasSize(32);
    stranger.getOutputStream().write(randomBytes(96));

    assertThat(allThatComes(stranger)).hasSize(37).containsOnly(0);
    records.expect(WARNING, REFUSED, "does not know this deployment's secret");
  }

  @Test
  void cannotReplayAGoodHandshake(LogRecords records) throws Exception {
    open(PATIENT);
    var recorder = new RecordingSocket();
    recorder.connect(socketAddress(port.address()));
    var agreed =
        new Handshake(secret, WireVersions.OURS)
            .call(recorder, "it", Handshake.name(port.address()), "echo");
    byte[] said = recorder.sent();
    new DriverNegotiation(secret)
        .offer(
            recorder,
            agreed.session(),
            DriverNegotiation.Kind.SOCKET,
            List.of(Driver.TCP),
            new DriverNegotiation.NetworkLocation(HostIdentity.here(), ""));
    assertThat(accepted.poll(30, TimeUnit.SECONDS)).isNotNull();
    recorder.close();
    assertThat(said).hasSize(44 + 96);

    Socket stranger = stranger();
    stranger.getOutputStream().write(said);
    byte[] answer = allThatComes(stranger);

    assertThat(answer).hasSize(32 + 37);
    assertThat(answer).endsWith(new byte[37]);
    records.expect(WARNING, REFUSED, "does not know this deployment's secret");
  }

  @Test
  void doNotDelayOthers() throws Exception {
    open(PATIENT);
    for (int i = 0; i < 9; i++) {
      Socket stranger = stranger();
      stranger.getOutputStream().write(hello(), 0, i * 5);
    }

    connectProperly();
  }

  @Test
  void makeRoomForNewcomersOldestFirst(LogRecords records) throws Exception {
    open(new HandshakeLimits(Duration.ofMinutes(10), 4, Duration.ofMillis(1)));
    for (int i = 0; i < 20; i++) {
      stranger();
    }

    for (int i = 0; i < 16; i++) {
      assertThat(allThatComes(strangers.get(i))).isEmpty();
    }
    connectProperly();
    records.expect(WARNING, REFUSED, "was evicted while other handshakes waited");
  }

  @Test
  void leaveNeitherThreadsNorDescriptorsBehind(LogRecords records) throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors), "counts descriptors in /proc");
    var limits = new HandshakeLimits(Duration.ofMinutes(10), 8, Duration.ofMillis(1));
    open(limits);
    records.allow(WARNING, REFUSED); // for three reasons
    connectProperly();
    int before = descriptors.toFile().list().length;

    int mostThreads = 0;
    for (int i = 0; i < 1000; i++) {
      Socket stranger = stranger();
      switch (i % 4) {
        case 0 -> stranger.getOutputStream().write(randomBytes(44));
        case 1 -> stranger.shutdownOutput();
        case 2 -> stranger.getOutputStream().write(hello());
        default -> {} // says nothing, and stays until crowded out
      }
      mostThreads = Math.max(mostThreads, threadsOfThePort());
    }
    for (Socket stranger : strangers) {
      stranger.close();
    }

    // Those crowded out free their place before their thread has noticed.
    assertThat(mostThreads).isLessThan(10 * limits.unfinished());
    connectProperly();
    awaitAtMost(before + 5, "descriptors", () -> descriptors.toFile().list().length);
    awaitAtMost(1, "threads", this::threadsOfThePort);
  }

  private int threadsOfThePort() {
    String prefix = "troupe-port-" + port.address().port() + "-";
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith(prefix))
            .count();
  }

  private static void awaitAtMost(int most, String what, IntSupplier count) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (count.getAsInt() > most && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    assertThat(count.getAsInt()).as(what).isLessThanOrEqualTo(most);
  }

  private static InetSocketAddress socketAddress(Address address) {
    return new InetSocketAddress(address.host(), address.port());
  }
}
