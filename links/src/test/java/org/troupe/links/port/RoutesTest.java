package org.troupe.links.port;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Address;
import org.troupe.links.RecordingForwarder;
import org.troupe.links.Route;
import org.troupe.links.Secret;
import org.troupe.links.UnusedPort;
import org.troupe.links.WrongSecretException;
import org.troupe.links.host.NetworkInterfaces;
import org.troupe.testing.LogRecords;

/** Ports that are known by several ways, of which some lead nowhere, or to others. */
@Timeout(60)
class RoutesTest {

  private static final String OTHER_HOST = "0123456789ab";

  private final Secret secret = Secret.random();
  private final List<Port> ports = new ArrayList<>();
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

  @AfterEach
  void closePorts() {
    ports.forEach(Port::close);
  }

  static PortOptions everywhere(List<String> networks) {
    return new PortOptions(new InetSocketAddress(0), networks, false, Optional.empty(), "");
  }

  private Port open(PortOptions options) throws IOException {
    Port port = Port.open(secret, options);
    ports.add(port);
    return port;
  }

  private Port here() throws IOException {
    return open(PortOptions.at(PortTest.ANY));
  }

  /** A port that can be told from others. */
  private Port there() throws IOException {
    Port port = open(new PortOptions(PortTest.ANY, List.of(), true, Optional.empty(), ""));
    port.serveSockets("echo", accepted::add);
    return port;
  }

  private static Route.Direct to(int number) {
    return Address.direct("127.0.0.1", number);
  }

  private static Address by(Address address, Route... ways) {
    return new Address(List.of(ways), address.identity(), "");
  }

  private void assertConnects(Address address) throws Exception {
    try (Socket near = here().connectSocket(address, "echo", PortTest.LONG);
        Socket far = accepted.poll(30, TimeUnit.SECONDS)) {
      near.getOutputStream().write(7);
      assertThat(far.getInputStream().read()).isEqualTo(7);
    }
    assertThat(accepted).isEmpty();
  }

  @Test
  void areAllAddressesOfTheMachineThatOthersCanUse() throws Exception {
    Port port = open(everywhere(List.of()));
    port.serveSockets("echo", accepted::add);
    Address address = port.address();

    assertThat(address.routes())
        .contains(to(address.port()))
        .allMatch(way -> ((Route.Direct) way).number() == address.port())
        .noneMatch(way -> ((Route.Direct) way).host().startsWith("fe80"));
    assertThat(address.identity()).hasSize(16);
    assertConnects(address);
  }

  @Test
  void lieInTheNetworksThatWereNamedAndOnLoopback() throws Exception {
    List<InetAddress> all = NetworkInterfaces.offered(List.of());
    assumeThat(all).as("addresses of this machine besides loopback").isNotEmpty();
    String one = NetworkInterfaces.text(all.getFirst());

    Address address = open(everywhere(List.of(one))).address();

    assertThat(address.routes())
        .containsExactly(Address.direct(one, address.port()), to(address.port()));
  }

  @Test
  void haveToLieInSomeNetworkThatWasNamed() {
    assertThatThrownBy(() -> open(everywhere(List.of("224.0.0.0/4", "ff00::/8"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("224.0.0.0/4, ff00::/8")
        .hasMessageContaining("none of the addresses of this machine");
  }

  @Test
  void areTriedUntilOneLeadsThere() throws Exception {
    Port there = there();

    assertConnects(by(there.address(), to(UnusedPort.number()), to(there.address().port())));
  }

  @Test
  void doNotWaitForOneThatIsSilent() throws Exception {
    Port there = there();
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      assertConnects(by(there.address(), to(silent.getLocalPort()), to(there.address().port())));
    }
  }

  @Test
  void leadToThePortThatWasMeantAndToNoOtherOfTheGrid(LogRecords records) throws Exception {
    Port there = there();
    Port other = open(new PortOptions(PortTest.ANY, List.of(), true, Optional.empty(), ""));
    var callsOfOther = new AtomicInteger();
    other.serveSockets("echo", _ -> callsOfOther.incrementAndGet());

    assertConnects(by(there.address(), to(other.address().port()), to(there.address().port())));
    Address wrong = by(there.address(), to(other.address().port()));
    assertThatThrownBy(() -> here().connectSocket(wrong, "echo", PortTest.LONG))
        .isInstanceOf(WrongSecretException.class)
        .hasMessageContaining("another port");
    assertThat(callsOfOther).hasValue(0);
    records.expect(WARNING, "refused a connection", "looks for another port");
  }

  @Test
  void mayLeadThroughATunnelWithAnotherNumber() throws Exception {
    Port there = there();
    try (var wire = new RecordingForwarder(there.address())) {
      assertConnects(wire.only());
    }
  }

  @Test
  void thatPassThroughATunnelAreEncrypted() throws Exception {
    Port there = there();
    try (var wire = new RecordingForwarder(there.address());
        Socket near = here().connectSocket(wire.only(), "echo", PortTest.LONG);
        Socket far = accepted.poll(30, TimeUnit.SECONDS)) {
      near.getOutputStream().write("a plain word".getBytes());
      assertThat(far.getInputStream().readNBytes(12)).asString().isEqualTo("a plain word");

      assertThat(new String(wire.passed(), "ISO-8859-1"))
          .contains("TROUPE")
          .doesNotContain("plain");
    }
  }

  @Test
  void skipLoopbackOfAnotherHost() throws Exception {
    Port there = there();
    Address elsewhere =
        new Address(there.address().routes(), there.address().identity(), OTHER_HOST);

    assertThatThrownBy(() -> here().connectSocket(elsewhere, "echo", PortTest.LONG))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(there.address().name() + ": not tried")
        .hasMessageContaining("own host");
    assertThat(accepted).isEmpty();
  }

  @Test
  void areAllListedIfNoneWorks(LogRecords records) throws Exception {
    Port there = there();
    Port stranger = Port.open(Secret.random());
    ports.add(stranger);
    Address address =
        by(
            there.address(),
            to(UnusedPort.number()),
            Address.direct("no-such-host.invalid", 4011),
            to(stranger.address().port()),
            new Route.Relayed());

    assertThatThrownBy(() -> here().connectSocket(address, "echo", PortTest.LONG))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(
            "cannot connect to 127.0.0.1:" + UnusedPort.number() + " over any route:")
        .hasMessageContaining("  - 127.0.0.1:" + UnusedPort.number() + ": Connection refused")
        .hasMessageContaining("  - no-such-host.invalid:4011: the host name cannot be resolved")
        .hasMessageContaining("  - " + stranger.address() + " refused our proof")
        .hasMessageContaining("  - the relay: this JVM knows no relay")
        .hasMessageContaining("firewalls");
    records.expect(WARNING, "refused a connection", "does not know this deployment's secret");
  }

  @Test
  void areListedIfTheTimeWasNotEnough() throws Exception {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Address address = by(there().address(), to(UnusedPort.number()), to(silent.getLocalPort()));

      assertThatThrownBy(() -> here().connectSocket(address, "echo", Duration.ofMillis(500)))
          .hasMessageContaining("within 500 ms")
          .hasMessageContaining("  - 127.0.0.1:" + silent.getLocalPort() + ": no answer")
          .hasMessageContaining("  - 127.0.0.1:" + UnusedPort.number() + ": Connection refused");
    }
  }

  @Test
  void thatHaveWorkedAreTriedFirst() throws Exception {
    Port there = there();
    Port here = here();
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Address address = by(there.address(), to(silent.getLocalPort()), to(there.address().port()));
      here.connectSocket(address, "echo", PortTest.LONG).close();
      silent.accept().close();

      here.connectSocket(address, "echo", PortTest.LONG).close();

      silent.setSoTimeout(1);
      assertThatThrownBy(silent::accept).isInstanceOf(IOException.class);
    }
  }
}
