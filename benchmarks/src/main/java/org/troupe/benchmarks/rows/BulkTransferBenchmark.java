package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides;

/** Calls with a mebibyte of doubles as their argument, against bare links. */
public final class BulkTransferBenchmark implements Benchmark {

  private static final String UNIT = "MB/s";
  private static final String BARE = "bare-";

  @Override
  public String name() {
    return "bulk";
  }

  @Override
  public String about() {
    return "calls with 1 MiB of double[] over ibis, against a new array over bare links";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      for (var driver : List.of(BareDriver.TCP, BareDriver.UDS, BareDriver.SHM)) {
        if (driver.isAvailable()) {
          enter(contest, driver.label(), sides.ibis(driver), ContenderSides.MEBI_OF_DOUBLES);
          enter(
              contest,
              BARE + driver.label(),
              sides.bareLink(driver),
              ContenderSides.FRESH_MEBI_OF_DOUBLES);
        } else {
          contest.markUnavailable(driver.label(), ContenderSides.NO_FUTEX);
          contest.markUnavailable(BARE + driver.label(), ContenderSides.NO_FUTEX);
        }
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row("mib-tcp", UNIT, "tcp", BARE + "tcp", RowGoal.ratio(AT_LEAST, 0.95)),
          contest.row("mib-uds", UNIT, "uds", BARE + "uds", null),
          contest.row("mib-shm", UNIT, "shm", BARE + "shm", RowGoal.ratio(AT_LEAST, 0.95)),
          contest.row("mib-shm-by-tcp", UNIT, "shm", "tcp", RowGoal.ratio(AT_LEAST, 2)));
    }
  }

  private static void enter(
      BenchmarkContest contest, String side, ContenderProcess contender, String load) {
    contest.add(side, contender, load, ContenderSides::mebiRate);
  }
}
