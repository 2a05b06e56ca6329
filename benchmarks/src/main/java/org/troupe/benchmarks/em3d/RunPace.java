package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.troupe.benchmarks.harness.FigureSpread;
import tools.jackson.databind.json.JsonMapper;

/**
 * The times at which a run of the solver passed certain steps.
 *
 * @param passed the steps, in order
 */
record RunPace(List<Passed> passed) {

  private static final int LEAST = 3; // fewer steps give no reliable figure

  /** A step, and when it began, in milliseconds since 1970. */
  record Passed(int step, long millis) {}

  /** Reads the pace from the solver's report. */
  static RunPace of(String report) throws IOException {
    List<Passed> passed = new ArrayList<>();
    for (var each : JsonMapper.shared().readTree(report).path("pace")) {
      passed.add(new Passed(each.path(0).intValue(), each.path(1).longValue()));
    }
    if (passed.isEmpty()) {
      throw new IOException("the solver's report has no pace");
    }
    return new RunPace(passed);
  }

  /** Returns when the run had completed a fraction of its steps. */
  long millisAt(double part) {
    var step = part * passed.getLast().step();
    return passed.stream()
        .filter(each -> each.step() >= step)
        .findFirst()
        .orElse(passed.getLast())
        .millis();
  }

  /**
   * Returns the milliseconds of a step in the second half of the run; empty if there were too few
   * steps.
   */
  OptionalDouble ofSecondHalf() {
    return millisPerStep(millisAt(0.5), passed.getLast().millis());
  }

  /** Returns the milliseconds of a step in a period; empty if it has too few steps. */
  OptionalDouble millisPerStep(long from, long to) {
    var within =
        passed.stream().filter(each -> each.millis() >= from && each.millis() <= to).toList();
    if (within.size() < LEAST) {
      return OptionalDouble.empty();
    }
    List<Double> steps = new ArrayList<>();
    for (var i = 1; i < within.size(); i++) {
      var before = within.get(i - 1);
      var after = within.get(i);
      steps.add((double) (after.millis() - before.millis()) / (after.step() - before.step()));
    }
    return OptionalDouble.of(FigureSpread.of(steps).median());
  }
}
