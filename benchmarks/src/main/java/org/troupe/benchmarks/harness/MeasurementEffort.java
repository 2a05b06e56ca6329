package org.troupe.benchmarks.harness;

import java.util.List;

/**
 * How long to measure. How long to warm up is no question of effort: see {@link WarmUp}.
 *
 * @param rounds how many turns each side of a comparison has
 * @param roundMillis how long a turn lasts at least, where the time can be chosen
 * @param longRounds turns of those benchmarks whose turns last seconds
 * @param solverSteps steps of the solver in a turn, the first half of them to warm up
 * @param solverJvms over how many JVMs the solver, or a program like it, is spread at most
 * @param messages sizes of messages between the programs' nodes, in doubles
 */
public record MeasurementEffort(
    int rounds,
    int roundMillis,
    int longRounds,
    int solverSteps,
    int solverJvms,
    List<Integer> messages) {

  public static final MeasurementEffort FULL =
      new MeasurementEffort(
          11,
          300,
          3,
          300,
          4,
          List.of(1, 10, 100, 1000, 3162, 10_000, 31_622, 100_000, 316_227, 1_000_000));

  public static final MeasurementEffort QUICK =
      new MeasurementEffort(5, 100, 1, 240, 2, List.of(1, 1000, 31_622, 1_000_000));

  /** Whether only the most telling is measured. */
  public boolean isShort() {
    return longRounds == 1;
  }

  /** Returns how many rounds a program is told to make by itself, warm. */
  public int appRounds() {
    return isShort() ? 3 : 7;
  }

  /** For a table of many figures. */
  public MeasurementEffort forMany() {
    return new MeasurementEffort(
        rounds, roundMillis / 2, longRounds, solverSteps, solverJvms, messages);
  }
}
