package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_LEAST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;

/** Calls with a mebibyte of doubles as their argument, against bare links. */
final class Bulk implements Benchmark {

  private static final String UNIT = "MB/s";
  private static final String BARE = "bare-";

  @Override
  public String name() {
    return "bulk";
  }

  @Override
  public String about() {
    return "calls with 1 MiB of double[] over ibis, against an array over bare links";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.ONE_CORE)) {
      var sides = new Sides(Pinning.ONE_CORE, effort);
      for (var driver : List.of(BareDriver.TCP, BareDriver.UDS, BareDriver.SHM)) {
        if (driver.isPossible()) {
          enter(contest, driver.label(), sides.ibis(driver));
          enter(contest, BARE + driver.label(), sides.bareLink(driver));
        } else {
          contest.miss(driver.label(), Sides.NO_FUTEX);
          contest.miss(BARE + driver.label(), Sides.NO_FUTEX);
        }
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row("mib-tcp", UNIT, "tcp", BARE + "tcp", Goal.ratio(AT_LEAST, 0.9)),
          contest.row("mib-uds", UNIT, "uds", BARE + "uds", null),
          contest.row("mib-shm", UNIT, "shm", BARE + "shm", Goal.ratio(AT_LEAST, 0.8)),
          contest.row("mib-shm-by-tcp", UNIT, "shm", "tcp", Goal.ratio(AT_LEAST, 2)));
    }
  }

  private static void enter(Contest contest, String side, Contender contender) {
    contest.enter(side, contender, Sides.MEBI_OF_DOUBLES, Sides::mebiRate);
  }
}
