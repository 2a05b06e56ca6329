package org.troupe.deployment.kubernetes;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Follows the output of the pods of one Job. Thread-safe. */
final class PodLogs implements Closeable {

  /*
   * One process follows all pods that have started since the last one was started, so there are few of them,
   * however many pods there are. Each line has the name of its pod and a time. After a lost connection another
   * process begins with the last known time less a moment, as lines of the two streams of a pod may not be in the
   * order of their times. The lines of that moment are remembered, so that repetitions are recognised.
   *
   * A pod's end may be known before its last lines have come. So the rest is fetched, once for all pods that end
   * together, before their ends are passed on. A machine that no longer answers must not delay them, so the wait ends
   * when nothing comes for some time.
   *
   * Lines are separated by line feeds alone, and pass as bytes: programs print carriage returns, and other encodings.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private static final Pattern LINE =
      Pattern.compile(
          "\\[pod/(\\S+)/" + JobManifest.CONTAINER + "] (\\S+)(?: (.*))?", Pattern.DOTALL);

  /** Keeps bytes as they are. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  /** How far lines of a pod may be out of order. */
  private static final Duration DISORDER = Duration.ofSeconds(1);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** How long the rest of the output may be silent. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Kubectl kubectl;
  private final String job;
  private final Sink sink;
  private final Duration patience;
  private final Map<String, Integer> ranks = new ConcurrentHashMap<>(); // by the name of the pod
  private final Map<String, Recent> last = new HashMap<>(); // by the name of the pod; under this
  private final Set<Integer> ended = ConcurrentHashMap.newKeySet();
  private final List<Process> processes = new ArrayList<>(); // under itself
  private volatile boolean isClosed;

  /** The latest lines of a pod; guarded by the logs. */
  private static final class Recent {

    private record Line(Instant time, String text) {}

    private final TreeSet<Line> lines =
        new TreeSet<>(Comparator.comparing(Line::time).thenComparing(Line::text));
    private Instant newest = Instant.MIN;

    boolean isNew(Instant time, String text) {
      if (!lines.isEmpty() && time.isBefore(newest.minus(DISORDER))
          || !lines.add(new Line(time, text))) {
        return false;
      }
      if (time.isAfter(newest)) {
        newest = time;
        lines.headSet(new Line(newest.minus(DISORDER), "")).clear();
      }
      return true;
    }
  }

  /** Receives lines, in the order of each pod, one at a time. */
  @FunctionalInterface
  interface Sink {

    /**
     * @param line with its line end
     */
    void accept(int rank, byte[] line);
  }

  PodLogs(Kubectl kubectl, String job, Sink sink) {
    this(kubectl, job, sink, PATIENCE);
  }

  /** Creates it with another patience, for a test. */
  PodLogs(Kubectl kubectl, String job, Sink sink, Duration patience) {
    this.kubectl = kubectl;
    this.job = job;
    this.sink = sink;
    this.patience = patience;
  }

  /** Follows the pods whose containers have started, if it does not already. */
  void follow(Collection<PodState> states) {
    var fresh =
        states.stream()
            .filter(PodState::hasStarted)
            .filter(state -> ranks.putIfAbsent(state.name(), state.rank()) == null)
            .toList();
    if (!fresh.isEmpty() && !isClosed) {
      Thread.ofPlatform()
          .daemon()
          .name("troupe-follow-" + job)
          .start(() -> follow(List.copyOf(fresh)));
    }
  }

  private void follow(List<PodState> states) {
    var pause = FIRST_PAUSE;
    while (!isClosed && !ended.containsAll(states.stream().map(PodState::rank).toList())) {
      var before = last(states);
      try {
        read(arguments(states, true), null);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "the output of pods cannot be followed", e);
      }
      pause = last(states).equals(before) ? longer(pause) : FIRST_PAUSE;
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return; // no code interrupts this thread
      }
    }
  }

  private static Duration longer(Duration pause) {
    var longer = pause.multipliedBy(2);
    return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }

  /** Fetches the rest of the output of pods that have ended. */
  void finish(Collection<PodState> states) {
    var named = states.stream().filter(state -> !state.name().isEmpty()).toList();
    named.forEach(state -> ranks.putIfAbsent(state.name(), state.rank()));
    try {
      if (!named.isEmpty() && !isClosed) {
        read(arguments(named, false), patience);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the last output of pods cannot be read", e);
    }
    states.forEach(state -> ended.add(state.rank()));
  }

  private List<String> arguments(List<PodState> states, boolean isFollowing) {
    var indexes =
        states.stream()
            .filter(state -> !isFollowing || !ended.contains(state.rank()))
            .map(state -> Integer.toString(state.rank()))
            .collect(Collectors.joining(","));
    var arguments = new ArrayList<String>();
    arguments.add("logs");
    arguments.add(
        "--selector="
            + JobManifest.selector(job)
            + ",batch.kubernetes.io/job-completion-index in ("
            + indexes
            + ")");
    arguments.add("--container=" + JobManifest.CONTAINER);
    arguments.add("--prefix");
    arguments.add("--timestamps");
    arguments.add("--tail=-1");
    arguments.add("--ignore-errors");
    arguments.add("--max-log-requests=" + states.size());
    if (isFollowing) {
      arguments.add("--follow");
    }
    earliest(states).ifPresent(time -> arguments.add("--since-time=" + time));
    return arguments;
  }

  private synchronized Map<String, Instant> last(List<PodState> states) {
    var its = new HashMap<String, Instant>();
    states.stream()
        .map(PodState::name)
        .filter(last::containsKey)
        .forEach(name -> its.put(name, Objects.requireNonNull(last.get(name)).newest));
    return its;
  }

  /** Returns the time from which lines are needed; empty if a pod has no line yet. */
  private Optional<Instant> earliest(List<PodState> states) {
    var its = last(states);
    return its.size() < states.size()
        ? Optional.empty()
        : its.values().stream().min(Instant::compareTo).map(time -> time.minus(DISORDER));
  }

  /**
   * @param silence after which the command is ended; {@code null} to wait for as long as it runs
   */
  private void read(List<String> arguments, @Nullable Duration silence) throws IOException {
    var process = kubectl.start(arguments).process();
    synchronized (processes) {
      processes.add(process);
    }
    try {
      process.getOutputStream().close();
      if (isClosed) {
        return;
      }
      // Platform threads: reads of pipes occupy the carriers of virtual ones, and a limit needs
      // none.
      Thread.ofPlatform().daemon().name("troupe-pod-errors-" + job).start(() -> discard(process));
      var heardNanos = new AtomicLong(System.nanoTime());
      if (silence != null) {
        Thread.ofPlatform()
            .daemon()
            .name("troupe-pod-silence-" + job)
            .start(() -> endWhenSilent(process, heardNanos, silence));
      }
      var lines = new BufferedInputStream(process.getInputStream());
      for (var line = line(lines); line != null; line = line(lines)) {
        heardNanos.set(System.nanoTime());
        accept(line);
      }
    } finally {
      process.destroyForcibly();
      synchronized (processes) {
        processes.remove(process);
      }
    }
  }

  private static void endWhenSilent(Process process, AtomicLong heardNanos, Duration silence) {
    try {
      for (var left = silence.toNanos(); left > 0; ) {
        if (process.waitFor(left, TimeUnit.NANOSECONDS)) {
          return;
        }
        left = heardNanos.get() + silence.toNanos() - System.nanoTime();
      }
      process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no code interrupts this thread
    }
  }

  /** Reads a line without its line feed; returns {@code null} at the end. */
  private static @Nullable String line(InputStream stream) throws IOException {
    var line = new ByteArrayOutputStream();
    int next;
    while ((next = stream.read()) >= 0 && next != '\n') {
      line.write(next);
    }
    return next < 0 && line.size() == 0 ? null : line.toString(BYTES);
  }

  private static void discard(Process process) {
    try (var errors = process.getErrorStream()) {
      errors.readAllBytes();
    } catch (IOException e) {
      // The process has been destroyed.
    }
  }

  private synchronized void accept(String text) {
    var line = LINE.matcher(text);
    if (!line.matches()) {
      return; // an error message of kubectl
    }
    var rank = ranks.get(line.group(1));
    var time = time(line.group(2));
    if (rank == null || time.isEmpty()) {
      return;
    }
    if (!last.computeIfAbsent(line.group(1), same -> new Recent()).isNew(time.get(), text)) {
      return;
    }
    var printed = line.group(3) == null ? "" : line.group(3);
    sink.accept(rank, (printed + "\n").getBytes(BYTES));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    synchronized (processes) {
      processes.forEach(Process::destroyForcibly);
    }
  }
}
