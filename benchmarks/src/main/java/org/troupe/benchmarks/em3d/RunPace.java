package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.troupe.benchmarks.harness.FigureSpread;
import tools.jackson.databind.json.JsonMapper;

/**
 * When a run of the solver was where.
 *
 * @param passed in order
 */
record RunPace(List<Passed> passed) {

  private static final int LEAST = 3; // fewer say nothing

  /** A step, and when it began, in milliseconds since 1970. */
  record Passed(int step, long millis) {}

  /** Reads what the solver says in its report. */
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

  /** Returns when the run had done this part of its steps. */
  long millisAt(double part) {
    var step = part * passed.getLast().step();
    return passed.stream()
        .filter(each -> each.step() >= step)
        .findFirst()
        .orElse(passed.getLast())
        .millis();
  }

  /** Returns what a step took in the second half of the run; empty if there were too few. */
  OptionalDouble ofSecondHalf() {
    return millisPerStep(millisAt(0.5), passed.getLast().millis());
  }

  /** Returns what a step took between two moments; empty if there were too few. */
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
