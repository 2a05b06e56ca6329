package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.GroupClient;

/**
 * Calls between two JVMs over the transport {@code rmi}, against bare {@code java.rmi}; large
 * groups and many objects over it, against {@code ibis}.
 */
public final class RmiCallBenchmark implements Benchmark {

  private static final int MANY_MEMBERS = 10_000;
  private static final int MANY_OBJECTS = 100_000;

  /** A turn with many objects takes about ten seconds, so one of them is enough to warm up. */
  private static final int OBJECT_ROUNDS = 3;

  private static final String RMI = "rmi";
  private static final String IBIS = "ibis";
  private static final String OURS = "ours";
  private static final String BARE = "bare";

  @Override
  public String name() {
    return "rmi";
  }

  @Override
  public String about() {
    return "calls over rmi, against bare java.rmi; many members and objects, against ibis";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.add(row("rmi-null-call", CorePinning.ONE_CORE, RowGoal.ratio(AT_MOST, 1.2), effort));
    rows.add(row("rmi-null-call-free", CorePinning.NONE, null, effort));
    rows.addAll(members(effort));
    rows.add(objects(effort));
    return rows;
  }

  /** Measures calls on a large group in two JVMs. */
  private static List<BenchmarkRow> members(MeasurementEffort effort)
      throws IOException, InterruptedException {
    var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      for (var transport : List.of(RMI, IBIS)) {
        var client = sides.groups(2, transport);
        for (var load : List.of(GroupClient.ONE_WAY, GroupClient.ASK)) {
          contest.add(
              transport + load, client, load + MANY_MEMBERS, micros -> micros / MANY_MEMBERS);
        }
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "rmi-broadcast-" + MANY_MEMBERS,
              "us/member",
              RMI + GroupClient.ONE_WAY,
              IBIS + GroupClient.ONE_WAY,
              null),
          contest.row(
              "rmi-gather-" + MANY_MEMBERS,
              "us/member",
              RMI + GroupClient.ASK,
              IBIS + GroupClient.ASK,
              null));
    }
  }

  /** Measures the lives of many objects on one node, once per round. */
  private static BenchmarkRow objects(MeasurementEffort effort)
      throws IOException, InterruptedException {
    var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
    var load = GroupClient.LIVES + MANY_OBJECTS;
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE);
        var rmi = sides.groups(1, RMI);
        var ibis = sides.groups(1, IBIS)) {
      rmi.turn(load);
      ibis.turn(load);
      contest.add(RMI, () -> rmi.turn(load));
      contest.add(IBIS, () -> ibis.turn(load));
      contest.run(OBJECT_ROUNDS);
      return contest.row("rmi-objects-" + MANY_OBJECTS, "us/object", RMI, IBIS, null);
    }
  }

  private static BenchmarkRow row(
      String name, CorePinning pinning, @Nullable RowGoal goal, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var sides = new ContenderSides(pinning, effort);
    try (var contest = new BenchmarkContest(pinning)) {
      contest.add(OURS, sides.troupe(RMI), CalleeLoads.CALL);
      contest.add(BARE, sides.bareRmi(), CalleeLoads.CALL);
      contest.run(effort.rounds());
      return contest.row(name, "us", OURS, BARE, goal);
    }
  }
}
