package org.troupe.activeobjects.internal.membership;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long reports have seen the same things go on without a gap, such as one request in service.
 * Not thread-safe.
 */
final class Sightings {

  /*
   * Design: a lower limit without a clock
   *
   * No clock is read when a service or a wait begins, so its beginning is known as an upper limit of its duration only, and an object
   * that serves short requests all the time would look like one that serves a long one. A report therefore remembers the few requests and
   * futures that its rows have shown, by weak references. A request or future that the next report shows again has lasted since then.
   */
  private List<Sighting> last = List.of();

  private List<Sighting> present = new ArrayList<>();

  /**
   * Something that a report has shown.
   *
   * @param since tells apart several waits of one request; else 0
   */
  private record Sighting(WeakReference<Object> what, long since, long firstNanos) {}

  /**
   * Notes that a report shows something.
   *
   * @return for how long all reports have shown it
   */
  long nanos(@Nullable Object what, long since, long now) {
    if (what == null) {
      return 0;
    }
    var before =
        last.stream().filter(each -> each.what().refersTo(what) && each.since() == since).findAny();
    var first = before.map(Sighting::firstNanos).orElse(now);
    present.add(new Sighting(new WeakReference<>(what), since, first));
    return now - first;
  }

  /** Ends a report. */
  void endReport() {
    last = present;
    present = new ArrayList<>();
  }
}
