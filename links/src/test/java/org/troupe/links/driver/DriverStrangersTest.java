package org.troupe.links.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Driver;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.WrongSecretException;
import org.troupe.links.handshake.DriverNegotiation;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.WireVersions;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.host.LinuxSystemCalls;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortTest;
import org.troupe.links.port.TestPorts;

/** Who comes where only a peer that has proved the secret should, and what broken peers can do. */
@Timeout(60)
class DriverStrangersTest {

  private static final DriverNegotiation.NetworkLocation HERE =
      new DriverNegotiation.NetworkLocation(HostIdentity.here(), "");

  private final Secret secret = Secret.random();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private UnixListener door(HandshakeLimits limits) throws IOException {
    return UnixListener.open(Thread.ofPlatform().daemon(), threads, limits);
  }

  private static SocketChannel dial(UnixListener.Expected expected) throws IOException {
    byte[] details = expected.details();
    Path path = Path.of(new String(details, 32, details.length - 32));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
        .isEqualTo("rwx------");
    return SocketChannel.open(UnixDomainSocketAddress.of(path));
  }

  @Test
  void getNothingFromAUnixSocketWithoutTheToken() throws Exception {
    try (UnixListener door = door(HandshakeLimits.DEFAULT);
        var expected = door.expect();
        SocketChannel stranger = dial(expected)) {
      stranger.write(ByteBuffer.allocate(32));

      assertThat(stranger.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThatThrownBy(expected::take).isInstanceOf(IOException.class);
    }
  }

  @Test
  void areDroppedByAUnixSocketIfTheySayNothing() throws Exception {
    var hasty = new HandshakeLimits(Duration.ofMillis(100), 10, Duration.ofMinutes(1));
    try (UnixListener door = door(hasty);
        SocketChannel stranger = dial(door.expect())) {
      assertThat(stranger.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void cannotUseATokenTwice() throws Exception {
    try (UnixListener door = door(HandshakeLimits.DEFAULT);
        var expected = door.expect();
        SocketChannel first = SocketChannel.open(StandardProtocolFamily.UNIX);
        SocketChannel second = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      UnixListener.connect(first, expected.details());

      assertThatThrownBy(() -> UnixListener.connect(second, expected.details()))
          .isInstanceOf(IOException.class);
      expected.take().close();
    }
  }

  @Test
  void cannotSitInTheMiddleOfTls() throws Exception {
    byte[] session = Secret.randomBytes(32);
    var knows = new TlsContext(secret);
    try (var listener = ServerSocketChannel.open().bind(PortTest.ANY)) {
      var server =
          CompletableFuture.supplyAsync(
              () -> {
                try (SocketChannel channel = listener.accept()) {
                  return TlsLink.over(
                      channel,
                      new TlsContext(Secret.random()),
                      false,
                      session,
                      "it",
                      new HashSet<>());
                } catch (IOException e) {
                  return e;
                }
              },
              threads);
      try (SocketChannel channel = SocketChannel.open(listener.getLocalAddress())) {
        assertThatThrownBy(() -> TlsLink.over(channel, knows, true, session, "it", new HashSet<>()))
            .isInstanceOf(IOException.class);
      }
      assertThat(server.get(30, TimeUnit.SECONDS)).isInstanceOf(WrongSecretException.class);
    }
  }

  @Test
  void cannotStrikeTlsFromAnOffer() throws Exception {
    byte[] session = Secret.randomBytes(32);
    var negotiation = new DriverNegotiation(secret);
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var caller = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket port = listener.accept();
        var onward = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket end = listener.accept()) {
      negotiation.offer(caller, session, DriverNegotiation.Kind.LINK, List.of(Driver.TLS), HERE);
      byte[] offer = port.getInputStream().readNBytes(133);
      offer[1] = 1;
      onward.getOutputStream().write(offer);

      assertThatThrownBy(() -> negotiation.readOffer(end, session, HERE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is not authentic");
    }
  }

  @Test
  void doNotPassForSharedMemoryByItsNumbers() throws Exception {
    LinuxSystemCalls system = LinuxSystemCalls.system().orElseThrow();
    byte[] details;
    try (var offered = SharedMemory.offer(system)) {
      details = offered.details().clone();
      SharedMemory.open(details).close();
      details[0]++;
      byte[] other = details;
      assertThatThrownBy(() -> SharedMemory.open(other))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no longer exists");
    }
  }

  @Test
  void cannotMakeUsReadOrWriteBeyondARing() {
    for (long counter : new long[] {-1, 65537, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32}) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment segment = arena.allocate(Ring.HEAD_BYTES + 65536, 64);
        var reader = new Ring(LinuxSystemCalls.system().orElseThrow(), segment, "the link");
        segment.set(ValueLayout.JAVA_LONG, 0, counter);
        assertThatThrownBy(() -> reader.take(ByteBuffer.allocate(100)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("corrupt");

        var writer = new Ring(LinuxSystemCalls.system().orElseThrow(), segment, "the link");
        segment.set(ValueLayout.JAVA_LONG, 128, counter);
        assertThatThrownBy(() -> writer.put(ByteBuffer.allocate(70_000)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("corrupt");
      }
    }
  }

  @Test
  void closeALinkWhoseRingIsCorrupt() throws Exception {
    var accepted = new LinkedBlockingQueue<Link>();
    var drivers = new DriverPreferences(List.of(Driver.SHM));
    InetSocketAddress any = PortTest.ANY;
    try (Port here =
            TestPorts.open(secret, any, WireVersions.OURS, HandshakeLimits.DEFAULT, drivers);
        Port there =
            TestPorts.open(secret, any, WireVersions.OURS, HandshakeLimits.DEFAULT, drivers)) {
      there.serve("link", accepted::add);
      RingLink near = (RingLink) here.connect(there.address(), "link", PortTest.LONG);
      Link far = accepted.poll(30, TimeUnit.SECONDS);
      near.memory().fromCaller().set(ValueLayout.JAVA_LONG, 0, 1L << 40);

      assertThatThrownBy(() -> far.read(ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("corrupt");
      assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }
}
