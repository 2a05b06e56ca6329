package org.troupe.em3d;

import java.io.PrintStream;

/**
 * Shows how far a run is: a bar that is drawn again on a terminal, a line now and then elsewhere.
 */
final class ProgressLine implements Watcher {

  private static final int WIDTH = 30;
  private static final double QUIET_SECONDS = 5; // between two plain lines

  private final PrintStream out;
  private final boolean terminal;
  private final long began = System.nanoTime();
  private double lastShown;
  private int firstStep = -1;
  private boolean drawn; // a bar, which the cursor is behind

  ProgressLine(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void news(String line) {
    if (drawn) {
      out.println();
      drawn = false;
    }
    out.println(line);
  }

  @Override
  public void progress(Collector.Progress progress) {
    if (firstStep < 0) {
      firstStep = progress.step();
    }
    var seconds = (System.nanoTime() - began) / 1e9;
    var over = progress.step() == progress.lastStep();
    if (!terminal && !over && seconds - lastShown < QUIET_SECONDS) {
      return;
    }
    lastShown = seconds;
    var rate = Math.max(0, progress.step() - firstStep) / seconds;
    var text =
        "step %,d of %,d  %.1f steps/s  %s"
            .formatted(
                progress.step(),
                progress.lastStep(),
                rate,
                over || rate == 0
                    ? ""
                    : "%.0f s to go".formatted((progress.lastStep() - progress.step()) / rate));
    if (!terminal) {
      out.println(text);
      return;
    }
    var filled = WIDTH * progress.step() / Math.max(1, progress.lastStep());
    out.print("\r[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + text + "\u001b[K");
    drawn = !over;
    if (over) {
      out.println();
    }
    out.flush();
  }
}
