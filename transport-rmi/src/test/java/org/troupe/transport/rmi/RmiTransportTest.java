package org.troupe.transport.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.NodeHost;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.activeobjects.spi.Transport.Endpoint;
import org.troupe.activeobjects.spi.Transport.EndpointOptions;
import org.troupe.activeobjects.spi.Transport.Exchange;
import org.troupe.activeobjects.spi.Transport.Receiver;
import org.troupe.links.Secret;
import org.troupe.links.WrongSecretException;

@Timeout(60)
class RmiTransportTest {

  private static final Receiver DEAF = (_, _) -> {};

  private final String secret = Secret.random().reveal();
  private final List<Endpoint> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(Endpoint::close);
  }

  private Endpoint open(String itsSecret, int port, Receiver receiver) throws IOException {
    Endpoint endpoint =
        new RmiTransport().open(new EndpointOptions(itsSecret, "127.0.0.1", port), receiver);
    open.add(endpoint);
    return endpoint;
  }

  private Connection connectedTo(Receiver receiver) throws IOException {
    return open(secret, 0, DEAF).connect(open(secret, 0, receiver).address());
  }

  private static Receiver answering(Frame reply) {
    return (_, exchange) -> exchange.reply(reply);
  }

  private static Frame frame(int header, int body) {
    return new Frame(new byte[] {(byte) header}, new byte[] {(byte) body});
  }

  @Test
  void isFoundByItsName() {
    var settings =
        new NodeHost.Settings(
            "n1",
            List.of("workers"),
            "localhost",
            Map.of(),
            "no-such-transport",
            new EndpointOptions(secret, "127.0.0.1", 0),
            NodeHost.Settings.USUAL_SILENCE);

    assertThatThrownBy(() -> NodeHost.open(settings)).hasMessageContaining("rmi");
  }

  @Test
  void deliversBatchesInOrder() throws IOException {
    var received = new ArrayList<Frame>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              assertThat(exchange).isNull();
              received.add(frame);
            });

    connection.send(List.of(frame(1, 2), frame(3, 4)));
    connection.send(List.of(new Frame(new byte[] {5})));

    assertThat(received)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(frame(1, 2), frame(3, 4), new Frame(new byte[] {5}));
  }

  @Test
  void returnsTheReplyOfAnExchange() throws IOException {
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (frame.header()[0] == 1) {
                assertThat(exchange.reply(frame(7, frame.body()[0]))).isTrue();
              }
            });

    assertThat(connection.exchange(frame(1, 2))).usingRecursiveComparison().isEqualTo(frame(7, 2));
    assertThat(connection.exchange(frame(0, 2))).isNull();
  }

  @Test
  void carriesArraysOfAllTypesOfNumbers() throws IOException {
    var all =
        new Frame(
            new byte[] {1},
            new byte[] {2},
            List.of(
                new byte[] {1, -1},
                new short[] {2, -2},
                new char[] {3, '\uffff'},
                new int[] {4, -4},
                new long[] {5, -5},
                new float[] {6.5f, -6.5f},
                new double[] {7.25, -7.25}));
    var received = new ArrayList<Frame>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              received.add(frame);
              if (exchange != null) {
                exchange.reply(frame);
              }
            });

    connection.send(List.of(frame(3, 4), all, frame(5, 6)));
    var back = connection.exchange(all);

    assertThat(received).hasSize(4);
    assertThat(List.of(received.get(1), received.get(3), back))
        .allSatisfy(frame -> assertThat(frame).usingRecursiveComparison().isEqualTo(all));
    assertThat(received.get(2)).usingRecursiveComparison().isEqualTo(frame(5, 6));
  }

  @Test
  void endsAnExchangeWhenItsCallHasReturned() throws IOException {
    var ended = new ArrayList<Exchange>();
    var connection = connectedTo((frame, exchange) -> ended.add(exchange));

    assertThat(connection.exchange(frame(1, 2))).isNull();

    assertThat(ended).singleElement().matches(exchange -> !exchange.reply(frame(7, 2)));
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
                assertThat(awaited(second)).isTrue();
              }
              exchange.reply(frame);
            });

    var replies = new LinkedBlockingQueue<Frame>();
    var waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    replies.add(connection.exchange(frame(1, 1)));
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    assertThat(awaited(first)).isTrue();
    assertThat(connection.exchange(frame(2, 2)).header()).containsExactly(2);

    waiting.join();
    assertThat(replies.take().header()).containsExactly(1);
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void survivesAReceiverThatThrows() throws IOException {
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

  @Test
  void refusesAPeerWithAnotherSecret() throws IOException {
    var stranger = open(Secret.random().reveal(), 0, DEAF);
    var endpoint = open(secret, 0, DEAF);

    assertThatThrownBy(() -> stranger.connect(endpoint.address()))
        .isInstanceOf(WrongSecretException.class);
  }

  @Test
  void keepsDeploymentsOfOneJvmApart() throws IOException {
    var other = Secret.random().reveal();
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
    var ended = new LinkedBlockingQueue<Exception>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                connection.exchange(frame(1, 1));
              } catch (IOException e) {
                ended.add(e);
              }
            });
    assertThat(awaited(served)).isTrue();

    endpoint.close();

    assertThat(ended.take()).isInstanceOf(IOException.class);
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

    assertThatThrownBy(() -> new RmiTransport().open(options, DEAF))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'no-such-host.invalid'")
        .hasMessageContaining("use an address");
  }

  /** Opens an endpoint, uses it, and returns. */
  static final class Forgetful {
    public static void main(String[] arguments) throws IOException {
      var options = new EndpointOptions(Secret.random().reveal(), "127.0.0.1", 0);
      Endpoint endpoint =
          new RmiTransport().open(options, (frame, exchange) -> exchange.reply(frame));
      endpoint.connect(endpoint.address()).exchange(frame(1, 1));
    }
  }

  @Test
  void anOpenEndpointDoesNotKeepItsJvmAlive() throws Exception {
    var forgetful =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName())
            .inheritIO()
            .start();
    try {
      assertThat(forgetful.waitFor(50, TimeUnit.SECONDS)).as("it has ended").isTrue();
      assertThat(forgetful.exitValue()).isZero();
    } finally {
      forgetful.destroyForcibly();
    }
  }
}
