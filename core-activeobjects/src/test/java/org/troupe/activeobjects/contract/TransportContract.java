package org.troupe.activeobjects.contract;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.activeobjects.transport.Transport.Receiver;
import org.troupe.serialization.SerializationException;
import org.troupe.testing.LogRecords;

/** The contract of a transport, its endpoints and its connections, tested without nodes. */
@Timeout(60)
public abstract class TransportContract {

  public static final Receiver DEAF = (_, _) -> {};

  /** With 1 ms between them: 30 s, in which a sender learns that its peer has closed. */
  private static final long MOST_NANOS_UNTIL_THE_END = TimeUnit.MINUTES.toNanos(1);

  public final String secret = randomSecret();
  private final String transport;
  private final List<Endpoint> open = new ArrayList<>();

  /** Returns a secret like that of a deployment: 32 bytes in hexadecimal. */
  private static String randomSecret() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public TransportContract(String transport) {
    this.transport = transport;
  }

  /** Returns the options of a JVM in which the transport is used. */
  protected List<String> jvmOptions() {
    return List.of();
  }

  @AfterEach
  void close() {
    open.forEach(Endpoint::close);
  }

  private static Transport named(String name) {
    return ServiceLoader.load(Transport.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  public final Endpoint open(String itsSecret, int port, Receiver receiver) throws IOException {
    var options = new EndpointOptions(itsSecret, "127.0.0.1", port);
    Endpoint endpoint = named(transport).open(options, receiver);
    open.add(endpoint);
    return endpoint;
  }

  public final Connection connectedTo(Receiver receiver) throws IOException {
    return open(secret, 0, DEAF).connect(open(secret, 0, receiver).address());
  }

  private static Receiver answering(Frame reply) {
    return (_, exchange) -> exchange.reply(reply);
  }

  public static Frame frame(int header, int body) {
    return new Frame(new byte[] {(byte) header}, new byte[] {(byte) body});
  }

  /** Returns a copy that outlives the call, because the transport may reuse the header. */
  public static Frame kept(Frame frame) {
    return new Frame(frame.header().clone(), frame.body(), frame.arrays());
  }

  public static boolean same(Frame one, Frame other) {
    return Arrays.equals(one.header(), other.header())
        && Arrays.equals(one.body(), other.body())
        && Objects.deepEquals(one.arrays().toArray(), other.arrays().toArray());
  }

  public static Frame next(BlockingQueue<Frame> frames) throws InterruptedException {
    var frame = frames.poll(30, SECONDS);
    assertThat(frame).as("the next frame").isNotNull();
    return frame;
  }

  public static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Performs an exchange on a platform thread, as the contract requires. */
  public static CompletableFuture<Frame> exchanging(Connection connection, Frame frame) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return connection.exchange(frame);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        work -> Thread.ofPlatform().daemon().start(work));
  }

  public static void assertBroke(CompletableFuture<Frame> exchange) {
    assertThat(exchange)
        .failsWithin(30, SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(UncheckedIOException.class);
  }

  @Test
  void isFoundByItsName() {
    var settings =
        new GridMember.Settings(
            "n1",
            List.of("workers"),
            "localhost",
            Map.of(),
            "no-such-transport",
            new EndpointOptions(secret, "127.0.0.1", 0),
            GridMember.Settings.USUAL_SILENCE);

    assertThatThrownBy(() -> GridMember.open(settings)).hasMessageContaining(transport);
  }

  @Test
  void deliversBatchesInOrder() throws Exception {
    var received = new LinkedBlockingQueue<Frame>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (exchange == null) {
                received.add(kept(frame));
              }
            });

    connection.send(List.of(frame(1, 2), frame(3, 4)));
    connection.send(List.of(new Frame(new byte[] {5})));

    assertThat(next(received)).matches(each -> same(each, frame(1, 2)));
    assertThat(next(received)).matches(each -> same(each, frame(3, 4)));
    assertThat(next(received)).matches(each -> same(each, new Frame(new byte[] {5})));
  }

  @Test
  void exchangesOverOneConnectionOvertakeEachOther() throws Exception {
    var first = new CountDownLatch(1);
    var second = new CountDownLatch(1);
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (frame.header()[0] == 2) {
                second.countDown();
              } else {
                first.countDown();
                awaited(second);
              }
              exchange.reply(frame);
            });

    var waiting = exchanging(connection, frame(1, 1));
    assertThat(awaited(first)).isTrue();
    assertThat(connection.exchange(frame(2, 2)).header()).containsExactly(2);

    assertThat(waiting)
        .succeedsWithin(30, SECONDS)
        .satisfies(reply -> assertThat(reply.header()).containsExactly(1));
  }

  @Test
  void survivesAReceiverThatThrows(LogRecords records) throws IOException {
    records.allow(ERROR, "IllegalArgumentException: no such frame");
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (frame.header()[0] == 0) {
                throw new IllegalArgumentException("no such frame");
              }
              exchange.reply(frame);
            });

    assertThat(connection.exchange(frame(0, 0))).isNull();
    assertThat(connection.exchange(frame(1, 0))).isNotNull();
  }

  /** Rejects frames whose header is 0, and records the others. */
  private record Rejecting(BlockingQueue<Frame> received) implements Receiver {
    @Override
    public void received(Frame frame, Transport.Exchange exchange) {
      if (frame.header()[0] == 0) {
        throw new SerializationException("no node sends this");
      }
      received.add(kept(frame));
      if (exchange != null) {
        exchange.reply(frame);
      }
    }
  }

  @Test
  void closesAConnectionThatCarriedAFrameThatCannotBeDecoded(LogRecords records) throws Exception {
    var received = new LinkedBlockingQueue<Frame>();
    var endpoint = open(secret, 0, new Rejecting(received));
    var connection = open(secret, 0, DEAF).connect(endpoint.address());

    assertThatThrownBy(
            () -> {
              connection.send(List.of(frame(0, 0), frame(1, 1)));
              var deadline = System.nanoTime() + MOST_NANOS_UNTIL_THE_END;
              while (System.nanoTime() < deadline) {
                connection.send(List.of(frame(2, 2)));
              }
            })
        .isInstanceOf(IOException.class);

    records.expect(WARNING, "a peer sent an unreadable frame", "no node sends this");
    var other = open(secret, 0, DEAF).connect(endpoint.address());
    other.send(List.of(frame(3, 3)));
    assertThat(next(received)).as("on another connection").matches(each -> same(each, frame(3, 3)));
    assertThat(received).isEmpty();
  }

  @Test
  void failsAnExchangeWhoseFrameCannotBeDecoded(LogRecords records) throws Exception {
    var received = new LinkedBlockingQueue<Frame>();
    var endpoint = open(secret, 0, new Rejecting(received));
    var connection = open(secret, 0, DEAF).connect(endpoint.address());

    assertBroke(exchanging(connection, frame(0, 0)));

    records.expect(WARNING, "a peer sent an unreadable frame", "no node sends this");
    var other = open(secret, 0, DEAF).connect(endpoint.address());
    assertThat(other.exchange(frame(3, 3)).header()).containsExactly(3);
    assertThat(received).hasSize(1);
  }

  /** The reason was reported before: a warning would fail this test. */
  @Test
  void closesAConnectionThatItsReceiverRefusesWithoutAWarning() throws Exception {
    Receiver refusing =
        (frame, exchange) -> {
          throw new Transport.RefusedConnectionException("meant for another one");
        };
    var endpoint = open(secret, 0, refusing);
    var connection = open(secret, 0, DEAF).connect(endpoint.address());

    assertThatThrownBy(
            () -> {
              var deadline = System.nanoTime() + MOST_NANOS_UNTIL_THE_END;
              while (System.nanoTime() < deadline) {
                connection.send(List.of(frame(0, 0)));
              }
            })
        .isInstanceOf(IOException.class);
    assertBroke(exchanging(open(secret, 0, DEAF).connect(endpoint.address()), frame(0, 0)));
  }

  @Test
  void refusesAPeerWithAnotherSecret(LogRecords records) throws IOException {
    records.allow(WARNING, "secret");
    var stranger = open(randomSecret(), 0, DEAF);
    var endpoint = open(secret, 0, DEAF);

    assertThatThrownBy(() -> stranger.connect(endpoint.address()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("secret");
  }

  @Test
  void keepsDeploymentsOfOneJvmApart() throws IOException {
    var other = randomSecret();
    var here = open(secret, 0, answering(frame(1, 1))).address();
    var there = open(other, 0, answering(frame(2, 2))).address();

    var toHere = open(secret, 0, DEAF).connect(here);
    var toThere = open(other, 0, DEAF).connect(there);

    assertThat(toHere.exchange(frame(0, 0)).header()).containsExactly(1);
    assertThat(toThere.exchange(frame(0, 0)).header()).containsExactly(2);
  }

  @Test
  void aClosedConnectionSendsNothing() throws IOException {
    var connection = connectedTo(answering(frame(1, 1)));
    connection.exchange(frame(0, 0));

    connection.close();

    assertThatThrownBy(() -> connection.exchange(frame(0, 0))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> connection.send(List.of(frame(0, 0)))).isInstanceOf(IOException.class);
  }

  @Test
  void aClosedEndpointEndsCallsInProgress() throws Exception {
    var served = new CountDownLatch(1);
    var never = new CountDownLatch(1);
    var endpoint =
        open(
            secret,
            0,
            (frame, exchange) -> {
              served.countDown();
              awaited(never);
              exchange.reply(frame);
            });
    var connection = open(secret, 0, DEAF).connect(endpoint.address());
    var ended = exchanging(connection, frame(1, 1));
    assertThat(awaited(served)).isTrue();

    endpoint.close();

    assertBroke(ended);
    assertThatThrownBy(() -> connection.exchange(frame(1, 1))).isInstanceOf(IOException.class);
    never.countDown();
  }

  @Test
  void namesAPortInUseAndWhatToDo() throws IOException {
    int port = Integer.parseInt(open(secret, 0, DEAF).address().replaceAll(".*:", ""));

    assertThatThrownBy(() -> open(secret, port, DEAF))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageContaining("use port 0");
  }

  @Test
  void namesAnUnknownHost() {
    var options = new EndpointOptions(secret, "no-such-host.invalid", 0);

    assertThatThrownBy(() -> named(transport).open(options, DEAF))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'no-such-host.invalid'")
        .hasMessageContaining("use an address");
  }

  /** Opens an endpoint of the named transport, uses it, and returns without closing it. */
  static final class LeavesEndpointOpen {
    public static void main(String[] arguments) throws IOException {
      var options = new EndpointOptions(randomSecret(), "127.0.0.1", 0);
      Endpoint endpoint =
          named(arguments[0]).open(options, (frame, exchange) -> exchange.reply(frame));
      endpoint.connect(endpoint.address()).exchange(frame(1, 1));
    }
  }

  @Test
  void anOpenEndpointDoesNotKeepItsJvmAlive() throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(jvmOptions());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LeavesEndpointOpen.class.getName(), transport));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      assertThat(process.waitFor(50, SECONDS)).as("it has ended").isTrue();
      assertThat(process.inputReader().lines()).as("what it has printed").isEmpty();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
