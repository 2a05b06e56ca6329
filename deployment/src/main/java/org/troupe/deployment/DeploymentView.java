package org.troupe.deployment;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.troupe.deployment.files.TerminalText;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.ssh.LoginTerminal;

/**
 * Shows the progress of a deployment to users, until it is closed: a line for each element of the
 * descriptor, with the number of its nodes that have joined, the time since the start, and the
 * reason why others have not joined.
 *
 * <p>On a terminal the lines are updated in place; elsewhere a line is printed when its content
 * changes. Nothing is shown of a deployment that is complete within a second.
 */
public final class DeploymentView implements AutoCloseable {

  /*
   * To redraw, the cursor goes up by the number of lines drawn before, and each new line ends with the sequence that
   * erases the rest of the old one. Lines are cut to the width of the terminal, since a wrapped one would count twice.
   */
  private static final long REFRESH_MILLIS = 500;
  private static final long SILENT_MILLIS = 1000;
  private static final int WIDTH = 80; // if the terminal does not report one
  private static final String UP = "\u001b[%dA";
  private static final String ERASE_REST = "\u001b[K";

  private final Supplier<List<NodeStatus>> status;
  private final PrintStream out;
  private final int width; // 0: no terminal
  private final long start = System.nanoTime();
  private final Map<String, Line> shown = new LinkedHashMap<>(); // by element; under this
  private boolean isDrawn; // under this
  private final CountDownLatch closed = new CountDownLatch(1);

  /** The state of an element. */
  private record Line(long joined, long asked, long ended, long seconds, String waitsFor) {

    boolean isComplete() {
      return joined == asked;
    }

    /** Returns the line without times, which change by themselves. */
    Line withoutTime() {
      return new Line(joined, asked, ended, 0, waitsFor.replaceAll("\\d+ s\\b", ""));
    }

    String text(String element, int column) {
      return "%s  %d of %d node%s%s, %d s%s"
          .formatted(
              element + " ".repeat(column - element.length()),
              joined,
              asked,
              asked == 1 ? "" : "s",
              ended == 0 ? "" : ", " + ended + " ended",
              seconds,
              waitsFor.isEmpty() ? "" : ": " + waitsFor);
    }
  }

  /**
   * @param width the width of the terminal; 0 if there is none
   */
  DeploymentView(Supplier<List<NodeStatus>> status, PrintStream out, int width) {
    this.status = status;
    this.out = out;
    this.width = width;
  }

  /** Shows a deployment on standard error. */
  static DeploymentView of(Grid grid) {
    var view =
        new DeploymentView(
            grid::status,
            System.err,
            System.console() != null && System.console().isTerminal() ? columns() : 0);
    Thread.ofPlatform().daemon().name("troupe-view").start(view::run);
    return view;
  }

  private static int columns() {
    try {
      return Integer.parseInt(System.getenv().getOrDefault("COLUMNS", ""));
    } catch (NumberFormatException e) {
      return WIDTH;
    }
  }

  private void run() {
    try {
      var pause = SILENT_MILLIS;
      while (!closed.await(pause, TimeUnit.MILLISECONDS)) {
        refresh();
        pause = REFRESH_MILLIS;
      }
    } catch (InterruptedException e) {
      Thread.currentThread()
          .interrupt(); // only this class could interrupt the thread, and it does not
    }
  }

  /** Updates the output. */
  synchronized void refresh() {
    if (width > 0 && LoginTerminal.isInUse()) {
      isDrawn = false; // go on below the question
      return;
    }
    var lines = lines();
    var column = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
    if (width == 0) {
      lines.forEach(
          (element, line) -> {
            var before = shown.put(element, line);
            if (before == null || !before.withoutTime().equals(line.withoutTime())) {
              out.println(line.text(element, column));
            }
          });
    } else {
      if (isDrawn) {
        out.print(UP.formatted(lines.size()));
      }
      lines.forEach(
          (element, line) -> {
            shown.put(element, line);
            var text = line.text(element, column);
            out.print(text.substring(0, Math.min(text.length(), width - 1)) + ERASE_REST + "\n");
          });
      isDrawn = true;
    }
    out.flush();
  }

  private Map<String, Line> lines() {
    var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    var lines = new LinkedHashMap<String, Line>();
    status.get().stream()
        .collect(
            groupingBy(
                node -> node.plan().element(),
                LinkedHashMap::new,
                java.util.stream.Collectors.toList()))
        .forEach(
            (element, nodes) -> {
              var before = shown.get(element);
              var line = line(nodes, seconds);
              lines.put(
                  element,
                  line.isComplete() && before != null && before.isComplete() ? before : line);
            });
    return lines;
  }

  private static Line line(List<NodeStatus> nodes, long seconds) {
    return new Line(
        count(nodes, NodeStatus.State.JOINED),
        nodes.size(),
        count(nodes, NodeStatus.State.ENDED),
        seconds,
        nodes.stream()
            .filter(node -> node.state() != NodeStatus.State.JOINED)
            .map(node -> TerminalText.plain(node.detail()).lines().findFirst().orElse(""))
            .filter(detail -> !detail.isEmpty())
            .distinct()
            .limit(1)
            .collect(joining()));
  }

  private static long count(List<NodeStatus> nodes, NodeStatus.State state) {
    return nodes.stream().filter(node -> node.state() == state).count();
  }

  /** Stops showing; the last output stays on the screen. */
  @Override
  public void close() {
    closed.countDown();
    synchronized (this) {
      if (!shown.isEmpty()) {
        refresh();
      }
    }
  }
}
