package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;

/**
 * Makes checkpoints of a group in step with a member on each of two {@link TroupeServer}s, or lets
 * each member write its state to a file itself.
 */
public final class CheckpointClient {

  /** Microseconds of a checkpoint. */
  public static final String CHECKPOINT = "checkpoint";

  /** Microseconds of a checkpoint in the memory of two nodes. */
  public static final String COPIED = "copied";

  /** Microseconds until each member has the state of the other, sent by a call. */
  public static final String BARE_CALLS = "bare-calls";

  /** Microseconds until all members have written their states to files. */
  public static final String BARE_FILES = "bare-files";

  private static final int MEMBERS = 2;
  private static final int MEBIBYTES = 64;

  private CheckpointClient() {}

  /** Has an array of numbers as its state. */
  public static class Part {
    private final double[] state = new double[(MEBIBYTES << 20) / Double.BYTES];
    private transient double[] copy = {};
    private transient ByteBuffer buffer = ByteBuffer.allocate(0);

    /** Keeps the state of another member. */
    public int keep(double[] other) {
      copy = other;
      return copy.length;
    }

    /** Sends the state to another member, which keeps it. */
    public int send(Part other) {
      return other.keep(state);
    }

    /** Writes the state into a new file, which replaces the former one. */
    public int write(String folder, int rank) throws IOException {
      if (buffer.capacity() == 0) {
        buffer = ByteBuffer.allocateDirect(MEBIBYTES << 20);
      }
      buffer.clear().asDoubleBuffer().put(state);
      var file = Path.of(folder, "state-" + rank);
      var fresh = Path.of(folder, "fresh-" + rank);
      try (var out =
          FileChannel.open(
              fresh,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      return rank;
    }
  }

  static void main(String[] arguments) throws Exception {
    var roundMillis = Integer.parseInt(arguments[0]);
    var folder = Files.createTempDirectory("troupe-checkpoints");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    var store = Store.directory(folder.resolve("store"));
    try (var grid = ServerGrid.of(MEMBERS)) {
      // Objects that are no members, since those would wait for each other.
      var senders = parts(grid);
      var keepers = parts(grid);
      var parts = Group.of(Groups.on(grid.nodes()).<Part>spmd(Part.class));
      TurnProtocol.serve(
          load ->
              switch (load) {
                case CHECKPOINT -> repeated(() -> parts.checkpoint(store).join());
                case COPIED -> repeated(() -> parts.checkpoint(Store.copies(2)).join());
                case BARE_CALLS ->
                    repeated(
                        () -> {
                          var first = senders.get(0).ask(it -> it.send(keepers.get(1).stub()));
                          senders.get(1).ask(it -> it.send(keepers.get(0).stub())).join();
                          first.join();
                        });
                case BARE_FILES ->
                    repeated(
                        () ->
                            parts
                                .byRank((part, rank) -> part.write(folder.toString(), rank))
                                .gather()
                                .toList());
                default -> throw new IllegalArgumentException("there is no load '" + load + "'");
              },
          roundMillis);
    }
  }

  private static List<Ref<Part>> parts(ServerGrid grid) {
    return grid.nodes().stream()
        .map(each -> ActiveObjects.ref(ActiveObjects.on(each).create(Part.class)))
        .toList();
  }

  private static TurnProtocol.Measure repeated(Runnable work) {
    return millis ->
        TurnProtocol.microsEach(
            times -> {
              for (var i = 0; i < times; i++) {
                work.run();
              }
            },
            millis);
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
