package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;

/** Calls between two JVMs over RMI, against a bare call of the JDK's. */
final class Rmi implements Benchmark {

  private static final String OURS = "ours";
  private static final String BARE = "bare";

  @Override
  public String name() {
    return "rmi";
  }

  @Override
  public String about() {
    return "a null call between two JVMs, against bare java.rmi over its default sockets";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    return List.of(
        row("rmi-null-call", Pinning.ONE_CORE, Goal.ratio(AT_MOST, 1.2), effort),
        row("rmi-null-call-free", Pinning.NONE, null, effort));
  }

  private static Row row(String name, Pinning pinning, Goal goal, Effort effort)
      throws IOException, InterruptedException {
    var sides = new Sides(pinning, effort);
    try (var contest = new Contest(pinning)) {
      contest.enter(OURS, sides.troupe("rmi"), CalleeLoads.CALL);
      contest.enter(BARE, sides.bareRmi(), CalleeLoads.CALL);
      contest.run(effort.rounds());
      return contest.row(name, "us", OURS, BARE, goal);
    }
  }
}
