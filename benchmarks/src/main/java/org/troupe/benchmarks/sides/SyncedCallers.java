package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.harness.TurnProtocol;

/**
 * Calls, from many threads, an active object on the node of a {@link TroupeServer} whose calls are
 * on the disk before they are answered, or writes as many records to a file itself.
 */
public final class SyncedCallers {

  /** How many threads call at the same time. */
  public static final int CALLERS = 64;

  /** Calls a second. */
  public static final String CALLS = "calls";

  /** Records a second, of which as many as there are callers are written and synced together. */
  public static final String BARE = "bare";

  private static final int RECORD_BYTES = 200;

  private SyncedCallers() {}

  static void main(String[] arguments) throws Exception {
    var folder = TerminationCleanup.folder();
    var store = Store.directory(folder.resolve("store")).synced();
    try (var grid = ServerGrid.of(1)) {
      var callee =
          ActiveObjects.on(grid.nodes().getFirst())
              .with(Options.STANDARD.withKeep(Keep.calls(store)))
              .create(CalleeService.class);
      TurnProtocol.serve(
          load ->
              switch (load) {
                case CALLS -> millis -> calls(callee, millis);
                case BARE -> millis -> bare(folder.resolve("log"), millis);
                default -> throw new IllegalArgumentException("there is no load '" + load + "'");
              },
          Integer.parseInt(arguments[0]));
    }
  }

  private static double calls(CalleeService callee, int millis) throws Exception {
    var made = new AtomicLong();
    var began = System.nanoTime();
    var end = began + TimeUnit.MILLISECONDS.toNanos(millis);
    List<FutureTask<?>> callers = new ArrayList<>();
    for (var i = 0; i < CALLERS; i++) {
      var caller =
          new FutureTask<>(
              () -> {
                while (System.nanoTime() < end) {
                  callee.call();
                  made.incrementAndGet();
                }
                return null;
              });
      callers.add(caller);
      Thread.ofPlatform().daemon().start(caller);
    }
    for (var each : callers) {
      each.get();
    }
    return made.get() * 1e9 / (System.nanoTime() - began);
  }

  private static double bare(Path file, int millis) throws IOException {
    var written = 0L;
    var began = System.nanoTime();
    var end = began + TimeUnit.MILLISECONDS.toNanos(millis);
    try (var log =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      var record = ByteBuffer.allocateDirect(RECORD_BYTES);
      while (System.nanoTime() < end) {
        for (var i = 0; i < CALLERS; i++) {
          log.write(record.clear());
        }
        log.force(false);
        written += CALLERS;
      }
    }
    return written * 1e9 / (System.nanoTime() - began);
  }
}
