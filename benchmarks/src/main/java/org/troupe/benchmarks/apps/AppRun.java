package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.ProgramRun;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A finished run of a classic program, which was started as a user starts it.
 *
 * @param report the report that the program wrote
 */
record AppRun(JsonNode report) {

  /**
   * The warm-up of the programs. Some make hundreds of exchanges in a round, which leave the
   * compilers too little of two processors to finish sooner.
   */
  static final int WARM_UP_SECONDS = 20;

  /** The warm-up where compilers have a processor of their own, or no goal depends on the row. */
  static final int SHORT_WARM_UP_SECONDS = 10;

  /**
   * Runs a program.
   *
   * @param options its command line
   * @throws IOException if it failed, or found a wrong answer
   */
  static AppRun of(App app, Object... options) throws IOException, InterruptedException {
    return of(ProgramRun.report(app.main(), List.of(options)));
  }

  static AppRun of(String report) {
    return new AppRun(JsonMapper.shared().readTree(report));
  }

  /** Returns whether the report has a figure of this name. */
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
   * Returns the seconds of all rounds, or only their median if the report does not list the rounds.
   */
  List<Double> rounds() throws IOException {
    return figures("rounds", figure("seconds"));
  }

  /**
   * Returns the seconds of the sequential version in all rounds, or only their median if the report
   * does not list the rounds.
   */
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

  /** Returns the microseconds of an exchange, by the number of doubles in a message. */
  SortedMap<Integer, Double> micros() {
    SortedMap<Integer, Double> micros = new TreeMap<>();
    for (var rate : report.path("rates")) {
      micros.put(rate.path("doubles").intValue(), rate.path("micros").doubleValue());
    }
    return micros;
  }
}
