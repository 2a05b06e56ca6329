package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;

/** What the machine gives between two JVMs with nothing in between: the limits of all else. */
public final class BareLinkBenchmark implements Benchmark {

  @Override
  public String name() {
    return "links";
  }

  @Override
  public String about() {
    return "bare links between two JVMs, against a bare TCP channel";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      for (var driver : BareDriver.values()) {
        if (driver.isPossible()) {
          var link = sides.bareLink(driver);
          contest.enter(call(driver), link, CalleeLoads.CALL);
          contest.enter(
              mebi(driver), link, ContenderSides.MEBI_OF_DOUBLES, ContenderSides::mebiRate);
          contest.enter(
              fresh(driver), link, ContenderSides.FRESH_MEBI_OF_DOUBLES, ContenderSides::mebiRate);
        } else {
          contest.miss(call(driver), ContenderSides.NO_FUTEX);
          contest.miss(mebi(driver), ContenderSides.NO_FUTEX);
          contest.miss(fresh(driver), ContenderSides.NO_FUTEX);
        }
      }
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var driver : BareDriver.values()) {
        rows.add(contest.row(call(driver), "us", call(driver), call(BareDriver.TCP), null));
      }
      for (var driver : BareDriver.values()) {
        rows.add(contest.row(mebi(driver), "MB/s", mebi(driver), mebi(BareDriver.TCP), null));
      }
      for (var driver : BareDriver.values()) {
        rows.add(contest.row(fresh(driver), "MB/s", fresh(driver), mebi(driver), null));
      }
      return rows;
    }
  }

  private static String call(BareDriver driver) {
    return "bare-call-" + driver.label();
  }

  private static String mebi(BareDriver driver) {
    return "bare-mib-" + driver.label();
  }

  private static String fresh(BareDriver driver) {
    return "bare-mib-fresh-" + driver.label();
  }
}
