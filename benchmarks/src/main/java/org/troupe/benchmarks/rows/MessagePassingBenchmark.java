package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.OpenMpi;
import org.troupe.benchmarks.sides.RankClient;

/** The package {@code mpi} against bare links, the collectives of groups, and Open MPI. */
public final class MessagePassingBenchmark implements Benchmark {

  private static final int WARM_UPS = 6;
  private static final int MEBI = (1 << 20) / Double.BYTES;
  private static final CorePinning PINNING = CorePinning.ONE_CORE;

  /** The sizes of ping-pong by the name of their rows, in doubles. */
  private static final Map<String, Integer> SIZES =
      Map.of("8", 1, "kib", 128, "64-kib", 8_192, "mib", MEBI, "8-mib", 8 * MEBI);

  private static final String MPI = "mpi ";
  private static final String MPI_SHM = "mpi shm ";
  private static final String GROUP = "group ";

  @Override
  public String name() {
    return "mpj";
  }

  @Override
  public String about() {
    return "message passing against bare links, groups in step, and Open MPI";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.add(againstLink(BareDriver.SHM, effort));
    rows.add(againstLink(BareDriver.TCP, effort));
    rows.addAll(pingPong(effort));
    rows.addAll(local(effort));
    rows.addAll(collectives(2, effort));
    rows.addAll(collectives(4, effort));
    return rows;
  }

  private static BenchmarkRow againstLink(BareDriver driver, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var row = "mpj-ping-pong-8-" + driver.label();
    var goal = RowGoal.ratio(AT_MOST, 1.3);
    if (!driver.isAvailable()) {
      return BenchmarkRow.unmeasured(row, "us", goal, ContenderSides.NO_FUTEX);
    }
    try (var contest = new BenchmarkContest(PINNING, WARM_UPS)) {
      var sides = new ContenderSides(PINNING, effort);
      var load = RankClient.PING_PONG + 1;
      contest.add(load, sides.ranks(2, driver), load);
      contest.add(CalleeLoads.CALL, sides.bareLink(driver), CalleeLoads.CALL);
      contest.run(effort.rounds());
      return contest.row(row, "us", load, CalleeLoads.CALL, goal);
    }
  }

  private static List<BenchmarkRow> pingPong(MeasurementEffort effort)
      throws IOException, InterruptedException {
    var unavailability = OpenMpi.whyUnavailable();
    try (var contest = new BenchmarkContest(PINNING, WARM_UPS);
        var mpi = unavailability.isPresent() ? null : OpenMpi.compiled()) {
      var ours = new ContenderSides(PINNING, effort).ranks(2);
      var tcp = mpi == null ? null : mpi.start(2, OpenMpi.TCP, PINNING, effort);
      var shm = mpi == null ? null : mpi.start(2, OpenMpi.SHM, PINNING, effort);
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var doubles : SIZES.values()) {
        var load = RankClient.PING_PONG + doubles;
        contest.add(load, ours, load);
        if (tcp == null || shm == null) {
          contest.markUnavailable(MPI + load, unavailability.orElseThrow());
          contest.markUnavailable(MPI_SHM + load, unavailability.orElseThrow());
        } else {
          contest.add(MPI + load, tcp, load);
          contest.add(MPI_SHM + load, shm, load);
        }
      }
      contest.run(effort.rounds());
      for (var each : SIZES.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
        var load = RankClient.PING_PONG + each.getValue();
        var row = "mpj-ping-pong-" + each.getKey();
        rows.add(contest.row(row + "-by-mpi", "us", load, MPI + load, RowGoal.ratio(AT_MOST, 1)));
        rows.add(
            contest.row(
                row + "-by-mpi-shm",
                "us",
                load,
                MPI_SHM + load,
                each.getValue() * Double.BYTES > 64 << 10 ? RowGoal.ratio(AT_MOST, 1.5) : null));
      }
      return rows;
    }
  }

  private static List<BenchmarkRow> local(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(PINNING)) {
      var ours = new ContenderSides(PINNING, effort).ranks(2);
      var loads =
          List.of(
              RankClient.UNEXPECTED + 10_000,
              RankClient.UNEXPECTED + 0,
              RankClient.VECTOR + 1_024,
              RankClient.PACKED + 1_024);
      for (var each : loads) {
        contest.add(each, ours, each);
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "mpj-unexpected-10000",
              "us",
              loads.get(0),
              loads.get(1),
              RowGoal.ratio(AT_MOST, 1.5)),
          contest.row("mpj-vector", "us", loads.get(2), loads.get(3), RowGoal.ratio(AT_MOST, 1.2)));
    }
  }

  private static List<BenchmarkRow> collectives(int jvms, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var unavailability = OpenMpi.whyUnavailable();
    try (var contest = new BenchmarkContest(PINNING, WARM_UPS);
        var mpi = unavailability.isPresent() ? null : OpenMpi.compiled()) {
      var sides = new ContenderSides(PINNING, effort);
      var ours = sides.ranks(jvms);
      var group = sides.groups(jvms);
      var loads =
          Map.of(
              "mpj-barrier-", RankClient.BARRIER + 0,
              "mpj-allreduce-8-", RankClient.ALL_REDUCE + 1,
              "mpj-allreduce-mib-", RankClient.ALL_REDUCE + MEBI,
              "mpj-bcast-8-", RankClient.BROADCAST + 1,
              "mpj-bcast-mib-", RankClient.BROADCAST + MEBI);
      for (var each : loads.values()) {
        contest.add(each, ours, each);
        contest.add(GROUP + each, group, each);
      }
      var allToAll = RankClient.ALL_TO_ALL + MEBI / jvms;
      contest.add(allToAll, ours, allToAll);
      if (mpi == null) {
        contest.markUnavailable(MPI + allToAll, unavailability.orElseThrow());
      } else {
        contest.add(MPI + allToAll, mpi.start(jvms, OpenMpi.TCP, PINNING, effort), allToAll);
      }
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var each : loads.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList()) {
        rows.add(
            contest.row(
                each.getKey() + jvms,
                "us",
                each.getValue(),
                GROUP + each.getValue(),
                RowGoal.ratio(AT_MOST, 1.1)));
      }
      rows.add(
          contest.row(
              "mpj-alltoall-mib-" + jvms + "-by-mpi", "us", allToAll, MPI + allToAll, null));
      return rows;
    }
  }
}
