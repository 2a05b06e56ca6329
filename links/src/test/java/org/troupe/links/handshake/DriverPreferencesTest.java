package org.troupe.links.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.troupe.links.Driver.SHM;
import static org.troupe.links.Driver.TCP;
import static org.troupe.links.Driver.TLS;
import static org.troupe.links.Driver.UDS;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.links.Driver;
import org.troupe.links.Link;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Secret;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortTest;
import org.troupe.links.port.TestPorts;

/** Which driver two ports agree on. */
@Timeout(60)
class DriverPreferencesTest {

  private final Secret secret = Secret.random();
  private final List<Port> ports = new ArrayList<>();
  private final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();

  @AfterEach
  void closePorts() {
    ports.forEach(Port::close);
  }

  private Port port(String drivers) throws IOException {
    Port port =
        TestPorts.open(
            secret,
            PortTest.ANY,
            WireVersions.OURS,
            HandshakeLimits.DEFAULT,
            DriverPreferences.parse(drivers));
    ports.add(port);
    return port;
  }

  private Driver between(String caller, String server) throws Exception {
    Port there = port(server);
    there.serve("link", accepted::add);
    try (Link near = port(caller).connect(there.address(), "link", PortTest.LONG);
        Link far = accepted.poll(30, TimeUnit.SECONDS)) {
      assertThat(far.driver()).isEqualTo(near.driver());
      return near.driver();
    }
  }

  @Test
  void areSharedMemoryOnOneHostIfNobodyChooses() throws Exception {
    assertThat(between("", "")).isEqualTo(SHM);
  }

  @Test
  void areTheFirstOfTheCallersThatThePortHas() throws Exception {
    assertThat(between("uds,tcp", "tcp,uds")).isEqualTo(UDS);
    assertThat(between("tcp,uds", "uds,tcp")).isEqualTo(TCP);
    assertThat(between("shm,tls", "tcp,tls")).isEqualTo(TLS);
    assertThat(between("", "tcp")).isEqualTo(TCP);
    assertThat(between("uds", "")).isEqualTo(UDS);
  }

  @Test
  void haveToBeInCommon() throws Exception {
    Port there = port("tcp");
    there.serve("link", accepted::add);

    assertThatThrownBy(() -> port("tls,uds").connect(there.address(), "link", PortTest.LONG))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no driver in common")
        .hasMessageContaining("[TLS, UDS]")
        .hasMessageContaining("'troupe.links'")
        .hasMessageContaining("--enable-native-access=org.troupe.links");
  }

  @Test
  void areChosenByAProperty() throws Exception {
    System.setProperty(DriverPreferences.PROPERTY, " TCP , uds");
    try {
      assertThat(DriverPreferences.ofProperty().chosen()).containsExactly(TCP, UDS);
      System.setProperty(DriverPreferences.PROPERTY, "tcp,pigeon");
      assertThatThrownBy(() -> Port.open(secret))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'pigeon'")
          .hasMessageContaining("'troupe.links'")
          .hasMessageContaining("tcp, uds, shm, tls");
    } finally {
      System.clearProperty(DriverPreferences.PROPERTY);
    }
  }

  @Test
  void encryptWhatLeavesTheMachineUnlessSomebodyChoosesOtherwise() throws Exception {
    var elsewhere = InetAddress.getByName("192.0.2.1"); // never an address of this machine
    var usual = DriverPreferences.parse("");

    assertThat(usual.forLink(false)).contains(TLS).doesNotContain(TCP);
    assertThat(usual.forSocket(false)).containsExactly(TLS);
    assertThat(usual.forLink(true)).containsSubsequence(TCP, TLS);
    assertThat(DriverPreferences.parse("tcp").forLink(false)).containsExactly(TCP);
    assertThat(DriverPreferences.mayBePlain(elsewhere, true, false)).isFalse();
    assertThat(DriverPreferences.mayBePlain(InetAddress.getLoopbackAddress(), true, false))
        .isTrue();
  }

  @Test
  void encryptWhatComesByLoopbackFromAnotherHost() {
    assertThat(DriverPreferences.mayBePlain(InetAddress.getLoopbackAddress(), false, false))
        .isFalse();
    assertThat(DriverPreferences.mayBePlain(InetAddress.getLoopbackAddress(), false, true))
        .isFalse();
  }

  @Test
  void doNotEncryptInATrustedNetworkOfBoth() throws Exception {
    var elsewhere = InetAddress.getByName("192.0.2.1");

    assertThat(DriverPreferences.mayBePlain(elsewhere, false, true)).isTrue();
    assertThat(DriverPreferences.mayBePlain(elsewhere, false, false)).isFalse();
  }

  private final DriverNegotiation negotiation = new DriverNegotiation(secret);

  private DriverNegotiation.Offer offered(
      DriverNegotiation.NetworkLocation from, DriverNegotiation.NetworkLocation to)
      throws Exception {
    byte[] session = Secret.randomBytes(32);
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var caller = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket port = listener.accept()) {
      negotiation.offer(caller, session, DriverNegotiation.Kind.LINK, List.of(TLS), from);
      return negotiation.readOffer(port, session, to);
    }
  }

  @Test
  void areChosenByWhereTheOtherSideRunsWhateverItsAddress() throws Exception {
    var here =
        new DriverNegotiation.NetworkLocation(new HostIdentity("stack 1", "user 1"), "myrinet");
    var neighbour =
        new DriverNegotiation.NetworkLocation(new HostIdentity("stack 1", "user 2"), "ethernet");
    var colleague =
        new DriverNegotiation.NetworkLocation(new HostIdentity("stack 2", "user 3"), "myrinet");
    var unknown = new DriverNegotiation.NetworkLocation(HostIdentity.UNKNOWN, "");

    assertThat(offered(here, here))
        .extracting("sameHost", "sameStack", "sameTrusted")
        .containsExactly(true, true, true);
    assertThat(offered(here, neighbour))
        .extracting("sameHost", "sameStack", "sameTrusted")
        .containsExactly(false, true, false);
    assertThat(offered(here, colleague))
        .extracting("sameHost", "sameStack", "sameTrusted")
        .containsExactly(false, false, true);
    assertThat(offered(unknown, unknown))
        .extracting("sameHost", "sameStack", "sameTrusted")
        .containsExactly(false, false, false);
  }

  @Test
  void doNotShareWithAnotherHost() {
    List<Driver> all = List.of(SHM, UDS, TCP, TLS);

    assertThat(DriverPreferences.common(all, all, true)).isEqualTo(all);
    assertThat(DriverPreferences.common(all, all, false)).containsExactly(TCP, TLS);
  }

  @Test
  void takeAnotherNamespaceOrUserOrBootForAnotherHost(@TempDir Path proc) throws Exception {
    assumeThat(Path.of("/proc/self/ns")).isDirectory();
    Path bootId = Files.writeString(proc.resolve("boot_id"), "5a1f\n");
    HostIdentity first = host(proc, bootId, "net:[1]", "pid:[1]");

    assertThat(host(proc, bootId, "net:[1]", "pid:[1]")).isEqualTo(first);
    assertThat(host(proc, bootId, "net:[2]", "pid:[1]")).isNotEqualTo(first);
    assertThat(host(proc, bootId, "net:[1]", "pid:[2]")).isNotEqualTo(first);
    Files.writeString(bootId, "5a20\n");
    assertThat(host(proc, bootId, "net:[1]", "pid:[1]")).isNotEqualTo(first);
    assertThat(first.text()).contains(" uid ");
    assertThat(host(proc, proc.resolve("none"), "net:[1]", "pid:[1]").isKnown()).isFalse();
    assertThat(HostIdentity.here().isKnown()).isTrue();
  }

  private static HostIdentity host(Path proc, Path bootId, String net, String pid)
      throws IOException {
    Path namespaces = Files.createTempDirectory(proc, "ns");
    Files.createSymbolicLink(namespaces.resolve("net"), Path.of(net));
    Files.createSymbolicLink(namespaces.resolve("pid"), Path.of(pid));
    Files.createSymbolicLink(namespaces.resolve("mnt"), Path.of("mnt:[1]"));
    Files.createSymbolicLink(namespaces.resolve("user"), Path.of("user:[1]"));
    return HostIdentity.find(bootId, namespaces, proc);
  }

  @Test
  void carrySocketsOverTlsToo() throws Exception {
    var sockets = new LinkedBlockingQueue<Socket>();
    Port there = port("tls");
    there.serveSockets("socket", sockets::add);

    try (Socket near = port("tls").connectSocket(there.address(), "socket", PortTest.LONG);
        Socket far = sockets.poll(30, TimeUnit.SECONDS)) {
      assertThat(near).isInstanceOf(SSLSocket.class);
      near.getOutputStream().write("ping".getBytes());
      assertThat(far.getInputStream().readNBytes(4)).asString().isEqualTo("ping");
      far.getOutputStream().write("pong".getBytes());
      assertThat(near.getInputStream().readNBytes(4)).asString().isEqualTo("pong");
      there.close();
      assertThatThrownBy(() -> far.getInputStream().read()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void sayThatAServiceGivesTheOtherKind() throws Exception {
    Port there = port("tcp");
    there.serve("links", accepted::add);
    there.serveSockets("sockets", _ -> {});
    Port here = port("tcp");

    assertThatThrownBy(() -> here.connect(there.address(), "sockets", PortTest.LONG))
        .isInstanceOf(NoSuchServiceException.class)
        .hasMessageContaining("'sockets'");
    assertThatThrownBy(() -> here.connectSocket(there.address(), "links", PortTest.LONG))
        .isInstanceOf(NoSuchServiceException.class)
        .hasMessageContaining("'links'");
  }

  @Test
  void leaveNothingBehind() throws Exception {
    Port there = port("uds");
    there.serve("link", accepted::add);
    try (Link near = port("uds").connect(there.address(), "link", PortTest.LONG);
        Link far = accepted.poll(30, TimeUnit.SECONDS)) {
      near.write(ByteBuffer.allocate(1));
      assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(1);
      assertThat(foldersOf(ProcessHandle.current().pid())).hasSize(1);
    }
    closePorts();

    assertThat(foldersOf(ProcessHandle.current().pid())).isEmpty();
  }

  static List<Path> foldersOf(long pid) throws IOException {
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("troupe-" + pid + "-"))
          .toList();
    }
  }
}
