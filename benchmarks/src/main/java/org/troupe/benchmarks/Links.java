package org.troupe.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;

/** What the machine gives between two JVMs with nothing in between: the limits of all else. */
final class Links implements Benchmark {

  @Override
  public String name() {
    return "links";
  }

  @Override
  public String about() {
    return "bare links between two JVMs, against a bare TCP channel";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.ONE_CORE)) {
      var sides = new Sides(Pinning.ONE_CORE, effort);
      for (var driver : BareDriver.values()) {
        if (driver.isPossible()) {
          var link = sides.bareLink(driver);
          contest.enter(call(driver), link, CalleeLoads.CALL);
          contest.enter(mebi(driver), link, Sides.MEBI_OF_DOUBLES, Sides::mebiRate);
          contest.enter(fresh(driver), link, Sides.FRESH_MEBI_OF_DOUBLES, Sides::mebiRate);
        } else {
          contest.miss(call(driver), Sides.NO_FUTEX);
          contest.miss(mebi(driver), Sides.NO_FUTEX);
          contest.miss(fresh(driver), Sides.NO_FUTEX);
        }
      }
      contest.run(effort.rounds());
      List<Row> rows = new ArrayList<>();
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
