package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_LEAST;
import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;

/**
 * Small calls between two JVMs over the transport {@code ibis}, against bare links and bare RMI.
 */
final class Ibis implements Benchmark {

  private static final String BARE = "bare-";
  private static final String FROM_VIRTUAL = "virtual";
  private static final String DEFAULT = "default";
  private static final String ONE_WAY = "one-way";
  private static final String RMI_RATE = "rmi-rate";
  private static final String RMI = "rmi";
  private static final String ALLOCATION = "allocation";
  private static final String RMI_ALLOCATION = "rmi-allocation";

  private static final double THREE_TIMES_FASTER = 1.0 / 3;
  private static final double A_THIRD_FASTER = 1 / 1.3;

  @Override
  public String name() {
    return "ibis";
  }

  @Override
  public String about() {
    return "small calls between two JVMs over ibis, against bare links and bare java.rmi";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.ONE_CORE)) {
      enter(contest, new Sides(Pinning.ONE_CORE, effort));
      contest.run(effort.rounds());
      var tcp = BareDriver.TCP.label();
      var uds = BareDriver.UDS.label();
      var shm = BareDriver.SHM.label();
      return List.of(
          contest.row("null-call-tcp", "us", tcp, BARE + tcp, Goal.ratio(AT_MOST, 1.15)),
          contest.row(
              "null-call-tcp-virtual", "us", FROM_VIRTUAL, BARE + tcp, Goal.ratio(AT_MOST, 2.5)),
          contest.row("null-call-uds", "us", uds, BARE + uds, null),
          contest.row("null-call-shm", "us", shm, BARE + shm, Goal.ratio(AT_MOST, 1.5)),
          contest.row("null-call-shm-by-tcp", "us", shm, BARE + tcp, Goal.ratio(AT_MOST, 0.6)),
          contest.row(
              "null-call-by-rmi", "us", DEFAULT, RMI, Goal.ratio(AT_MOST, THREE_TIMES_FASTER)),
          contest.row("null-call-tcp-by-rmi", "us", tcp, RMI, Goal.ratio(AT_MOST, A_THIRD_FASTER)),
          contest.row("one-way-by-rmi", "1000/s", ONE_WAY, RMI_RATE, Goal.ratio(AT_LEAST, 20)),
          contest.row(
              "null-call-allocation",
              "bytes",
              ALLOCATION,
              RMI_ALLOCATION,
              Goal.ours(AT_MOST, 200)));
    }
  }

  private static void enter(Contest contest, Sides sides) throws IOException {
    for (var driver : List.of(BareDriver.TCP, BareDriver.UDS, BareDriver.SHM)) {
      if (driver.isPossible()) {
        contest.enter(driver.label(), sides.ibis(driver), CalleeLoads.CALL);
        contest.enter(BARE + driver.label(), sides.bareLink(driver), CalleeLoads.CALL);
      } else {
        contest.miss(driver.label(), Sides.NO_FUTEX);
        contest.miss(BARE + driver.label(), Sides.NO_FUTEX);
      }
    }
    contest.enter(FROM_VIRTUAL, sides.ibis(BareDriver.TCP), CalleeLoads.CALL_FROM_VIRTUAL);
    var ibis = sides.troupe("ibis");
    contest.enter(DEFAULT, ibis, CalleeLoads.CALL);
    contest.enter(ALLOCATION, ibis, CalleeLoads.ALLOCATION);
    contest.enter(ONE_WAY, sides.troupe("ibis"), CalleeLoads.ONE_WAY, Ibis::thousandsPerSecond);
    var rmi = sides.bareRmi();
    contest.enter(RMI, rmi, CalleeLoads.CALL);
    contest.enter(RMI_RATE, rmi, CalleeLoads.CALL, Ibis::thousandsPerSecond);
    contest.enter(RMI_ALLOCATION, rmi, CalleeLoads.ALLOCATION);
  }

  private static double thousandsPerSecond(double micros) {
    return 1e3 / micros;
  }
}
