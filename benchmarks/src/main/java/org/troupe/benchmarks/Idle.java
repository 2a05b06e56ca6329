package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.ABOVE;
import static org.troupe.benchmarks.Goal.Direction.BELOW;

import java.io.IOException;
import java.util.List;

/** A million idle active objects, against as many parked virtual threads. */
final class Idle implements Benchmark {

  /** Enough for the reference, whose stacks are on the heap. */
  private static final List<String> OPTIONS = List.of("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC");

  private static final String OURS = "ours";
  private static final String REFERENCE = "reference";

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String about() {
    return "a million idle active objects, against as many parked virtual threads";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    return List.of(
        row("idle-heap", "MiB", IdleMillion.Kind.HEAP, Goal.ours(BELOW, 512), effort),
        row("idle-creation", "million/s", IdleMillion.Kind.CREATION, Goal.ours(ABOVE, 1), effort));
  }

  private static Row row(String name, String unit, IdleMillion.Kind kind, Goal goal, Effort effort)
      throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.NONE);
        var ours = start(kind, IdleMillion.Of.ACTIVE_OBJECTS);
        var reference = start(kind, IdleMillion.Of.VIRTUAL_THREADS)) {
      contest.enter(OURS, ours::turn);
      contest.enter(REFERENCE, reference::turn);
      contest.run(effort.longRounds());
      return contest.row(name, unit, OURS, REFERENCE, goal);
    }
  }

  private static Contender start(IdleMillion.Kind kind, IdleMillion.Of of) throws IOException {
    return Contender.start(IdleMillion.class, Pinning.NONE, OPTIONS, kind, of);
  }
}
