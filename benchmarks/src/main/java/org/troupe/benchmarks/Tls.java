package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;

/** Calls over TLS, against a bare engine over the same channel. */
final class Tls implements Benchmark {

  private static final String OURS = " by ibis";
  private static final String BARE = " bare";

  @Override
  public String name() {
    return "tls";
  }

  @Override
  public String about() {
    return "calls over ibis with TLS 1.3, against a bare SSLEngine over a channel";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.ONE_CORE)) {
      var sides = new Sides(Pinning.ONE_CORE, effort);
      for (var load : List.of(CalleeLoads.CALL, Sides.MEBI_OF_DOUBLES)) {
        contest.enter(load + OURS, sides.ibis(BareDriver.TLS), load);
        contest.enter(load + BARE, sides.bareLink(BareDriver.TLS), load);
      }
      contest.run(effort.rounds());
      return List.of(
          row(contest, "tls-null-call", CalleeLoads.CALL),
          row(contest, "tls-mib", Sides.MEBI_OF_DOUBLES));
    }
  }

  private static Row row(Contest contest, String name, String load) {
    return contest.row(name, "us", load + OURS, load + BARE, Goal.ratio(AT_MOST, 1.15));
  }
}
