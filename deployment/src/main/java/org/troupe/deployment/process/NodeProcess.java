package org.troupe.deployment.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.troupe.activeobjects.ExitReport;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.node.NodeSettings;

/** The process of a node as the grid sees it: its settings, its output, and its end. */
public final class NodeProcess {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** The number of the last lines that an error message quotes. */
  private static final int LAST_LINES = 20;

  /** A longer line is passed on in pieces. */
  private static final int LONGEST_LINE = 8192;

  /**
   * How long to wait for the end of the output after the end of a process; a child may keep it
   * open.
   */
  private static final long OUTPUT_MILLIS = 500;

  /** How long it may take until the end of a process is known: on this machine, and elsewhere. */
  private static final Duration SOON = Duration.ofMillis(500);

  private static final Duration LATER = Duration.ofSeconds(5);

  /** A start that takes longer is reported as unusual. */
  private static final Duration USUAL_START = Duration.ofSeconds(10);

  /** The exit code of ssh when its connection broke. */
  private static final int NO_STATUS = 255;

  /**
   * The warning with which a JVM with such a module begins; omitted, since the program has asked
   * for it.
   */
  private static final String INCUBATOR = "WARNING: Using incubator modules: ";

  private static final String MEMORY_ERROR = "Terminating due to java.lang.OutOfMemoryError";

  /** Added to the number of the signal that ended a process, by the JVM as by shells. */
  private static final int SIGNALLED = 128;

  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8,
          "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM");

  private final PlannedNode plan;
  private final StartedProcess started;
  private final Process process;
  private final Consumer<OutputLine> output;
  private final OutputTail lines = new OutputTail();
  private final long start = System.nanoTime();
  private final Thread reading;
  private final Thread readingErrors;
  private volatile boolean isReleased;

  public NodeProcess(PlannedNode plan, StartedProcess started, Consumer<OutputLine> output) {
    this.plan = plan;
    this.started = started;
    process = started.process();
    this.output = output;
    reading = startReader(process.getInputStream(), false);
    readingErrors = startReader(process.getErrorStream(), true);
  }

  public PlannedNode plan() {
    return plan;
  }

  public String name() {
    return plan.name();
  }

  public OptionalLong pid() {
    try {
      return OptionalLong.of(process.pid());
    } catch (UnsupportedOperationException e) {
      return OptionalLong.empty(); // it runs on another machine
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends the node its settings; its input stays open. */
  public void send(NodeSettings settings) {
    try {
      started.send(settings);
    } catch (IOException e) {
      // The process has ended already; onEnd and exitReport say why.
    }
  }

  /** Asks the node to end, by the end of its input, which also ends when this program dies. */
  public void end() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  /** Records whether the program has released the node, which therefore ends. */
  public void setReleased(boolean isReleased) {
    this.isReleased = isReleased;
  }

  /** Returns whether the node, once it runs, ignores the end of its input. */
  public boolean hasNoInput() {
    return started.hasNoInput();
  }

  /** Returns whether another node has started it, and so should end after it. */
  public boolean isStartedByNode() {
    return started.isStartedByNode();
  }

  /** Returns whether its start can be retried, since it failed with the node that started it. */
  public boolean isOrphan() {
    return started.isOrphan();
  }

  /** Returns what it waits for before it joins; empty if it has ended. */
  public String progress() {
    if (!process.isAlive()) {
      return "";
    }
    return started.progress().orElseGet(this::startProgress);
  }

  private String startProgress() {
    var nanos = System.nanoTime() - start;
    var isUsual = nanos < USUAL_START.toNanos();
    return (isUsual ? "starting" : "has not joined")
        + " for %d s: its JVM (%s) runs on %s"
            .formatted(TimeUnit.NANOSECONDS.toSeconds(nanos), plan.place(), plan.host())
        + (isUsual
            ? ""
            : "; see 'logs %s' for its output, and 'doctor' for possible obstacles"
                .formatted(plan.name()));
  }

  /** Kills the process. */
  public void destroy() {
    process.destroyForcibly();
  }

  /** Waits for the end of the process; returns whether it has ended before the deadline. */
  public boolean awaitEnd(long deadlineNanos) throws InterruptedException {
    return process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Waits until all output of the ended process has been passed on. */
  public void awaitOutput() throws InterruptedException {
    reading.join(OUTPUT_MILLIS);
    readingErrors.join(OUTPUT_MILLIS);
  }

  /** Completes when the process and its output have ended, on a thread that may block. */
  public CompletableFuture<Void> onEnd() {
    return process
        .onExit()
        .thenAcceptAsync(
            ended -> {
              try {
                awaitOutput();
              } catch (InterruptedException e) {
                Thread.currentThread()
                    .interrupt(); // only this class could interrupt the thread, and it does not
              }
            },
            Thread::startVirtualThread);
  }

  /** Describes the end of the process of a node that was a member. */
  public String end(String lastLinesIntroduction) {
    if (isReleased && process.exitValue() == 0) {
      return NodeStatus.RELEASED;
    }
    var last = last(1);
    return howItEnded() + (last.isEmpty() ? "" : lastLinesIntroduction + last.getLast());
  }

  /**
   * Starts to find out whether and how a lost node's process ended; returns the time that this may
   * take.
   */
  public Duration postMortemTime() {
    started.checkEnd();
    return started.isRemote() ? LATER : SOON;
  }

  /**
   * Returns the report of the end of the process.
   *
   * @param hasJoined whether the node has been a member of the grid
   */
  public ExitReport exitReport(boolean hasJoined) {
    var status = process.exitValue();
    var signal = status - SIGNALLED;
    var isSignal = SIGNALS.containsKey(signal);
    var isBroken = started.isRemote() && status == NO_STATUS;
    var last = last(LAST_LINES);
    var scheduler = started.scheduler();
    return new ExitReport(
        hasJoined ? howItEnded() : failedStart(),
        isSignal || isBroken ? ExitReport.UNKNOWN : status,
        isSignal ? signal : ExitReport.UNKNOWN,
        memoryError().isPresent()
            || scheduler.contains("OUT_OF_MEMORY")
            || scheduler.contains("OOMKilled"),
        scheduler,
        hasJoined ? last : List.of(),
        0,
        0,
        0);
  }

  /**
   * Returns the whole exit report of the node, one fact on a line; empty if its process has not
   * ended.
   */
  public String certificate() {
    if (process.isAlive()) {
      return "";
    }
    var report = exitReport(true);
    var text = new StringBuilder(report.cause());
    if (report.signal() != ExitReport.UNKNOWN) {
      text.append("\nsignal: ").append(report.signal());
    } else if (report.exitCode() != ExitReport.UNKNOWN) {
      text.append("\nexit code: ").append(report.exitCode());
    }
    if (report.outOfMemory()) {
      text.append("\nits memory was exhausted");
    }
    if (!report.scheduler().isEmpty()) {
      text.append("\nbatch system: ").append(report.scheduler());
    }
    if (!report.lastLines().isEmpty()) {
      text.append("\nits last lines:\n  ").append(String.join("\n  ", report.lastLines()));
    }
    return text.toString();
  }

  /** Returns the detail of a JVM's message that it ends for lack of memory. */
  private Optional<String> memoryError() {
    return last(LAST_LINES).stream()
        .filter(line -> line.startsWith(MEMORY_ERROR))
        .map(line -> line.substring(MEMORY_ERROR.length()))
        .findFirst();
  }

  /** Describes the end of a node that never joined, with its last output. */
  private String failedStart() {
    var text =
        new StringBuilder(howItEnded())
            .append(" before it joined (")
            .append(plan.place())
            .append(", on ")
            .append(plan.host())
            .append(")");
    var last = last(LAST_LINES);
    if (last.isEmpty() && explanation().isPresent()) {
      return explanation().get() + " (" + plan.place() + ")";
    }
    if (last.isEmpty()) {
      return text.append("; it printed nothing. See its command in the plan").toString();
    }
    text.append("; correct what it printed last:");
    last.forEach(line -> text.append("\n      ").append(line));
    return text.toString();
  }

  private String howItEnded() {
    var explanation = explanation();
    if (explanation.isPresent()) {
      return explanation.get();
    }
    var status = process.exitValue();
    var memory = memoryError();
    if (memory.isPresent()) {
      return "its process ended with exit code %d because it ran out of memory%s; give its JVM more, such as <option>-Xmx4g</option>"
          .formatted(status, memory.get());
    }
    var signal = status - SIGNALLED;
    if (!SIGNALS.containsKey(signal)) {
      return "its process ended with exit code " + status;
    }
    return "its process was ended by signal %d (%s%s)"
        .formatted(
            signal,
            SIGNALS.get(signal),
            signal == 9 ? ": it was killed, perhaps by the system for lack of memory" : "");
  }

  private Optional<String> explanation() {
    return started.explanation();
  }

  /** Returns the tail of the output. */
  public OutputTail printed() {
    return lines;
  }

  // Output

  /**
   * Starts a thread that reads output: for a local process a platform thread, since each such read
   * would pin a carrier thread; for a remote one a virtual thread, since there may be a thousand.
   */
  private Thread startReader(InputStream stream, boolean isError) {
    Thread.Builder thread = started.isRemote() ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    return thread.name("troupe-output-" + plan.name()).start(() -> passOnLines(stream, isError));
  }

  private void passOnLines(InputStream stream, boolean isError) {
    try (var in = new BufferedReader(new InputStreamReader(stream, nativeCharset()))) {
      var line = new StringBuilder();
      for (int c; (c = in.read()) >= 0; ) {
        if (c == '\n' || line.length() == LONGEST_LINE) {
          passOn(line, isError);
        }
        if (c != '\n') {
          line.append((char) c);
        }
      }
      if (!line.isEmpty()) {
        passOn(line, isError);
      }
    } catch (IOException e) {
      // The process has been destroyed, which closes its stream.
    }
  }

  private List<String> last(int most) {
    return lines.last(most).stream().map(OutputTail.Line::text).toList();
  }

  private void passOn(StringBuilder line, boolean isError) {
    var end = line.length();
    var text =
        HiddenValues.printed(
            end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line + "");
    line.setLength(0);
    if (text.startsWith(INCUBATOR)) {
      return;
    }
    lines.add(isError, text);
    try {
      output.accept(new OutputLine(plan.name(), isError, text));
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "the consumer of node '" + plan.name() + "'s output failed", e);
    }
  }

  private static Charset nativeCharset() {
    return Charset.forName(System.getProperty("native.encoding", "UTF-8"));
  }
}
