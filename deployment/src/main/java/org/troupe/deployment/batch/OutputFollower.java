package org.troupe.deployment.batch;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.deployment.process.Machine;

/** Follows the growing files of a folder on a machine, all over one process there. */
final class OutputFollower implements Closeable {

  /*
   * GNU tail names the file whenever it changes to another: "\n==> NAME <==\n", the first time without the first line
   * end. What is left without these is exactly what is in the files, but that a line end is given at once, before we
   * can know that it belongs to a name: lines are to show when they are printed. As our names are absolute and have
   * the run's random id in them, no program prints such a line by accident.
   *
   * Where the connection breaks tail is started again, and what it repeats is dropped by its count of bytes.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** Ends with its input, and so with the connection. */
  private static final String TAIL =
      """
      tail -n +1 -v -F -- "$1"/*.out "$1"/*.err "$1"/*.end 2>/dev/null &
      cat >/dev/null
      kill "$!"
      """;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int CHUNK = 8192;

  private final Machine machine;
  private final String folder;
  private final Sink sink;
  private final Map<String, Long> given = new HashMap<>(); // bytes by file; the thread's own
  private final Thread thread;
  private volatile Process process; // null before the first
  private volatile boolean isClosed;

  /** Gets what is in the files, in the order of each file, from one thread. */
  @FunctionalInterface
  interface Sink {

    /**
     * @param file its name in the folder
     */
    void give(String file, byte[] bytes);
  }

  /**
   * Begins to follow.
   *
   * @param folder absolute; the files are there
   */
  OutputFollower(Machine machine, String folder, Sink sink) {
    this.machine = machine;
    this.folder = folder;
    this.sink = sink;
    thread = Thread.ofPlatform().daemon().name("troupe-follow").start(this::follow);
  }

  private void follow() {
    var pause = FIRST_PAUSE;
    while (!isClosed) {
      try {
        process =
            machine
                .start(List.of("/bin/sh", "-c", TAIL, "sh", folder), Map.of(), Optional.empty())
                .process();
        if (isClosed) {
          process.destroyForcibly();
        }
        var before = Map.copyOf(given);
        new Reader(folder, Map.copyOf(given)).read(process.getInputStream());
        pause = given.equals(before) ? pause : FIRST_PAUSE;
      } catch (IOException e) {
        LOG.log(
            Level.DEBUG, "the output in " + folder + " on " + machine.name() + " is not seen", e);
      }
      pause = sleep(pause);
    }
  }

  private Duration sleep(Duration pause) {
    if (!isClosed) {
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        // By close.
      }
    }
    return pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
        ? LONGEST_PAUSE
        : pause.multipliedBy(2);
  }

  @Override
  public void close() {
    isClosed = true;
    var running = process;
    if (running != null) {
      running.destroyForcibly();
    }
    thread.interrupt();
  }

  /** Takes apart what one tail prints. */
  private final class Reader {

    private final byte[] mark;
    private final Map<String, Long> toDrop;
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private String file = "";
    private int matched = 1; // of the mark: the first has no line end before it
    private boolean isLineEndGiven = true; // the mark's own
    private boolean isLineOpen;

    Reader(String folder, Map<String, Long> given) {
      mark = ("\n==> " + folder + "/").getBytes(StandardCharsets.UTF_8);
      toDrop = new HashMap<>(given);
    }

    void read(InputStream stream) throws IOException {
      try (var in = new BufferedInputStream(stream)) {
        for (int c; (c = in.read()) >= 0; ) {
          next((byte) c, in);
          if (data.size() >= CHUNK || in.available() == 0) {
            flush();
          }
        }
      } finally {
        flush();
      }
    }

    private void next(byte c, InputStream in) throws IOException {
      if (matched > 0 && c == mark[matched]) {
        matched++;
        if (matched == mark.length) {
          flush();
          if (isLineEndGiven) {
            given.computeIfPresent(file, (same, count) -> count - 1);
          }
          file = name(in);
          matched = 0;
          isLineOpen = false;
        }
        return;
      }
      var isGiven = isLineEndGiven ? 1 : 0;
      if (matched > isGiven) {
        data.write(mark, isGiven, matched - isGiven);
        isLineOpen = matched > 1;
      }
      matched = 0;
      if (c != mark[0]) {
        data.write(c);
        isLineOpen = true;
        return;
      }
      matched = 1;
      isLineEndGiven = isLineOpen;
      if (isLineOpen) {
        data.write(c);
        isLineOpen = false;
      }
    }

    /** Reads the rest of the line with a name, {@code NAME <==}. */
    private static String name(InputStream in) throws IOException {
      var name = new ByteArrayOutputStream();
      for (int c; (c = in.read()) >= 0 && c != '\n'; ) {
        name.write(c);
      }
      return name.toString(StandardCharsets.UTF_8).replaceFirst(" <==$", "");
    }

    private void flush() {
      var bytes = data.toByteArray();
      data.reset();
      if (bytes.length == 0 || file.isEmpty()) {
        return;
      }
      var drop = (int) Math.min(toDrop.getOrDefault(file, 0L), bytes.length);
      toDrop.merge(file, (long) -drop, Long::sum);
      given.merge(file, (long) bytes.length - drop, Long::sum);
      if (drop < bytes.length) {
        sink.give(file, Arrays.copyOfRange(bytes, drop, bytes.length));
      }
    }
  }
}
