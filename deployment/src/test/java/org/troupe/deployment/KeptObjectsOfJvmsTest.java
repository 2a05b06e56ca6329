package org.troupe.deployment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
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
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Store;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;
import org.troupe.testing.LogRecords;

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

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "released", "KILL"})
  void anObjectGoesOnOnAnotherNode(String how, LogRecords records) throws Exception {
    records.allow(Level.WARNING, "restarted on another node");
    try (var grid = Grid.local(2, Quick.GRID.withSilence(Duration.ofSeconds(5)))) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(2), Duration.ofSeconds(60));
      var leaver = nodes.get(1);
      var keep = Keep.state(Store.directory(folder.resolve("store")));
      var ledger =
          ActiveObjects.on(leaver)
              .with(Options.STANDARD.withKeep(keep).withRestart(Restart.elsewhere()))
              .create(Ledger.class);
      ledger.enterAndAnswer("a sender", 1);
      if (how.equals("KILL")) { // else its node makes an image
        ActiveObjects.ref(ledger).checkpoint().get(30, TimeUnit.SECONDS);
      }
      if (how.equals("released")) {
        nodes.release(leaver).get(60, TimeUnit.SECONDS);
      } else {
        Processes.signal(how, Processes.pid(leaver));
      }
      Processes.assertGone(Processes.pid(leaver));
      assertThat(entries(ledger)).containsExactly(1);
      assertThat(ledger.place()).isEqualTo(nodes.get(0).name());
    }
  }

  /** Returns the entries of the sender; the first call may be unanswered at the loss. */
  private static List<Integer> entries(Ledger ledger) {
    try {
      return ActiveObjects.ref(ledger).ask(it -> it.entries("a sender")).join();
    } catch (CompletionException failure) {
      assertThat(failure).hasCauseInstanceOf(RestartedException.class);
      return ActiveObjects.ref(ledger).ask(it -> it.entries("a sender")).join();
    }
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
        var keep = Keep.state(Store.directory(folder.resolve("store")));
        var kept =
            ActiveObjects.on(nodes.get(i))
                .with(Options.STANDARD.withKeep(keep).withRestart(Restart.elsewhere()))
                .create(Ledger.class);
        assertThat(kept.enterAndAnswer("the last sender", 1)).isEqualTo(1);
      }
    } // a restart would be logged as a warning, which fails the test
    assertThat(isInAnImage("the last sender")).isTrue();
  }
}
