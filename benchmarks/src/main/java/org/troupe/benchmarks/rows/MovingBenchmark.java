package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.MovingClient;

/** The cost of moves of objects, and of calls to objects that have moved. */
public final class MovingBenchmark implements Benchmark {

  private static final double MEBIBYTES = 64 << 20;

  /**
   * A move runs through much code of three JVMs, whose compilers share one core with it: it took
   * 6.5 ms after 1,500 moves, 1.1 ms after 5,000 and 0.5 ms after 10,000 (cd0845ba, 2026-11-28,
   * under load).
   */
  private static final int WARM_UPS = 4;

  /**
   * The further warm-ups of the JVMs that move objects. Four were over after 2,000 to 4,000 moves
   * on a slow machine, and the row showed 3.8 ms; after 12,000 a move took 0.7 to 1.2 ms of
   * processor time there (e0a87e6d, 2026-11-28). A warm-up ends earlier if its figures have
   * settled.
   */
  private static final int WARM_UPS_OF_MOVES = 8;

  @Override
  public String name() {
    return "moving";
  }

  @Override
  public String about() {
    return "active objects that move between two other JVMs; a part of lifecycle";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var calls = new BenchmarkContest(CorePinning.ONE_CORE, WARM_UPS);
        var crowd = new BenchmarkContest(CorePinning.NONE);
        var free = new ContenderSides(CorePinning.NONE, effort).moving()) {
      var client = new ContenderSides(CorePinning.ONE_CORE, effort).moving();
      for (var load : List.of(MovingClient.CALL_BORN, MovingClient.CALL_MOVED)) {
        calls.add(load, client, load);
      }
      var mover = new ContenderSides(CorePinning.ONE_CORE, effort).moving(); // warms up longest
      calls.warmUp(mover, MovingClient.MOVE_AND_CALL); // without the pauses of the measured calls
      calls.add(MovingClient.MOVE_KIB, mover, MovingClient.MOVE_KIB);
      for (var load : List.of(MovingClient.CALL_DIRECT, MovingClient.CALL_FORWARDED)) {
        calls.add(load, () -> mover.turn(load)); // with pauses
      }
      calls.add(
          MovingClient.MOVE_64_MIB, client, MovingClient.MOVE_64_MIB, micros -> MEBIBYTES / micros);
      calls.add(MovingClient.CALL_MEBI, client, MovingClient.CALL_MEBI, ContenderSides::mebiRate);
      for (var i = 0; i < WARM_UPS_OF_MOVES; i++) {
        mover.warmUp(MovingClient.MOVE_AND_CALL);
        mover.warmUp(MovingClient.MOVE_KIB);
      }
      calls.run(effort.rounds());
      crowd.add(MovingClient.EVACUATE, () -> free.turn(MovingClient.EVACUATE));
      crowd.run(effort.longRounds());
      return List.of(
          calls.row(
              "moved-null-call",
              "us",
              MovingClient.CALL_MOVED,
              MovingClient.CALL_BORN,
              RowGoal.ratio(AT_MOST, 1.02)),
          calls.row(
              "forwarded-call",
              "us",
              MovingClient.CALL_FORWARDED,
              MovingClient.CALL_DIRECT,
              RowGoal.ratio(AT_MOST, 2.5)),
          calls.row(
              "move-1k",
              "us",
              MovingClient.MOVE_KIB,
              MovingClient.CALL_BORN,
              RowGoal.ratio(AT_MOST, 40)),
          calls.row(
              "move-64mib",
              "MB/s",
              MovingClient.MOVE_64_MIB,
              MovingClient.CALL_MEBI,
              RowGoal.ratio(AT_LEAST, 0.7)),
          new BenchmarkRow(
              "evacuate-10000",
              "1/s",
              crowd.of(MovingClient.EVACUATE),
              null,
              RowGoal.ours(AT_LEAST, 10_000)));
    }
  }
}
