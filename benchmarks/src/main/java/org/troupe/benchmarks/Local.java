package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.ABOVE;
import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;

/** Calls inside one JVM, against the JDK's executor of one thread. */
final class Local implements Benchmark {

  private static final List<String> OPTIONS = List.of("-Xmx1g");

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String about() {
    return "calls inside one JVM, against an executor of one virtual thread";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    var wait = Goal.ours(AT_MOST, 1);
    return List.of(
        row("call-and-wait", "us", Pinning.NONE, LocalCalls.Kind.WAIT, wait, effort),
        row("call-and-wait-one-core", "us", Pinning.ONE_CORE, LocalCalls.Kind.WAIT, wait, effort),
        row("ask-and-join", "us", Pinning.NONE, LocalCalls.Kind.ASK, null, effort),
        row(
            "one-way",
            "million/s",
            Pinning.NONE,
            LocalCalls.Kind.ONE_WAY,
            Goal.ours(ABOVE, 10),
            effort));
  }

  private static Row row(
      String name, String unit, Pinning pinning, LocalCalls.Kind kind, Goal goal, Effort effort)
      throws IOException, InterruptedException {
    try (var contest = new Contest(pinning)) {
      for (var by : LocalCalls.By.values()) {
        contest.enter(by.name(), start(pinning, kind, by, effort));
      }
      contest.run(effort.rounds());
      return contest.row(
          name, unit, LocalCalls.By.ACTIVE_OBJECT.name(), LocalCalls.By.EXECUTOR.name(), goal);
    }
  }

  private static Contender start(
      Pinning pinning, LocalCalls.Kind kind, LocalCalls.By by, Effort effort) throws IOException {
    return Contender.start(LocalCalls.class, pinning, OPTIONS, kind, by, effort.roundMillis());
  }
}
