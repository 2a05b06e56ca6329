package org.troupe.deployment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;

/** Processes that end in an orderly way leave last images of their objects. */
@Timeout(120)
class KeptObjectsOfJvmsTest {

  @TempDir private Path folder;

  private Ledger ledger(Nodes nodes, int node) {
    var options = Options.STANDARD.withKeep(Keep.state(Store.directory(folder.resolve("store"))));
    return ActiveObjects.on(nodes.get(node)).with(options).create(Ledger.class);
  }

  private boolean isInAnImage(String text) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var each : files.filter(file -> file.endsWith("image")).toList()) {
        if (new String(Files.readAllBytes(each), ISO_8859_1).contains(text)) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed", "TERM", "released"})
  void aProcessThatEndsLeavesTheLatestState(String how) throws Exception {
    try (var grid = Grid.local(2, Quick.GRID)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(2), Duration.ofSeconds(60));
      var leaver = nodes.get(1);
      var ledger = ledger(nodes, 1);
      ledger.enterAndAnswer("the last sender", 1);
      assertThat(isInAnImage("the last sender")).isFalse();
      switch (how) {
        case "TERM" -> Processes.signal("TERM", Processes.pid(leaver));
        case "released" -> nodes.release(leaver).get(60, TimeUnit.SECONDS);
        default -> {}
      }
      if (!how.equals("closed")) {
        Processes.assertGone(Processes.pid(leaver));
      }
    }

    assertThat(isInAnImage("the last sender")).isTrue();
  }

  @Test
  void aGridThatIsClosedRestartsNothing() throws Exception {
    try (var grid = Grid.local(3, Quick.GRID)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60));
      for (var i = 0; i < 3; i++) {
        var ledger =
            ActiveObjects.on(nodes.get(i))
                .with(Options.STANDARD.withRestart(Restart.elsewhere()))
                .create(Ledger.class);
        assertThat(ledger.enterAndAnswer("main", 1)).isEqualTo(1);
      }
    } // a restart would be logged as a warning, which fails the test
  }
}
