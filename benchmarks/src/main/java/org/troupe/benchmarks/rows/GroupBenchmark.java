package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.BELOW;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.harness.WrittenBytes;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.GroupClient;
import org.troupe.benchmarks.sides.OpenMpi;

/** Calls on groups against single calls, and members in step against Open MPI. */
public final class GroupBenchmark implements Benchmark {

  private static final int MEMBERS = 8;
  private static final int USUAL_CROWD = 100;
  private static final List<Integer> CROWDS = List.of(10, USUAL_CROWD, 1_000, 10_000);
  private static final int MEBI = 1 << 20;

  /**
   * Members in step took half a minute until an exchange of a number no longer became faster: from
   * 870 to 12 us, on one core for all JVMs and their compilers.
   */
  private static final int WARM_UPS_IN_STEP = 6;

  private static final String ONE_DOUBLE = GroupClient.ALL_REDUCE + 1;
  private static final String ALL_REDUCE = GroupClient.ALL_REDUCE + MEBI / Double.BYTES;
  private static final String BROADCAST = GroupClient.BROADCAST + MEBI / Double.BYTES;
  private static final String BARRIER = GroupClient.BARRIER + 0;

  private static final String DOUBLE_BACK = GroupClient.PING_PONG + 1;
  private static final String MANY_BACK = GroupClient.PING_PONG + 1_000_000;
  private static final String MANY_ONCE = CalleeLoads.DOUBLES + 1_000_000;

  private static final String OURS = "ours ";
  private static final String MPI = "mpi ";
  private static final String WHOLE = "whole";

  @Override
  public String name() {
    return "groups";
  }

  @Override
  public String about() {
    return "calls on groups against single ones, and members in step against Open MPI";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.addAll(againstSingleCalls(effort));
    rows.add(bytes(effort));
    rows.addAll(crowds(effort));
    rows.addAll(inStep(2, effort));
    rows.addAll(inStep(4, effort));
    rows.addAll(pingPong(effort));
    return rows;
  }

  // Calls

  private static List<BenchmarkRow> againstSingleCalls(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var client = new ContenderSides(CorePinning.ONE_CORE, effort).groups(1);
      for (var load :
          List.of(
              GroupClient.ONE_WAY,
              GroupClient.ONE_WAY_SINGLES,
              GroupClient.ASK,
              GroupClient.ASK_SINGLES,
              GroupClient.ONE_WAY_HERE,
              GroupClient.ONE_WAY_SINGLES_HERE)) {
        contest.enter(load, client, load + MEMBERS);
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "broadcast-8",
              "us",
              GroupClient.ONE_WAY,
              GroupClient.ONE_WAY_SINGLES,
              RowGoal.ratio(AT_MOST, 0.4)),
          contest.row("gather-8", "us", GroupClient.ASK, GroupClient.ASK_SINGLES, null),
          contest.row(
              "broadcast-8-here",
              "us",
              GroupClient.ONE_WAY_HERE,
              GroupClient.ONE_WAY_SINGLES_HERE,
              null));
    }
  }

  private static BenchmarkRow bytes(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      if (WrittenBytes.isKnown()) {
        contest.enter(
            OURS,
            new ContenderSides(CorePinning.ONE_CORE, effort).groups(1, BareDriver.TCP),
            GroupClient.MEBI_WRITTEN + MEMBERS);
      } else {
        contest.miss(OURS, "no /proc/self/io tells here what a process has written");
      }
      contest.enter(WHOLE, () -> MEBI);
      contest.run(effort.rounds());
      return contest.row(
          "broadcast-8-mib-bytes", "bytes", OURS, WHOLE, RowGoal.ratio(AT_MOST, 1.01));
    }
  }

  private static List<BenchmarkRow> crowds(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var client = new ContenderSides(CorePinning.ONE_CORE, effort).groups(2);
      for (var load : List.of(GroupClient.ONE_WAY, GroupClient.ASK)) {
        for (var crowd : CROWDS) {
          contest.enter(load + crowd, client, load + crowd, micros -> micros / crowd);
        }
      }
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var crowd : CROWDS) {
        rows.add(crowd(contest, "broadcast-", GroupClient.ONE_WAY, crowd, RowGoal.ours(BELOW, 1)));
      }
      for (var crowd : CROWDS) {
        rows.add(crowd(contest, "gather-", GroupClient.ASK, crowd, null));
      }
      return rows;
    }
  }

  private static BenchmarkRow crowd(
      BenchmarkContest contest, String row, String load, int crowd, RowGoal usual) {
    var goal =
        crowd == CROWDS.getLast() ? RowGoal.ratio(AT_MOST, 1) : crowd == USUAL_CROWD ? usual : null;
    return contest.row(row + crowd, "us/member", load + crowd, load + USUAL_CROWD, goal);
  }

  // In step

  /** All of it on so many JVMs, one member in each. */
  private static List<BenchmarkRow> inStep(int jvms, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var pinning = CorePinning.ONE_CORE;
    var hindrance = OpenMpi.hindrance();
    try (var contest = new BenchmarkContest(pinning, WARM_UPS_IN_STEP);
        var mpi = hindrance.isPresent() ? null : OpenMpi.compiled()) {
      var client = new ContenderSides(pinning, effort).groups(jvms);
      contest.enter(CalleeLoads.CALL, client, CalleeLoads.CALL);
      contest.enter(ONE_DOUBLE, client, ONE_DOUBLE);
      for (var load : List.of(ALL_REDUCE, BROADCAST, BARRIER)) {
        contest.enter(OURS + load, client, load);
        hindrance.ifPresent(reason -> contest.miss(MPI + load, reason));
      }
      if (mpi != null) {
        var shm = mpi.start(jvms, OpenMpi.SHM, pinning, effort);
        contest.enter(MPI + ALL_REDUCE, shm, ALL_REDUCE);
        contest.enter(MPI + BROADCAST, shm, BROADCAST);
        contest.enter(MPI + BARRIER, mpi.start(jvms, OpenMpi.TCP, pinning, effort), BARRIER);
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "all-reduce-double-" + jvms,
              "us",
              ONE_DOUBLE,
              CalleeLoads.CALL,
              RowGoal.ratio(AT_MOST, jvms == 2 ? 1.5 : 3)),
          againstMpi(contest, "all-reduce-mib-" + jvms, ALL_REDUCE, 1.2),
          againstMpi(contest, "broadcast-mib-" + jvms, BROADCAST, 1.2),
          againstMpi(contest, "barrier-" + jvms, BARRIER, 1.5));
    }
  }

  /** There and back, as a bare link does a call; and half of it, as that takes an array. */
  private static List<BenchmarkRow> pingPong(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE, WARM_UPS_IN_STEP)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      var client = sides.groups(2);
      contest.enter(DOUBLE_BACK, client, DOUBLE_BACK);
      contest.enter(MANY_BACK, client, MANY_BACK, micros -> micros / 2);
      if (BareDriver.SHM.isPossible()) {
        var link = sides.bareLink(BareDriver.SHM);
        contest.enter(CalleeLoads.CALL, link, CalleeLoads.CALL);
        contest.enter(MANY_ONCE, link, MANY_ONCE);
      } else {
        contest.miss(CalleeLoads.CALL, ContenderSides.NO_FUTEX);
        contest.miss(MANY_ONCE, ContenderSides.NO_FUTEX);
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row("ping-pong-double", "us", DOUBLE_BACK, CalleeLoads.CALL, null),
          contest.row("ping-pong-million", "us", MANY_BACK, MANY_ONCE, null));
    }
  }

  private static BenchmarkRow againstMpi(
      BenchmarkContest contest, String row, String load, double goal) {
    return contest.row(row, "us", OURS + load, MPI + load, RowGoal.ratio(AT_MOST, goal));
  }
}
