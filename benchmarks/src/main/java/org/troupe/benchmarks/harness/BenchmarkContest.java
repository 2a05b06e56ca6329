package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/**
 * Several sides that take turns, all pinned the same way; any two of them make a row. For one
 * thread.
 */
public final class BenchmarkContest implements AutoCloseable {

  /** What gives a figure when it is its turn. */
  public interface Side {
    double turn() throws IOException, InterruptedException;
  }

  /** What a JVM has to have done until it settled. */
  private record Cold(ContenderProcess contender, String load) {}

  /*
   * All sides warm up twice. Code compiled for one load may be invalidated by another, and idle
   * connections may be closed while other sides warm up.
   *
   * Why the sides alternate. A loop of multiplications took 65 us on one core and 96 on the other at the
   * same moment, because another virtual machine shared the core. Two equal sub-domains then take the
   * time of the slower one: two kernels side by side took 37 ms where one took 26. Code that waits for
   * memory, as Fortran's, suffers less (30dfec7, 2026-11-22). Where possible compare within one JVM,
   * alternating, by processor time.
   */
  private static final int WARM_UPS = 2;

  private final CorePinning pinning;
  private final int warmUps;
  private final Set<Cold> cold = new LinkedHashSet<>();
  private final Set<ContenderProcess> contenders = new LinkedHashSet<>();
  private final Map<String, Side> sides = new LinkedHashMap<>();
  private final Map<String, String> hindrances = new HashMap<>();
  private final Map<String, FigureSpread> spreads = new HashMap<>();

  public BenchmarkContest(CorePinning pinning) {
    this(pinning, WARM_UPS);
  }

  /** The same with so many turns to warm up, for what several JVMs have to compile. */
  public BenchmarkContest(CorePinning pinning, int warmUps) {
    this.pinning = pinning;
    this.warmUps = warmUps;
  }

  /** Adds a side that can do only one thing; closes its JVM when the contest is closed. */
  public void enter(String side, ContenderProcess contender) {
    enter(side, contender, "");
  }

  /** Adds a side, and closes its JVM when the contest is closed. */
  public void enter(String side, ContenderProcess contender, String load) {
    enter(side, contender, load, figure -> figure);
  }

  /** Adds a side whose figure is made of what its JVM has measured. */
  public void enter(
      String side, ContenderProcess contender, String load, DoubleUnaryOperator figure) {
    contenders.add(contender);
    cold.add(new Cold(contender, load));
    enter(side, () -> figure.applyAsDouble(contender.turn(load)));
  }

  /** Adds a side that is measured as it is, and needs no closing. */
  public void enter(String name, Side side) {
    sides.put(name, side);
  }

  /** Says that a side cannot run on this machine, and why: so its rows will. */
  public void miss(String side, String reason) {
    hindrances.put(side, reason);
  }

  /**
   * Lets the sides warm up, then take turns: what slows the machine down for a while slows all of
   * them.
   */
  public void run(int rounds) throws IOException, InterruptedException {
    for (var time = 0; time < warmUps; time++) {
      for (var each : cold) {
        each.contender.warmUp(each.load);
      }
    }
    Map<String, List<Double>> figures = new HashMap<>();
    for (var round = 0; round < rounds; round++) {
      for (var side : sides.entrySet()) {
        figures.computeIfAbsent(side.getKey(), _ -> new ArrayList<>()).add(side.getValue().turn());
      }
    }
    figures.forEach((side, each) -> spreads.put(side, FigureSpread.of(each)));
  }

  /** Returns what a side has shown, after {@link #run}. */
  public FigureSpread of(String side) {
    return spreads.get(side);
  }

  /** Returns the row of two sides, after {@link #run}. */
  public BenchmarkRow row(String row, String unit, String ours, String reference, RowGoal goal) {
    for (var side : List.of(ours, reference)) {
      if (hindrances.containsKey(side)) {
        return BenchmarkRow.unmeasured(row, unit, goal, hindrances.get(side));
      }
    }
    return new BenchmarkRow(row, unit, of(ours), of(reference), goal, pinning.note());
  }

  @Override
  public void close() {
    contenders.forEach(ContenderProcess::close);
  }
}
