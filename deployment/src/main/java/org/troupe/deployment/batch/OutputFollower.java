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
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.Machine;

/** Follows the growing files of a folder on a machine, by one process there. */
final class OutputFollower implements Closeable {

  /*
   * Whenever GNU tail changes to another file it prints the file's name as "\n==> NAME <==\n", without the first line
   * end for the first file. Without these lines its output is the content of the files. The line end that may begin a
   * name is passed on at once, before it is known to belong to a name, since lines should appear as soon as they are
   * printed; the byte count of the file is corrected afterwards. The names are absolute and contain the random id of
   * the run, so no program prints such a line by accident.
   *
   * When the connection breaks, tail is started again; repeated output is dropped by the count of bytes.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** The command; it ends with its input, and so with the connection. */
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
  private final Map<String, Long> passedOn =
      new HashMap<>(); // bytes by file; touched only by the thread
  private final Thread thread;
  private volatile @Nullable Process process; // null before the first start
  private volatile boolean isClosed;

  /** Receives the content of the files, in the order of each file, from one thread. */
  @FunctionalInterface
  interface Sink {

    /**
     * @param file the name of the file in the folder
     */
    void accept(String file, byte[] bytes);
  }

  /**
   * Starts to follow.
   *
   * @param folder the absolute path of the folder, where the files exist already
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
        var started =
            machine
                .start(List.of("/bin/sh", "-c", TAIL, "sh", folder), Map.of(), Optional.empty())
                .process();
        process = started;
        if (isClosed) {
          started.destroyForcibly();
        }
        var before = Map.copyOf(passedOn);
        new Reader(folder, Map.copyOf(passedOn)).read(started.getInputStream());
        pause = passedOn.equals(before) ? pause : FIRST_PAUSE;
      } catch (IOException e) {
        LOG.log(
            Level.DEBUG,
            "the output in " + folder + " on " + machine.name() + " cannot be followed",
            e);
      }
      pause = sleep(pause);
    }
  }

  private Duration sleep(Duration pause) {
    if (!isClosed) {
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        // Interrupted by close.
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

  /** Parses the output of one tail. */
  private final class Reader {

    private final byte[] mark;
    private final Map<String, Long> toDrop;
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private String file = "";
    private int matched =
        1; // the number of bytes of the mark; the first mark has no line end before it
    private boolean isLineEndPassedOn = true; // the line end that begins the mark
    private boolean isLineOpen;

    Reader(String folder, Map<String, Long> passedOn) {
      mark = ("\n==> " + folder + "/").getBytes(StandardCharsets.UTF_8);
      toDrop = new HashMap<>(passedOn);
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
          if (isLineEndPassedOn) {
            passedOn.computeIfPresent(file, (same, count) -> count - 1);
          }
          file = name(in);
          matched = 0;
          isLineOpen = false;
        }
        return;
      }
      var skipped = isLineEndPassedOn ? 1 : 0;
      if (matched > skipped) {
        data.write(mark, skipped, matched - skipped);
        isLineOpen = matched > 1;
      }
      matched = 0;
      if (c != mark[0]) {
        data.write(c);
        isLineOpen = true;
        return;
      }
      matched = 1;
      isLineEndPassedOn = isLineOpen;
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
      passedOn.merge(file, (long) bytes.length - drop, Long::sum);
      if (drop < bytes.length) {
        sink.accept(file, Arrays.copyOfRange(bytes, drop, bytes.length));
      }
    }
  }
}
