package org.troupe.links.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Address;
import org.troupe.links.Route;
import org.troupe.links.Secret;
import org.troupe.links.UnusedPort;

@Timeout(120)
class PortForwarderTest {

  private static final String LOOPBACK = "127.0.0.1";

  private final Secret secret = Secret.random();
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
  private Port port;
  private PortForwarder forwarder;

  @BeforeEach
  void open() throws IOException {
    port = port();
    port.serveSockets("talk", accepted::add);
    var target = new InetSocketAddress(LOOPBACK, port.address().port());
    forwarder = PortForwarder.open(target, List.of("127.0.0.1/32"), 10);
  }

  @AfterEach
  void close() {
    forwarder.close();
    port.close();
  }

  private Port port() throws IOException {
    var bind = new InetSocketAddress(LOOPBACK, 0);
    return Port.open(secret, new PortOptions(bind, List.of(), true, Optional.empty(), ""));
  }

  private Socket connected(Port from) throws IOException {
    var through = forwarder.addresses().getFirst();
    var unreachable =
        new Address(
            List.of(
                Address.direct(LOOPBACK, UnusedPort.number()),
                new Route.Tunnel(LOOPBACK, through.getPort())),
            port.address().identity(),
            "");
    return from.connectSocket(unreachable, "talk", Duration.ofSeconds(60));
  }

  @Test
  void leadsToAPortThatCannotBeDialled() throws Exception {
    try (var other = port();
        var near = connected(other);
        var far = accepted.poll(60, TimeUnit.SECONDS)) {
      near.getOutputStream().write("ping".getBytes());
      assertThat(far.getInputStream().readNBytes(4)).asString().isEqualTo("ping");
      far.getOutputStream().write("pong".getBytes());
      assertThat(near.getInputStream().readNBytes(4)).asString().isEqualTo("pong");

      forwarder.close();

      assertThat(near.getInputStream().read()).isNegative();
    }
  }

  /** Connects somebody who says a byte and nothing more; returns both ends. */
  private static List<Socket> stranger(PortForwarder to, ServerSocket onward) throws IOException {
    var near = new Socket(LOOPBACK, to.addresses().getFirst().getPort());
    near.getOutputStream().write('?');
    var far = onward.accept();
    assertThat(far.getInputStream().read()).isEqualTo('?');
    return List.of(near, far);
  }

  @Test
  void takesNoMoreThanItsBoundAndKeepsNobodyWhoWasSentAway() throws Exception {
    try (var onward = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var bounded =
            PortForwarder.open(
                (InetSocketAddress) onward.getLocalSocketAddress(), List.of("127.0.0.1"), 2)) {
      var one = stranger(bounded, onward);
      var two = stranger(bounded, onward);
      try (var three = new Socket(LOOPBACK, bounded.addresses().getFirst().getPort())) {
        assertThat(three.getInputStream().read()).as("closed unheard").isNegative();
      }

      one.getLast().close(); // who was sent away hangs up never
      assertThat(one.getFirst().getInputStream().read()).isNegative();

      var four = stranger(bounded, onward);
      assertThat(four.getFirst().isConnected()).isTrue();
      for (var each : List.of(one, two, four)) {
        each.getFirst().close();
        each.getLast().close();
      }
    }
  }
}
