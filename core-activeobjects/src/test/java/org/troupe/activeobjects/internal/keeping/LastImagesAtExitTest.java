package org.troupe.activeobjects.internal.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.JvmOfTests;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;

/** The last images of a program that ends without having closed anything. */
@Timeout(60)
class LastImagesAtExitTest {

  private static final int OBJECTS = 100;

  @TempDir private Path folder;

  /** Counts its calls. */
  public static class Counter {
    private int count;

    public int add() {
      return ++count;
    }
  }

  /** Keeps objects in a store, which it deletes before it ends. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      var store = Path.of(args[0]);
      var here =
          ActiveObjects.here().with(Options.STANDARD.withKeep(Keep.state(Store.directory(store))));
      for (var i = 0; i < OBJECTS; i++) {
        here.create(Counter.class).add();
      }
      try (var files = Files.walk(store.resolve("journals"))) {
        for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  @Test
  void eachImageThatCannotBeWrittenIsLoggedAlthoughTheLoggersHaveEnded() throws Exception {
    var process =
        JvmOfTests.of(
                Program.class,
                List.of("-Djava.util.logging.SimpleFormatter.format=%4$s from %3$s: %5$s%n"),
                folder.resolve("s").toString())
            .redirectErrorStream(true)
            .start();
    List<String> output;
    try (var reader = process.inputReader()) {
      output = reader.readAllLines();
    } finally {
      process.destroyForcibly();
    }
    assertThat(output)
        .hasSize(OBJECTS)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "WARNING from org.troupe.activeobjects: the last image of a Counter on node ")
                    .contains("the journal has been taken over or deleted")
                    .contains(
                        "; its changes since the image before are lost; call checkpoint() before"));
  }
}
