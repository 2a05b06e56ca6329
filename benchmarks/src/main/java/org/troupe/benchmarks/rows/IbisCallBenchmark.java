package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;

/**
 * Small calls between two JVMs over the transport {@code ibis}, against bare links and bare RMI.
 */
public final class IbisCallBenchmark implements Benchmark {

  private static final String BARE = "bare-";
  private static final String FROM_VIRTUAL = "virtual";
  private static final String DEFAULT = "default";
  private static final String ONE_WAY = "one-way";
  private static final String RMI_RATE = "rmi-rate";
  private static final String RMI = "rmi";
  private static final String ALLOCATION = "allocation";
  private static final String RMI_ALLOCATION = "rmi-allocation";

  @Override
  public String name() {
    return "ibis";
  }

  @Override
  public String about() {
    return "small calls between two JVMs over ibis, against bare links and bare java.rmi";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      enter(contest, new ContenderSides(CorePinning.ONE_CORE, effort));
      contest.run(effort.rounds());
      var tcp = BareDriver.TCP.label();
      var uds = BareDriver.UDS.label();
      var shm = BareDriver.SHM.label();
      return List.of(
          contest.row("null-call-tcp", "us", tcp, BARE + tcp, RowGoal.ratio(AT_MOST, 1.1)),
          contest.row(
              "null-call-tcp-virtual", "us", FROM_VIRTUAL, BARE + tcp, RowGoal.ratio(AT_MOST, 2.5)),
          contest.row("null-call-uds", "us", uds, BARE + uds, null),
          contest.row("null-call-shm", "us", shm, BARE + shm, RowGoal.ratio(AT_MOST, 1.5)),
          contest.row("null-call-shm-by-tcp", "us", shm, BARE + tcp, RowGoal.ratio(AT_MOST, 0.6)),
          contest.row("null-call-by-rmi", "us", DEFAULT, RMI, RowGoal.ratio(AT_MOST, 0.33)),
          contest.row("null-call-tcp-by-rmi", "us", tcp, RMI, RowGoal.ratio(AT_MOST, 0.9)),
          contest.row("one-way-by-rmi", "1000/s", ONE_WAY, RMI_RATE, RowGoal.ratio(AT_LEAST, 20)),
          contest.row(
              "null-call-allocation",
              "bytes",
              ALLOCATION,
              RMI_ALLOCATION,
              RowGoal.ours(AT_MOST, 100)));
    }
  }

  private static void enter(BenchmarkContest contest, ContenderSides sides) throws IOException {
    for (var driver : List.of(BareDriver.TCP, BareDriver.UDS, BareDriver.SHM)) {
      if (driver.isAvailable()) {
        contest.add(driver.label(), sides.ibis(driver), CalleeLoads.CALL);
        contest.add(BARE + driver.label(), sides.bareLink(driver), CalleeLoads.CALL);
      } else {
        contest.markUnavailable(driver.label(), ContenderSides.NO_FUTEX);
        contest.markUnavailable(BARE + driver.label(), ContenderSides.NO_FUTEX);
      }
    }
    contest.add(FROM_VIRTUAL, sides.ibis(BareDriver.TCP), CalleeLoads.CALL_FROM_VIRTUAL);
    var ibis = sides.troupe("ibis");
    contest.add(DEFAULT, ibis, CalleeLoads.CALL);
    contest.add(ALLOCATION, ibis, CalleeLoads.ALLOCATION);
    contest.add(
        ONE_WAY, sides.troupe("ibis"), CalleeLoads.ONE_WAY, IbisCallBenchmark::thousandsPerSecond);
    var rmi = sides.bareRmi();
    contest.add(RMI, rmi, CalleeLoads.CALL);
    contest.add(RMI_RATE, rmi, CalleeLoads.CALL, IbisCallBenchmark::thousandsPerSecond);
    contest.add(RMI_ALLOCATION, rmi, CalleeLoads.ALLOCATION);
  }

  private static double thousandsPerSecond(double micros) {
    return 1e3 / micros;
  }
}
