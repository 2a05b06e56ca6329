package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of several sides that take turns, all with equal pinning; any two of them make a
 * row. Not thread-safe.
 */
public final class BenchmarkContest implements AutoCloseable {

  /** A side of the comparison: measures one figure per turn. */
  public interface Side {
    double turn() throws IOException, InterruptedException;
  }

  /** A load for which a JVM has to warm up. */
  private record WarmUpLoad(ContenderProcess contender, String load) {}

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
  private final Set<WarmUpLoad> warmUpLoads = new LinkedHashSet<>();
  private final Set<ContenderProcess> contenders = new LinkedHashSet<>();
  private final Map<String, Side> sides = new LinkedHashMap<>();
  private final Map<String, String> unavailable = new HashMap<>();
  private final Map<String, FigureSpread> spreads = new HashMap<>();

  public BenchmarkContest(CorePinning pinning) {
    this(pinning, WARM_UPS);
  }

  /** Creates a contest with more warm-up turns, for loads that several JVMs have to compile. */
  public BenchmarkContest(CorePinning pinning, int warmUps) {
    this.pinning = pinning;
    this.warmUps = warmUps;
  }

  /** Adds a side with a single load; its JVM is closed with the contest. */
  public void add(String side, ContenderProcess contender) {
    add(side, contender, "");
  }

  /** Adds a side; its JVM is closed with the contest. */
  public void add(String side, ContenderProcess contender, String load) {
    add(side, contender, load, figure -> figure);
  }

  /** Adds a side whose figure is derived from the measurement of its JVM. */
  public void add(
      String side, ContenderProcess contender, String load, DoubleUnaryOperator figure) {
    warmUp(contender, load);
    add(side, () -> figure.applyAsDouble(contender.turn(load)));
  }

  /** Warms a JVM up with a load that is not measured; the JVM is closed with the contest. */
  public void warmUp(ContenderProcess contender, String load) {
    contenders.add(contender);
    warmUpLoads.add(new WarmUpLoad(contender, load));
  }

  /** Adds a side without warm-up, which the caller closes. */
  public void add(String name, Side side) {
    sides.put(name, side);
  }

  /** Marks a side that cannot run on this machine; its rows give the reason. */
  public void markUnavailable(String side, String reason) {
    unavailable.put(side, reason);
  }

  /**
   * Warms all sides up, then lets them take turns, so that a temporary disturbance of the machine
   * affects all of them.
   */
  public void run(int rounds) throws IOException, InterruptedException {
    for (var time = 0; time < warmUps; time++) {
      for (var each : warmUpLoads) {
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

  /** Returns the figures of a side, after {@link #run}. */
  public FigureSpread of(String side) {
    return Objects.requireNonNull(spreads.get(side), side);
  }

  /** Returns the row of two sides, after {@link #run}. */
  public BenchmarkRow row(
      String row, String unit, String ours, String reference, @Nullable RowGoal goal) {
    for (var side : List.of(ours, reference)) {
      if (unavailable.containsKey(side)) {
        return BenchmarkRow.unmeasured(row, unit, goal, unavailable.get(side));
      }
    }
    return new BenchmarkRow(row, unit, of(ours), of(reference), goal, pinning.note());
  }

  @Override
  public void close() {
    contenders.forEach(ContenderProcess::close);
  }
}
