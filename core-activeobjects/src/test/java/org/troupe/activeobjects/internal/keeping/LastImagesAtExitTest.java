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

  @TempDir private Path folder;

  /** Counts its calls. */
  public static class Counter {
    private int count;

    public int add() {
      return ++count;
    }
  }

  /** Keeps an object in a store, which it deletes before it ends. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      var store = Path.of(args[0]);
      var counter =
          ActiveObjects.here()
              .with(Options.STANDARD.withKeep(Keep.state(Store.directory(store))))
              .create(Counter.class);
      counter.add();
      try (var files = Files.walk(store.resolve("journals"))) {
        for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  @Test
  void anImageThatCannotBeWrittenIsLoggedAlthoughTheLoggersHaveEnded() throws Exception {
    var process =
        JvmOfTests.of(
                Program.class,
                List.of("-Djava.util.logging.SimpleFormatter.format=%4$s from %3$s: %5$s%n"),
                folder.resolve("s").toString())
            .redirectErrorStream(true)
            .start();
    String output;
    try (var reader = process.inputReader()) {
      output = String.join("\n", reader.readAllLines());
    } finally {
      process.destroyForcibly();
    }
    assertThat(output)
        .contains("WARNING from org.troupe.activeobjects: the last image of a Counter on node ")
        .contains("the journal has been taken over or deleted")
        .contains("; its changes since the image before are lost; call checkpoint() before");
  }
}
