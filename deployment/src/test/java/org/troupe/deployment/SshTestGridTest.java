package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.Mapping;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SshJvms;
import org.troupe.descriptors.VirtualNode;
import org.troupe.program.Quick;

/**
 * Nodes on machines of the test grid, each with its own sshd; one is behind a gateway and can only
 * connect to that. Needs {@code testgrid up} and its environment.
 */
@Timeout(180)
class SshTestGridTest {

  private static final SourcePosition PLACE = new SourcePosition("grid.xml", 3, 5);
  private static final Duration START = Duration.ofSeconds(120);
  private static final String CONFIG = "troupe.ssh.config";
  private static final List<String> HOSTS = List.of("alpha-1", "gamma-1", "delta-1");

  /** An object that calls others. */
  public static class Guest {

    /** Calls the first object, which calls the next one, and so on. */
    public String chain(List<Guest> others) {
      return others.isEmpty()
          ? "end"
          : others.getFirst().chain(new ArrayList<>(others.subList(1, others.size()))) + "<";
    }
  }

  @BeforeEach
  void findTheGrid() {
    System.setProperty(CONFIG, TestGrid.sshConfig(SshTestGridTest.class));
  }

  @AfterEach
  void forgetTheGrid() {
    System.clearProperty(CONFIG);
  }

  private static Descriptor descriptor() {
    var logins =
        HOSTS.stream()
            .map(
                host ->
                    new Login(
                        host,
                        host,
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        HostKeys.STRICT,
                        List.of(),
                        PLACE))
            .toList();
    var jvm =
        new Jvm(
            "default",
            Optional.empty(),
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(),
            Map.of(),
            Map.of(),
            false,
            PLACE);
    return new Descriptor(
        List.of(),
        List.of(new VirtualNode("guests", PLACE)),
        List.of(new Mapping("guests", "far", PLACE)),
        List.of(
            new SshJvms(
                "far",
                logins,
                1,
                jvm,
                new Cluster("site", List.of(), true, false, PLACE),
                Optional.empty(),
                PLACE)),
        List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void callEachOtherAndLeaveNothing(String transport) throws Exception {
    try (var grid = Grid.deploy(descriptor(), Quick.GRID.withTransport(transport))) {
      var nodes = grid.nodes("guests").await(Nodes.all(), START);

      assertThat(nodes)
          .extracting(node -> node.attributes().get("hostname"))
          .containsExactlyInAnyOrderElementsOf(HOSTS);
      assertThat(nodes).allMatch(node -> node.attributes().get("cluster").equals("site"));
      var guests = new ArrayList<Guest>();
      for (Node node : nodes) {
        guests.add(ActiveObjects.on(node).create(Guest.class));
      }

      for (var guest : guests) {
        var others = new ArrayList<>(guests);
        others.removeIf(each -> each == guest);
        assertThat(guest.chain(others)).isEqualTo("end<<");
      }
    }
    for (var host : HOSTS) {
      assertThat(processesOn(host)).as("JVMs left on " + host).doesNotContain("NodeMain");
    }
  }

  private static String processesOn(String host) throws Exception {
    var process =
        new ProcessBuilder(
                "ssh", "-F", System.getenv("TESTGRID_SSH_CONFIG"), host, "ps -u griduser -o args")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
