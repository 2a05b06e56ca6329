package org.troupe.em3d.cli;

import java.io.PrintStream;
import java.util.function.LongSupplier;
import org.troupe.em3d.run.RunCollector;
import org.troupe.em3d.run.RunListener;

/**
 * Shows the progress of a run: a bar that is redrawn on a terminal, and a line every few seconds
 * elsewhere.
 */
final class ProgressLine implements RunListener {

  private static final int WIDTH = 30;
  private static final double QUIET_SECONDS = 5; // between two plain lines
  private static final double DRAWN_SECONDS = 0.3; // between two bars while a mesh is read

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanoTime;
  private double lastShown;
  private double
      began; // the time of the first step, which may be long after the start of the program
  private int firstStep = -1; // the first step of the run, or the step after a loss
  private int reached = -1;
  private boolean shownWhole;
  private boolean drawn; // whether the cursor is on a line with a bar

  ProgressLine(PrintStream out, boolean terminal) {
    this(out, terminal, System::nanoTime);
  }

  ProgressLine(PrintStream out, boolean terminal, LongSupplier nanoTime) {
    this.out = out;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    lastShown = now();
  }

  private double now() {
    return nanoTime.getAsLong() / 1e9;
  }

  @Override
  public void news(String line) {
    endBar();
    out.println(line);
  }

  @Override
  public void progress(RunCollector.Progress progress) {
    var now = now();
    if (firstStep < 0 || progress.step() < reached) {
      firstStep = progress.step();
      began = now;
    }
    reached = progress.step();
    var over = progress.step() == progress.lastStep();
    var again = over && shownWhole;
    shownWhole = over;
    if (again || !terminal && !over && now - lastShown < QUIET_SECONDS) {
      return;
    }
    lastShown = now;
    var text = "step %,d of %,d".formatted(progress.step(), progress.lastStep());
    if (progress.step() > firstStep && now > began) {
      var rate = (progress.step() - firstStep) / (now - began);
      text += "  %.1f steps/s".formatted(rate);
      if (!over) {
        text += "  %.0f s to go".formatted((progress.lastStep() - progress.step()) / rate);
      }
    }
    show((double) progress.step() / Math.max(1, progress.lastStep()), text);
    if (over) {
      endBar();
    }
  }

  /** Shows the fraction of a mesh that has been read, unless that takes a short time only. */
  void reading(String mesh, double part) {
    var now = now();
    if (now - lastShown < (terminal ? DRAWN_SECONDS : QUIET_SECONDS)) {
      return;
    }
    lastShown = now;
    show(part, "reading %s  %.0f %%".formatted(mesh, 100 * part));
  }

  /** Ends the display of {@link #reading}. */
  void endReading() {
    endBar();
  }

  private void show(double part, String text) {
    if (!terminal) {
      out.println(text);
      return;
    }
    var filled = (int) (WIDTH * part);
    out.print("\r[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + text + "\u001b[K");
    out.flush();
    drawn = true;
  }

  private void endBar() {
    if (drawn) {
      out.println();
      drawn = false;
    }
  }
}
