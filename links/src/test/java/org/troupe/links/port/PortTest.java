package org.troupe.links.port;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Address;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Secret;
import org.troupe.links.VersionMismatchException;
import org.troupe.links.WrongSecretException;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.WireVersions;
import org.troupe.testing.LogRecords;

@Timeout(60)
public class PortTest {

  public static final Duration LONG = Duration.ofSeconds(30);
  public static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final Secret secret = Secret.random();
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
  private Port here;
  private Port there;

  @BeforeEach
  void openPorts() throws IOException {
    here = Port.open(secret);
    there = Port.open(secret);
    there.serveSockets("echo", accepted::add);
  }

  @AfterEach
  void closePorts() {
    here.close();
    there.close();
  }

  private Socket accepted() throws InterruptedException {
    Socket socket = accepted.poll(30, TimeUnit.SECONDS);
    assertThat(socket).as("connection given to the acceptor within 30 s").isNotNull();
    return socket;
  }

  @Test
  void carriesBytesBothWays() throws Exception {
    Socket caller = here.connectSocket(there.address(), "echo", LONG);
    Socket server = accepted();

    caller.getOutputStream().write("ping".getBytes());
    assertThat(server.getInputStream().readNBytes(4)).asString().isEqualTo("ping");
    server.getOutputStream().write("pong".getBytes());
    assertThat(caller.getInputStream().readNBytes(4)).asString().isEqualTo("pong");
  }

  @Test
  void leavesTheFirstByteAfterTheHandshakeToTheService() throws Exception {
    there.serveSockets(
        "greeter",
        socket -> {
          try {
            socket.getOutputStream().write("hello at once".getBytes());
            socket.close();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });

    Socket caller = here.connectSocket(there.address(), "greeter", LONG);

    assertThat(caller.getInputStream().readAllBytes()).asString().isEqualTo("hello at once");
  }

  @Test
  void givesSocketsWithoutTimeoutAndWithoutDelay() throws Exception {
    Socket caller = here.connectSocket(there.address(), "echo", LONG);
    Socket server = accepted();

    assertThat(caller.getSoTimeout()).isZero();
    assertThat(server.getSoTimeout()).isZero();
    assertThat(caller.getTcpNoDelay()).isTrue();
    assertThat(server.getTcpNoDelay()).isTrue();
  }

  @Test
  void keepsItsServicesApart() throws Exception {
    var others = new LinkedBlockingQueue<Socket>();
    there.serveSockets("other", others::add);

    Socket caller = here.connectSocket(there.address(), "other", LONG);

    assertThat(others.poll(30, TimeUnit.SECONDS).getPort()).isEqualTo(caller.getLocalPort());
    assertThat(accepted).isEmpty();
  }

  @Test
  void connectsToItself() throws Exception {
    Socket caller = there.connectSocket(there.address(), "echo", LONG);

    assertThat(accepted().getPort()).isEqualTo(caller.getLocalPort());
  }

  @Test
  void takesOneAcceptorPerService() {
    assertThatThrownBy(() -> there.serveSockets("echo", accepted::add))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'echo'")
        .hasMessageContaining(there.address().toString());
  }

  @Test
  void refusesNamesThatNoServiceCanHave() {
    for (String name : new String[] {"", "two words", "x".repeat(65), "gr\u00fcn", "a\0"}) {
      assertThatThrownBy(() -> there.serveSockets(name, accepted::add))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> here.connectSocket(there.address(), name, LONG))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void servesTheLongestName() throws Exception {
    there.serveSockets("x".repeat(64), accepted::add);

    try (Socket _ = here.connectSocket(there.address(), "x".repeat(64), LONG)) {
      accepted();
    }
  }

  @Test
  void saysWhichServiceThePeerDoesNotHave() {
    assertThatThrownBy(() -> here.connectSocket(there.address(), "ehco", LONG))
        .isInstanceOf(NoSuchServiceException.class)
        .hasMessageContaining("'ehco'")
        .hasMessageContaining(there.address().toString());
  }

  @Test
  void doesNotConnectToAPortWithAnotherSecret(LogRecords records) throws Exception {
    try (Port stranger = Port.open(Secret.random())) {
      assertThatThrownBy(() -> stranger.connectSocket(there.address(), "echo", LONG))
          .isInstanceOf(WrongSecretException.class)
          .hasMessageContaining(there.address().toString());
    }
    assertThat(accepted).isEmpty();
    records.expect(WARNING, "refused a connection", "does not know this deployment's secret");
  }

  @Test
  void showsWhereTheCallWasMade() {
    assertThatThrownBy(() -> here.connectSocket(there.address(), "none", LONG))
        .satisfies(
            e ->
                assertThat(e.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().equals(PortTest.class.getName())));
  }

  @Test
  void usesTheHighestCommonVersionAndNamesBothRangesIfThereIsNone() throws Exception {
    try (Port old = open(new WireVersions(1, 3));
        Port middle = open(new WireVersions(3, 5));
        Port recent = open(new WireVersions(4, 6))) {
      middle.serveSockets("echo", accepted::add);
      recent.serveSockets("echo", accepted::add);

      old.connectSocket(middle.address(), "echo", LONG).close();
      accepted();
      middle.connectSocket(recent.address(), "echo", LONG).close();
      accepted();
      assertThatThrownBy(() -> old.connectSocket(recent.address(), "echo", LONG))
          .isInstanceOf(VersionMismatchException.class)
          .hasMessageContaining("versions 1 to 3")
          .hasMessageContaining("versions 4 to 6");
    }
  }

  private Port open(WireVersions versions) throws IOException {
    return Port.open(secret, ANY, versions, HandshakeLimits.DEFAULT);
  }

  @Test
  void namesThePortInUse() {
    var taken = new InetSocketAddress(there.address().host(), there.address().port());

    assertThatThrownBy(() -> Port.open(secret, taken))
        .isInstanceOf(BindException.class)
        .hasMessageContaining(there.address().toString())
        .hasMessageContaining("port 0");
  }

  @Test
  void doesNotListenOnTheWildcard() {
    assertThatThrownBy(() -> Port.open(secret, new InetSocketAddress(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name an address of this machine");
  }

  @Test
  void saysThatNobodyListens() throws Exception {
    there.close();

    assertThatThrownBy(() -> here.connectSocket(there.address(), "echo", LONG))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(there.address().toString());
  }

  @Test
  void givesUpOnASilentPeerAfterTheTimeout() throws Exception {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Address address = new Address("127.0.0.1", silent.getLocalPort());

      assertThatThrownBy(() -> here.connectSocket(address, "echo", Duration.ofMillis(50)))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining(address.toString())
          .hasMessageContaining("50 ms");
      assertThat(silent.accept().getInputStream().readAllBytes()).hasSize(44);
    }
  }

  @Test
  void isInterruptible() throws Exception {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Address address = new Address("127.0.0.1", silent.getLocalPort());
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> here.connectSocket(address, "echo", LONG))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void saysThatThePeerBrokeOff() throws Exception {
    try (var rude = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Address address = new Address("127.0.0.1", rude.getLocalPort());
      Future<?> caller = inBackground(() -> here.connectSocket(address, "echo", LONG));
      Socket socket = rude.accept();
      socket.getInputStream().readNBytes(44);
      socket.close();

      assertThatThrownBy(() -> caller.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(EOFException.class)
          .hasMessageContaining(address.toString());
    }
  }

  @Test
  void closesEveryConnectionWithItself() throws Exception {
    Socket caller = here.connectSocket(there.address(), "echo", LONG);
    Socket server = accepted();
    Future<Integer> read = inBackground(() -> server.getInputStream().read());

    there.close();

    assertThatThrownBy(() -> read.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(SocketException.class);
    assertThat(caller.getInputStream().read()).isEqualTo(-1);
    here.close();
    assertThat(caller.isClosed()).isTrue();
  }

  @Test
  void endsAConnectAttemptWhenClosed() throws Exception {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Address address = new Address("127.0.0.1", silent.getLocalPort());
      Future<?> caller = inBackground(() -> here.connectSocket(address, "echo", LONG));
      silent.accept().getInputStream().readNBytes(44);

      here.close();

      assertThatThrownBy(() -> caller.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(SocketException.class)
          .hasMessageContaining("is closed");
    }
  }

  @Test
  void doesNotConnectOnceClosed() {
    here.close();

    assertThatThrownBy(() -> here.connectSocket(there.address(), "echo", LONG))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void survivesAnAcceptorThatFails(LogRecords records) throws Exception {
    there.serveSockets(
        "broken",
        _ -> {
          throw new IllegalStateException("on purpose");
        });

    assertThat(here.connectSocket(there.address(), "broken", LONG).getInputStream().read())
        .isEqualTo(-1);
    here.connectSocket(there.address(), "echo", LONG).close();
    accepted();
    records.expect(ERROR, "an acceptor failed; its connection is closed", "on purpose");
  }

  @Test
  void lastsLongerThanTheHandshakesDeadline(LogRecords records) throws Exception {
    var limits = new HandshakeLimits(Duration.ofMillis(300), 10, Duration.ofMillis(10));
    try (Port hasty = Port.open(secret, ANY, WireVersions.OURS, limits);
        var silent = new Socket("127.0.0.1", hasty.address().port())) {
      hasty.serveSockets("echo", accepted::add);
      Socket caller = here.connectSocket(hasty.address(), "echo", LONG);
      Socket server = accepted();

      // A stranger that came later has run into its deadline, so that of the connection has passed.
      try (var late = new Socket("127.0.0.1", hasty.address().port())) {
        assertThat(late.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      caller.getOutputStream().write(7);
      assertThat(server.getInputStream().read()).isEqualTo(7);
    }
    records.expect(WARNING, "refused a connection", "did not prove the secret in time");
  }

  @Test
  void keepsASocketOpenWhenItsUserIsInterrupted() throws Exception {
    Socket caller = here.connectSocket(there.address(), "echo", LONG);
    Thread.currentThread().interrupt();

    caller.getOutputStream().write(7);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(accepted().getInputStream().read()).isEqualTo(7);
  }

  @Test
  void connectsManyPeersAtOnce() throws Exception {
    int peers = 500;
    there.serveSockets(
        "mirror",
        socket -> {
          try (socket) {
            socket.getOutputStream().write(socket.getInputStream().readNBytes(4));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    var start = new CountDownLatch(1);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers =
          IntStream.range(0, peers)
              .mapToObj(
                  i ->
                      callers.submit(
                          () -> {
                            start.await();
                            try (var socket = here.connectSocket(there.address(), "mirror", LONG)) {
                              socket.getOutputStream().write(String.format("%04d", i).getBytes());
                              return new String(socket.getInputStream().readNBytes(4));
                            }
                          }))
              .toList();
      start.countDown();
      for (int i = 0; i < peers; i++) {
        assertThat(answers.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(String.format("%04d", i));
      }
    }
  }

  private static <T> Future<T> inBackground(Callable<T> task) {
    var result = new CompletableFuture<T>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                result.complete(task.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }
}
