package org.troupe.skeletons;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Writes lines about the progress of a run, at most one a second, and one at the end. */
final class ProgressLines {

  private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long total; // -1 if it is unknown
  private final Consumer<? super String> lines;
  private final long begun = System.nanoTime();
  private long last = begun;
  private long done;
  private long failed;

  ProgressLines(long total, Consumer<? super String> lines) {
    this.total = total;
    this.lines = lines;
  }

  void add(boolean isFailure) {
    done++;
    if (isFailure) {
      failed++;
    }
    var now = System.nanoTime();
    if (now - last >= BETWEEN_NANOS) {
      last = now;
      lines.accept(text(now));
    }
  }

  void end() {
    lines.accept(text(System.nanoTime()));
  }

  private String text(long now) {
    var seconds = (now - begun) / 1e9;
    var of = total < 0 ? "" : String.format(Locale.ROOT, " of %,d", total);
    var failures = failed == 0 ? "" : String.format(Locale.ROOT, ", %,d of them failed", failed);
    return String.format(
        Locale.ROOT,
        "%,d%s inputs done%s; %.1f s, %.1f/s",
        done,
        of,
        failures,
        seconds,
        done / Math.max(seconds, 1e-9));
  }
}
