package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.BELOW;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.NetworkNamespaces;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.harness.WrittenBytes;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.GroupClient;
import org.troupe.benchmarks.sides.OpenMpi;

/** Group calls against single calls, and collective operations of SPMD members against Open MPI. */
public final class GroupBenchmark implements Benchmark {

  private static final int MEMBERS = 8;
  private static final int USUAL_SIZE = 100;
  private static final List<Integer> GROUP_SIZES = List.of(10, USUAL_SIZE, 1_000, 10_000);
  private static final int MEBI = 1 << 20;

  /**
   * SPMD members took half a minute until the exchange of a number no longer became faster: from
   * 870 to 12 us, on one core for all JVMs and their compilers.
   */
  private static final int COLLECTIVE_WARM_UPS = 6;

  private static final String ONE_DOUBLE = GroupClient.ALL_REDUCE + 1;
  private static final String ALL_REDUCE = GroupClient.ALL_REDUCE + MEBI / Double.BYTES;
  private static final String BROADCAST = GroupClient.BROADCAST + MEBI / Double.BYTES;
  private static final String BARRIER = GroupClient.BARRIER + 0;

  private static final String DOUBLE_PING_PONG = GroupClient.PING_PONG + 1;
  private static final String MILLION_PING_PONG = GroupClient.PING_PONG + 1_000_000;
  private static final String MILLION_DOUBLES = CalleeLoads.DOUBLES + 1_000_000;

  private static final String OURS = "ours ";
  private static final String MPI = "mpi ";
  private static final String MPI_SHM = "mpi shm ";
  private static final String WHOLE = "whole";

  @Override
  public String name() {
    return "groups";
  }

  @Override
  public String about() {
    return "group calls against single calls, and collective operations against Open MPI";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.addAll(againstSingleCalls(effort));
    rows.add(bytes(effort));
    rows.addAll(bySize(effort));
    rows.addAll(collectives(2, effort));
    rows.addAll(collectives(4, effort));
    rows.addAll(betweenHosts(1, "-2-hosts", effort));
    rows.addAll(betweenHosts(2, "-2-hosts-of-2", effort));
    rows.addAll(pingPong(effort));
    return rows;
  }

  // Group calls

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
        contest.add(load, client, load + MEMBERS);
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
              RowGoal.ratio(AT_MOST, 0.6)));
    }
  }

  private static BenchmarkRow bytes(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      if (WrittenBytes.isAvailable()) {
        contest.add(
            OURS,
            new ContenderSides(CorePinning.ONE_CORE, effort).groups(1, BareDriver.TCP),
            GroupClient.MEBI_WRITTEN + MEMBERS);
      } else {
        contest.markUnavailable(OURS, "this system has no /proc/self/io that counts written bytes");
      }
      contest.add(WHOLE, () -> MEBI);
      contest.run(effort.rounds());
      return contest.row(
          "broadcast-8-mib-bytes", "bytes", OURS, WHOLE, RowGoal.ratio(AT_MOST, 1.01));
    }
  }

  private static List<BenchmarkRow> bySize(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var client = new ContenderSides(CorePinning.ONE_CORE, effort).groups(2);
      for (var load : List.of(GroupClient.ONE_WAY, GroupClient.ASK)) {
        for (var size : GROUP_SIZES) {
          contest.add(load + size, client, load + size, micros -> micros / size);
        }
      }
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var size : GROUP_SIZES) {
        rows.add(sizeRow(contest, "broadcast-", GroupClient.ONE_WAY, size, RowGoal.ours(BELOW, 1)));
      }
      for (var size : GROUP_SIZES) {
        rows.add(sizeRow(contest, "gather-", GroupClient.ASK, size, null));
      }
      return rows;
    }
  }

  private static BenchmarkRow sizeRow(
      BenchmarkContest contest, String row, String load, int size, @Nullable RowGoal usual) {
    var goal =
        size == GROUP_SIZES.getLast()
            ? RowGoal.ratio(AT_MOST, 1)
            : size == USUAL_SIZE ? usual : null;
    return contest.row(row + size, "us/member", load + size, load + USUAL_SIZE, goal);
  }

  // Collective operations

  /** Measures the collective operations on a number of JVMs with one member each. */
  private static List<BenchmarkRow> collectives(int jvms, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var pinning = CorePinning.ONE_CORE;
    var unavailability = OpenMpi.whyUnavailable();
    try (var contest = new BenchmarkContest(pinning, COLLECTIVE_WARM_UPS);
        var mpi = unavailability.isPresent() ? null : OpenMpi.compiled()) {
      var client = new ContenderSides(pinning, effort).groups(jvms);
      contest.add(CalleeLoads.CALL, client, CalleeLoads.CALL);
      contest.add(ONE_DOUBLE, client, ONE_DOUBLE);
      for (var load : List.of(ALL_REDUCE, BROADCAST, BARRIER)) {
        contest.add(OURS + load, client, load);
        unavailability.ifPresent(reason -> contest.markUnavailable(MPI + load, reason));
      }
      unavailability.ifPresent(reason -> contest.markUnavailable(MPI_SHM + BARRIER, reason));
      if (mpi != null) {
        var shm = mpi.start(jvms, OpenMpi.SHM, pinning, effort);
        contest.add(MPI + ALL_REDUCE, shm, ALL_REDUCE);
        contest.add(MPI + BROADCAST, shm, BROADCAST);
        contest.add(MPI_SHM + BARRIER, shm, BARRIER);
        contest.add(MPI + BARRIER, mpi.start(jvms, OpenMpi.TCP, pinning, effort), BARRIER);
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "all-reduce-double-" + jvms,
              "us",
              ONE_DOUBLE,
              CalleeLoads.CALL,
              RowGoal.ratio(AT_MOST, jvms == 2 ? 1.3 : 3)),
          againstMpi(contest, "all-reduce-mib-" + jvms, ALL_REDUCE, 1.0),
          againstMpi(contest, "broadcast-mib-" + jvms, BROADCAST, jvms == 2 ? 1.3 : 1.0),
          againstMpi(contest, "barrier-" + jvms, BARRIER, 0.5),
          contest.row(
              "barrier-" + jvms + "-by-shm",
              "us",
              OURS + BARRIER,
              MPI_SHM + BARRIER,
              RowGoal.ratio(AT_MOST, 1.0)));
    }
  }

  /**
   * Measures the collective operations between two simulated hosts, over tcp on both sides.
   *
   * @param members the number of members on each host
   */
  private static List<BenchmarkRow> betweenHosts(
      int members, String suffix, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var pinning = CorePinning.ONE_CORE;
    var loads = List.of(ONE_DOUBLE, ALL_REDUCE, BROADCAST, BARRIER);
    var unavailability = OpenMpi.whyUnavailable().or(NetworkNamespaces::whyUnavailable);
    try (var network = unavailability.isPresent() ? null : NetworkNamespaces.create();
        var mpi = unavailability.isPresent() ? null : OpenMpi.compiled();
        var contest = new BenchmarkContest(pinning, COLLECTIVE_WARM_UPS)) {
      for (var load : loads) {
        unavailability.ifPresent(reason -> contest.markUnavailable(MPI + load, reason));
      }
      if (network != null && mpi != null) {
        var ours = new ContenderSides(pinning, effort).groups(network, members);
        var theirs = mpi.start(network, members, pinning, effort);
        for (var load : loads) {
          contest.add(OURS + load, ours, load);
          contest.add(MPI + load, theirs, load);
        }
        contest.run(effort.rounds());
      }
      return List.of(
          betweenHosts(contest, "all-reduce-double" + suffix, ONE_DOUBLE),
          betweenHosts(contest, "all-reduce-mib" + suffix, ALL_REDUCE),
          betweenHosts(contest, "broadcast-mib" + suffix, BROADCAST),
          betweenHosts(contest, "barrier" + suffix, BARRIER));
    }
  }

  private static BenchmarkRow betweenHosts(BenchmarkContest contest, String row, String load) {
    return contest.row(row, "us", OURS + load, MPI + load, null);
  }

  /**
   * Measures round trips, against a call over a bare link; and half a round trip of an array,
   * against an array over a bare link.
   */
  private static List<BenchmarkRow> pingPong(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE, COLLECTIVE_WARM_UPS)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      var client = sides.groups(2);
      contest.add(DOUBLE_PING_PONG, client, DOUBLE_PING_PONG);
      contest.add(MILLION_PING_PONG, client, MILLION_PING_PONG, micros -> micros / 2);
      if (BareDriver.SHM.isAvailable()) {
        var link = sides.bareLink(BareDriver.SHM);
        contest.add(CalleeLoads.CALL, link, CalleeLoads.CALL);
        contest.add(MILLION_DOUBLES, link, MILLION_DOUBLES);
      } else {
        contest.markUnavailable(CalleeLoads.CALL, ContenderSides.NO_FUTEX);
        contest.markUnavailable(MILLION_DOUBLES, ContenderSides.NO_FUTEX);
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "ping-pong-double",
              "us",
              DOUBLE_PING_PONG,
              CalleeLoads.CALL,
              RowGoal.ratio(AT_MOST, 1.3)),
          contest.row("ping-pong-million", "us", MILLION_PING_PONG, MILLION_DOUBLES, null));
    }
  }

  private static BenchmarkRow againstMpi(
      BenchmarkContest contest, String row, String load, double goal) {
    return contest.row(row, "us", OURS + load, MPI + load, RowGoal.ratio(AT_MOST, goal));
  }
}
