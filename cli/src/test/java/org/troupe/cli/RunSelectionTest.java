package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** Deployments whose programs are stopped, as by Ctrl-Z: they accept a question, and are silent. */
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
class RunSelectionTest {

  private static final String TEMPORARY = "java.io.tmpdir";

  @TempDir private Path folder;
  private final String temporary = System.getProperty(TEMPORARY);
  private final List<ServerSocketChannel> stopped = new ArrayList<>();

  @BeforeEach
  void openSockets() throws IOException {
    System.setProperty(TEMPORARY, folder.toString());
    var sockets =
        Files.createDirectory(
            folder.resolve("troupe-control-" + System.getProperty("user.name")),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (var id : List.of("1-7", "1-8")) {
      var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      stopped.add(server);
      server.bind(UnixDomainSocketAddress.of(sockets.resolve(id + ".sock")));
    }
  }

  @AfterEach
  void closeSockets() throws IOException {
    System.setProperty(TEMPORARY, temporary);
    for (var each : stopped) {
      each.close();
    }
  }

  @Test
  void theIdOfAProcessAsksNoProgram() {
    assertThat(RunSelection.one("1-8").id()).isEqualTo("1-8");
  }

  @Test
  void theIdOfARunIsNotThatOfASilentProgram() {
    assertThatThrownBy(() -> RunSelection.one("0a1b2c3d-4e5f"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no deployment '0a1b2c3d-4e5f'; there are 1-7, 1-8");
  }
}
