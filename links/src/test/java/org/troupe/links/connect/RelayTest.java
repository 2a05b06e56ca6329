package org.troupe.links.connect;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.RecordingForwarder;
import org.troupe.links.Route;
import org.troupe.links.Secret;
import org.troupe.links.UnusedPort;
import org.troupe.links.WrongSecretException;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.handshake.Handshake;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.WireVersions;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortOptions;
import org.troupe.links.port.PortTest;
import org.troupe.links.port.TestPorts;
import org.troupe.testing.LogRecords;

/** Ports that can only be reached over another one. */
@Timeout(120)
class RelayTest {

  private final Secret secret = Secret.random();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final BlockingQueue<Socket> sockets = new LinkedBlockingQueue<>();
  private final BlockingQueue<Link> links = new LinkedBlockingQueue<>();
  private Port relay;

  @BeforeEach
  void openRelay() throws IOException {
    relay = open("", Optional.empty(), true);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private Port open(String drivers, Optional<Address> through, boolean isRelay) throws IOException {
    Port port =
        TestPorts.open(
            secret,
            new PortOptions(PortTest.ANY, List.of(), isRelay, through, ""),
            WireVersions.OURS,
            HandshakeLimits.DEFAULT,
            DriverPreferences.parse(drivers));
    opened.add(port);
    port.serveSockets("socket", sockets::add);
    port.serve("link", links::add);
    return port;
  }

  private Port node(String drivers) throws IOException {
    return open(drivers, Optional.of(relay.address()), false);
  }

  /** As others know a port that they cannot reach. */
  private static Address unreachable(Port port) {
    return new Address(
        List.of(Address.direct("127.0.0.1", UnusedPort.number()), new Route.Relayed()),
        port.address().identity(),
        "");
  }

  private <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(30, TimeUnit.SECONDS);
    assertThat(next).as("connection given to the acceptor within 30 s").isNotNull();
    return next;
  }

  private void assertTalk(Socket near, Socket far) throws IOException {
    try (near;
        far) {
      near.getOutputStream().write("ping".getBytes());
      assertThat(far.getInputStream().readNBytes(4)).asString().isEqualTo("ping");
      far.getOutputStream().write("pong".getBytes());
      assertThat(near.getInputStream().readNBytes(4)).asString().isEqualTo("pong");
    }
  }

  private void assertTalk(Link near, Link far) throws IOException {
    try (near;
        far) {
      near.write(ByteBuffer.wrap("ping".getBytes()));
      var buffer = ByteBuffer.allocateDirect(4);
      while (buffer.hasRemaining()) {
        assertThat(far.read(buffer)).isPositive();
      }
      far.write(buffer.flip());
      assertThat(near.read(ByteBuffer.allocateDirect(1))).isOne();
    }
  }

  @Test
  void connectsTwoPortsThatCannotBeDialledInEitherDirection() throws Exception {
    Port one = node("tls");
    Port other = node("tls");

    assertTalk(one.connect(unreachable(other), "link", PortTest.LONG), next(links));
    assertTalk(other.connect(unreachable(one), "link", PortTest.LONG), next(links));
    assertTalk(one.connectSocket(unreachable(other), "socket", PortTest.LONG), next(sockets));
    assertThat(one.isRelayed(other.address())).isTrue();
  }

  @Test
  void isTheCallerItselfIfItLikes() throws Exception {
    Port node = node("tcp,tls");

    assertTalk(relay.connect(unreachable(node), "link", PortTest.LONG), next(links));
    assertTalk(relay.connectSocket(unreachable(node), "socket", PortTest.LONG), next(sockets));
  }

  @Test
  void isReachedThroughATunnelToo() throws Exception {
    var wire = new RecordingForwarder(relay.address());
    opened.add(wire);
    Port hidden = open("tls", Optional.of(wire.only()), false);
    Port node = node("tls");

    assertTalk(node.connect(unreachable(hidden), "link", PortTest.LONG), next(links));
    assertTalk(hidden.connect(unreachable(node), "link", PortTest.LONG), next(links));
    assertTalk(hidden.connectSocket(wire.only(), "socket", PortTest.LONG), next(sockets));
  }

  @Test
  @EnabledIfSystemProperty(
      named = "troupe.long",
      matches = "true",
      disabledReason = "takes ten seconds; run with -Dtroupe.long=true")
  void isAskedAgainIfItIsTooBusyToAnswerAtFirst() throws Exception {
    try (var busy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
      threads.submit(
          () -> {
            try (Socket _ = busy.accept();
                Socket caller = busy.accept();
                var onward = new Socket(relay.address().host(), relay.address().port())) {
              threads.submit(() -> onward.getInputStream().transferTo(caller.getOutputStream()));
              return caller.getInputStream().transferTo(onward.getOutputStream());
            }
          });
      var busyRelay =
          new Address(
              List.of(Address.direct("127.0.0.1", busy.getLocalPort())),
              relay.address().identity(),
              "");

      Port node = open("tls", Optional.of(busyRelay), false);

      assertThat(node.address()).isNotNull();
      threads.shutdownNow();
    }
  }

  @Test
  void seesNothingOfWhatItPassesOn() throws Exception {
    var wire = new RecordingForwarder(relay.address());
    opened.add(wire);
    Port one = open("", Optional.of(wire.only()), false);
    Socket near = one.connectSocket(unreachable(node("")), "socket", PortTest.LONG);
    Socket far = next(sockets);

    assertThat(near).isInstanceOf(SSLSocket.class);
    near.getOutputStream().write("a plain word".getBytes());
    assertThat(far.getInputStream().readNBytes(12)).asString().isEqualTo("a plain word");
    assertThat(new String(wire.passed(), "ISO-8859-1"))
        .contains("relay/dial")
        .doesNotContain("plain");
  }

  @Test
  void passesOnMuchInBothDirectionsAndWaitsForASlowReader() throws Exception {
    byte[] much = new byte[64 << 20];
    new Random(1).nextBytes(much);
    Socket near = node("tcp").connectSocket(unreachable(node("tcp")), "socket", PortTest.LONG);
    Socket far = next(sockets);

    var there = CompletableFuture.runAsync(() -> write(near, much), Thread::startVirtualThread);
    var back = CompletableFuture.runAsync(() -> write(far, much), Thread::startVirtualThread);
    assertThat(far.getInputStream().read()).isEqualTo(much[0] & 0xff);
    assertThat(there).as("what no buffer on the way can hold").isNotDone();
    byte[] rest = far.getInputStream().readNBytes(much.length - 1);
    there.get(60, TimeUnit.SECONDS);
    assertThat(java.util.Arrays.mismatch(much, 1, much.length, rest, 0, rest.length)).isEqualTo(-1);
    assertThat(back).isNotDone();
    assertThat(java.util.Arrays.equals(near.getInputStream().readNBytes(much.length), much))
        .isTrue();
    back.get(60, TimeUnit.SECONDS);
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void passesOnTheEndOfOneDirectionAlone() throws Exception {
    Socket near = node("tcp").connectSocket(unreachable(node("tcp")), "socket", PortTest.LONG);
    Socket far = next(sockets);

    near.getOutputStream().write("all".getBytes());
    near.shutdownOutput();
    assertThat(far.getInputStream().readAllBytes()).asString().isEqualTo("all");
    far.getOutputStream().write("answer".getBytes());
    far.close();
    assertThat(near.getInputStream().readAllBytes()).asString().isEqualTo("answer");
  }

  @Test
  void takesItsConnectionsWithItWhenItEnds() throws Exception {
    Port one = node("tcp");
    Address other = unreachable(node("tcp"));
    Socket near = one.connectSocket(other, "socket", PortTest.LONG);
    Socket far = next(sockets);

    relay.close();

    assertThatThrownBy(() -> readToTheEnd(far)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> readToTheEnd(near)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> one.connectSocket(other, "socket", PortTest.LONG))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("over any route")
        .hasMessageContaining("  - 127.0.0.1:" + UnusedPort.number() + ": Connection refused")
        .hasMessageContaining("  - the relay " + relay.address().name() + ": ");
  }

  /** The system may say the end, or a reset. */
  private static void readToTheEnd(Socket socket) throws IOException {
    if (socket.getInputStream().read() < 0) {
      throw new IOException("the end");
    }
  }

  @Test
  void isComeBackToWhenTheConnectionToItIsLost() throws Exception {
    var wire = new RecordingForwarder(relay.address());
    opened.add(wire);
    Port hidden = open("tls", Optional.of(wire.only()), false);
    Port node = node("tls");
    assertTalk(node.connect(unreachable(hidden), "link", PortTest.LONG), next(links));

    wire.cut();

    assertTalk(connectAtLast(node, unreachable(hidden)), next(links));
  }

  /** Until the relay has noticed the loss it may call where nobody hears it. */
  private static Link connectAtLast(Port node, Address peer) throws IOException {
    for (int failures = 0; ; failures++) {
      try {
        return node.connect(peer, "link", PortTest.LONG);
      } catch (ConnectException e) {
        if (failures > 5) {
          throw e;
        }
      }
    }
  }

  @Test
  void saysThatAPortIsNotThere() throws Exception {
    Port one = node("tcp");
    Port gone = node("tcp");
    Address address = unreachable(gone);
    gone.close();

    assertThatThrownBy(() -> one.connect(address, "link", PortTest.LONG))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("it has no connection to the relay");
  }

  @Test
  void tellsWhatThePortItselfSays() throws Exception {
    Port one = node("tcp");
    Address other = unreachable(node("tcp"));

    assertThatThrownBy(() -> one.connect(other, "no-such", PortTest.LONG))
        .isInstanceOf(NoSuchServiceException.class)
        .hasMessageContaining("'no-such'")
        .hasMessageContaining("the relay");
  }

  @Test
  void hasToBeOne() throws Exception {
    try (Port none = Port.open(secret)) {
      assertThatThrownBy(() -> open("", Optional.of(none.address()), false))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(none.address().name())
          .hasMessageContaining("'relay/attend'");
    }
  }

  @Test
  void isOfNoUseToStrangers(LogRecords records) throws Exception {
    var through = Optional.of(relay.address());
    var options = new PortOptions(PortTest.ANY, List.of(), false, through, "");

    assertThatThrownBy(() -> Port.open(Secret.random(), options))
        .isInstanceOf(WrongSecretException.class);
    records.expect(WARNING, "refused a connection", "does not know this deployment's secret");
  }

  @Test
  void takesATokenOnceAndNoOther() throws Exception {
    byte[] identity = Secret.randomBytes(Address.IDENTITY_BYTES);
    Socket control = reach(Relay.ATTEND);
    control.getOutputStream().write(identity);
    assertThat(control.getInputStream().read()).isEqualTo(Relay.HERE);
    Socket caller = reach(Relay.DIAL);
    caller.getOutputStream().write(identity);
    assertThat(control.getInputStream().read()).isEqualTo(Relay.CALL);
    byte[] token = control.getInputStream().readNBytes(Relay.TOKEN_BYTES);

    assertThat(back(Secret.randomBytes(Relay.TOKEN_BYTES)).getInputStream().read()).isEqualTo(-1);
    Socket back = back(token);
    assertThat(back.getInputStream().read()).isEqualTo(Relay.HERE);
    assertThat(caller.getInputStream().read()).isEqualTo(Relay.HERE);
    assertThat(back(token).getInputStream().read()).isEqualTo(-1);

    caller.getOutputStream().write(7);
    assertThat(back.getInputStream().read()).isEqualTo(7);
  }

  private Socket back(byte[] token) throws IOException {
    Socket socket = reach(Relay.RETURN);
    socket.getOutputStream().write(token);
    return socket;
  }

  /** Comes to a service of the relay as a peer that knows the secret. */
  private Socket reach(String service) throws IOException {
    Address address = relay.address();
    var socket = new Socket(address.host(), address.port());
    opened.add(socket);
    socket.setSoTimeout(30_000);
    new Handshake(secret, WireVersions.OURS)
        .call(socket, "it", HexFormat.of().parseHex(address.identity()), service);
    return socket;
  }

  @Test
  void answersAPortThatAsksWhetherItIsAlive() throws Exception {
    Socket control = reach(Relay.ATTEND);
    control.getOutputStream().write(new byte[Address.IDENTITY_BYTES]);
    assertThat(control.getInputStream().read()).isEqualTo(Relay.HERE);

    control.getOutputStream().write(Relay.ALIVE);

    assertThat(control.getInputStream().read()).isEqualTo(Relay.ALIVE);
  }

  @Test
  void listensWhereItWasTold() throws Exception {
    var everywhere =
        new PortOptions(new InetSocketAddress(0), List.of(), true, Optional.empty(), "");
    try (Port port = Port.open(secret, everywhere)) {
      assertThat(open("", Optional.of(port.address()), false).address().toString())
          .matches("127\\.0\\.0\\.1:[0-9]+,relay#[0-9a-f]{16}~[0-9a-f]{12}");
    }
  }
}
