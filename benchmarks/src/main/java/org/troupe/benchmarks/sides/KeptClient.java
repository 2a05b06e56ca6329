package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TurnProtocol;

/**
 * Calls an active object on the node of a {@link TroupeServer} that logs its calls, or writes as
 * many bytes to a file itself.
 */
public final class KeptClient {

  /** How the object is kept. */
  public enum Mode {
    /** Not at all. */
    PLAIN,
    /** Its calls are logged in a directory. */
    LOGGED,
    /** Its calls are logged in the memory of its node and of another one. */
    COPIED,
    /** Its calls are logged in a directory, on the disk before they are answered. */
    SYNCED,
    /** There is no object: a record of the same size is appended to a file and is on the disk. */
    BARE_SYNC
  }

  /** The bytes of the log for a null call: its request and its end. */
  private static final int RECORD_BYTES = 200;

  private KeptClient() {}

  static void main(String[] arguments) throws Exception {
    var roundMillis = Integer.parseInt(arguments[0]);
    var mode = Mode.valueOf(arguments[1]);
    var folder = Files.createTempDirectory("troupe-kept");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    if (mode == Mode.BARE_SYNC) {
      TurnProtocol.serve(_ -> syncs(folder.resolve("log")), roundMillis);
      return;
    }
    var store = Store.directory(folder.resolve("store"));
    var options =
        switch (mode) {
          case PLAIN, BARE_SYNC -> Options.STANDARD;
          case LOGGED -> Options.STANDARD.withKeep(Keep.calls(store));
          case COPIED -> Options.STANDARD.withKeep(Keep.calls(Store.copies(2)));
          case SYNCED -> Options.STANDARD.withKeep(Keep.calls(store.synced()));
        };
    try (var grid = ServerGrid.of(mode == Mode.COPIED ? 2 : 1)) {
      var node = grid.nodes().getFirst();
      TurnProtocol.serve(
          new CalleeLoads(ActiveObjects.on(node).with(options).create(CalleeService.class)),
          roundMillis);
    }
  }

  /** Returns microseconds to append a record and to wait until it is on the disk. */
  private static TurnProtocol.Measure syncs(Path file) {
    return millis -> {
      try (var log =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        var record = ByteBuffer.allocate(RECORD_BYTES);
        return TurnProtocol.microsEach(
            times -> {
              for (var i = 0; i < times; i++) {
                log.write(record.clear());
                log.force(false);
              }
            },
            millis);
      }
    };
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      System.err.println(folder + " could not be deleted: " + e.getMessage());
    }
  }
}
