package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.ProgramRun;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run of one of the ancestors' programs, as a user starts it, says of itself.
 *
 * @param report as the program has written it
 */
record AppRun(JsonNode report) {

  /**
   * How long the programs warm up: the hundreds of exchanges that some make in a round leave the
   * compilers less of two processors than they need.
   */
  static final int WARM_UP_SECONDS = 20;

  /**
   * Runs it.
   *
   * @param options its command line
   * @throws IOException if it failed, or found a wrong answer
   */
  static AppRun of(App app, CorePinning pinning, Object... options)
      throws IOException, InterruptedException {
    return of(ProgramRun.report(app.main(), pinning, new ArrayList<>(List.of(options))));
  }

  static AppRun of(String report) {
    return new AppRun(JsonMapper.shared().readTree(report));
  }

  /** Returns whether there is a figure of that name. */
  boolean has(String name) {
    return report.path(name).isNumber();
  }

  double figure(String name) throws IOException {
    if (!has(name)) {
      throw new IOException(
          "the report of " + report.path("program").asString("a program") + " has no " + name);
    }
    return report.path(name).doubleValue();
  }

  /**
   * Returns the seconds of all rounds where they are told, for what they are apart; else those that
   * count.
   */
  List<Double> rounds() throws IOException {
    return figures("rounds", figure("seconds"));
  }

  /** Returns the same of the sequential version. */
  List<Double> baseRounds() throws IOException {
    return figures("baseRounds", figure("baseSeconds"));
  }

  private List<Double> figures(String name, double middle) {
    List<Double> figures = new ArrayList<>();
    report.path(name).forEach(each -> figures.add(each.doubleValue()));
    return figures.isEmpty() ? List.of(middle) : figures;
  }

  int nodes() throws IOException {
    return (int) figure("nodes");
  }

  /** Returns the microseconds of an exchange, by how many doubles a message has. */
  SortedMap<Integer, Double> micros() {
    SortedMap<Integer, Double> micros = new TreeMap<>();
    for (var rate : report.path("rates")) {
      micros.put(rate.path("doubles").intValue(), rate.path("micros").doubleValue());
    }
    return micros;
  }
}
