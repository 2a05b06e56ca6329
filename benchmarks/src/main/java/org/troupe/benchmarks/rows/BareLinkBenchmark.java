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

/** Bare links between two JVMs, which are the limits for everything else. */
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
        if (driver.isAvailable()) {
          var link = sides.bareLink(driver);
          contest.add(call(driver), link, CalleeLoads.CALL);
          contest.add(
              mebibyte(driver), link, ContenderSides.MEBI_OF_DOUBLES, ContenderSides::mebiRate);
          contest.add(
              freshMebibyte(driver),
              link,
              ContenderSides.FRESH_MEBI_OF_DOUBLES,
              ContenderSides::mebiRate);
        } else {
          contest.markUnavailable(call(driver), ContenderSides.NO_FUTEX);
          contest.markUnavailable(mebibyte(driver), ContenderSides.NO_FUTEX);
          contest.markUnavailable(freshMebibyte(driver), ContenderSides.NO_FUTEX);
        }
      }
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var driver : BareDriver.values()) {
        rows.add(contest.row(call(driver), "us", call(driver), call(BareDriver.TCP), null));
      }
      for (var driver : BareDriver.values()) {
        rows.add(
            contest.row(
                mebibyte(driver), "MB/s", mebibyte(driver), mebibyte(BareDriver.TCP), null));
      }
      for (var driver : BareDriver.values()) {
        rows.add(
            contest.row(
                freshMebibyte(driver), "MB/s", freshMebibyte(driver), mebibyte(driver), null));
      }
      return rows;
    }
  }

  private static String call(BareDriver driver) {
    return "bare-call-" + driver.label();
  }

  private static String mebibyte(BareDriver driver) {
    return "bare-mib-" + driver.label();
  }

  private static String freshMebibyte(BareDriver driver) {
    return "bare-mib-fresh-" + driver.label();
  }
}
