package org.troupe.links.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.links.Address;
import org.troupe.links.Driver;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.host.SocketFolder;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortTest;
import org.troupe.links.port.TestPorts;

/** Links between two JVMs, one of which is killed without a chance to say so. */
@Timeout(120)
class KilledPeerTest {

  private final Secret secret = Secret.random();
  private final List<Process> peers = new ArrayList<>();
  private final LinkedBlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
  private Port here;

  @BeforeEach
  void openPort() throws IOException {
    var all = DriverPreferences.parse("shm,uds,tcp,tls");
    here = TestPorts.open(secret, PortTest.ANY, WireVersions.OURS, HandshakeLimits.DEFAULT, all);
    here.serve("link", accepted::add);
  }

  @AfterEach
  void end() {
    here.close();
    peers.forEach(Process::destroyForcibly);
  }

  /** What the other JVM does with its link. */
  enum Deed {
    WRITE,
    READ,
    SLEEP,
    SLEEP_WITH_A_FOLDER
  }

  private Process start(String drivers, Deed deed, String... options) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(options));
    command.add("-Dtroupe.links=" + drivers);
    command.add("-cp");
    command.add(classes(Port.class) + ":" + classes(KilledPeerTest.class));
    command.add(Peer.class.getName());
    command.add(here.address().toString());
    command.add(deed.name());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    peers.add(process);
    process.outputWriter().append(secret.reveal()).append('\n').flush();
    return process;
  }

  private static Path classes(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private Link accepted() throws InterruptedException {
    Link link = accepted.poll(60, TimeUnit.SECONDS);
    assertThat(link).as("link from the other JVM within 60 s").isNotNull();
    return link;
  }

  /** The other JVM. */
  static final class Peer {

    private Peer() {}

    public static void main(String[] arguments) throws Exception {
      Port port = Port.open(Secret.readLine(System.in));
      Address peer = Address.parse(arguments[0]);
      if (Deed.valueOf(arguments[1]) == Deed.SLEEP_WITH_A_FOLDER) {
        SocketFolder.create();
      }
      Link link = port.connect(peer, "link", PortTest.LONG);
      var bytes = ByteBuffer.allocate(1 << 20);
      switch (Deed.valueOf(arguments[1])) {
        case WRITE -> {
          while (true) {
            link.write(bytes.clear());
          }
        }
        case READ -> {
          while (link.read(bytes.clear()) >= 0) {}
        }
        case SLEEP, SLEEP_WITH_A_FOLDER -> Thread.currentThread().join();
      }
    }
  }

  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  @ParameterizedTest
  @EnumSource
  void endsTheReaderInTheMiddleOfAMessage(Driver driver) throws Exception {
    Process peer = start(driver.name(), Deed.WRITE, NATIVE);
    Link link = accepted();
    assertThat(link.driver()).isEqualTo(driver);
    link.readFully(MemorySegment.ofArray(new byte[5_000_000]));

    kill(peer);

    assertThatThrownBy(
            () -> {
              while (true) {
                link.readFully(MemorySegment.ofArray(new byte[1_000_000]));
              }
            })
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void wakesAReaderThatWaits(Driver driver) throws Exception {
    Process peer = start(driver.name(), Deed.SLEEP, NATIVE);
    Link link = accepted();
    var reader =
        new FutureTask<>(
            () -> {
              try {
                return link.read(ByteBuffer.allocate(1));
              } catch (IOException e) {
                return -1;
              }
            });
    Thread.ofPlatform().daemon().start(reader);

    kill(peer);

    assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void wakesAWriterThatWaitsForRoom(Driver driver) throws Exception {
    for (boolean shared : new boolean[] {false, true}) {
      Process peer = start(driver.name(), Deed.SLEEP, NATIVE);
      Link link = accepted();
      if (shared) {
        link.share();
      }
      var writer =
          new FutureTask<>(
              () -> {
                link.write(ByteBuffer.allocate(100_000_000));
                return null;
              });
      Thread.ofPlatform().daemon().start(writer);

      kill(peer);

      assertThatThrownBy(() -> writer.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsAWriterWhosePeerReads(Driver driver) throws Exception {
    Process peer = start(driver.name(), Deed.READ, NATIVE);
    Link link = accepted();
    link.write(ByteBuffer.allocate(5_000_000));

    kill(peer);

    assertThatThrownBy(
            () -> {
              while (true) {
                link.write(ByteBuffer.allocate(1_000_000));
              }
            })
        .isInstanceOf(IOException.class);
  }

  private static void kill(Process peer) throws Exception {
    peer.destroyForcibly();
    assertThat(peer.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void usesAnotherDriverWhereOneSideHasNoNativeAccess() throws Exception {
    Process peer = start("", Deed.SLEEP);

    assertThat(accepted().driver()).isEqualTo(Driver.UDS);
    kill(peer);
  }

  @Test
  void leavesNoFileThatTheNextPortDoesNotRemove() throws Exception {
    Process peer = start("shm", Deed.SLEEP_WITH_A_FOLDER, NATIVE);
    accepted();
    SocketFolder.removeLeftovers();
    assertThat(DriverPreferencesTest.foldersOf(peer.pid()))
        .as("while its process lives")
        .hasSize(1);
    kill(peer);

    SocketFolder.removeLeftovers();

    assertThat(DriverPreferencesTest.foldersOf(peer.pid())).isEmpty();
    assertThat(memoryFiles()).isEmpty();
  }

  private static List<Path> memoryFiles() {
    try (var files = Files.list(Path.of("/dev/shm"))) {
      return files.filter(file -> file.getFileName().toString().contains("troupe")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
