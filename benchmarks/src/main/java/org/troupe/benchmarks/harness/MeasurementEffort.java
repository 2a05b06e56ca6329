package org.troupe.benchmarks.harness;

import java.util.List;

/**
 * The amount of measuring. The warm-up does not depend on it: see {@link WarmUp}.
 *
 * @param rounds the number of turns of each side
 * @param roundMillis the least duration of a turn, if it can be chosen
 * @param longRounds the number of turns in benchmarks whose turns last seconds
 * @param solverSteps the steps of the solver in a turn, the first half of them for warm-up; with
 *     full effort so many that the solver takes its vector kernel, as in long runs
 * @param solverJvms the largest number of JVMs of the solver and similar programs
 * @param messages the sizes of messages between the programs' nodes, in doubles
 * @param watchedSeconds how long the memory of a page is watched
 */
public record MeasurementEffort(
    int rounds,
    int roundMillis,
    int longRounds,
    int solverSteps,
    int solverJvms,
    List<Integer> messages,
    int watchedSeconds) {

  public static final MeasurementEffort FULL =
      new MeasurementEffort(
          11,
          300,
          3,
          650,
          4,
          List.of(1, 10, 100, 1000, 3162, 10_000, 31_622, 100_000, 316_227, 1_000_000),
          60);

  public static final MeasurementEffort QUICK =
      new MeasurementEffort(5, 100, 1, 240, 2, List.of(1, 1000, 31_622, 1_000_000), 30);

  private static final int HALF_AN_HOUR = 1800;

  /** Returns whether only the most important rows are measured. */
  public boolean isQuick() {
    return longRounds == 1;
  }

  /** Returns the number of rounds that a program makes by itself after its warm-up. */
  public int appRounds() {
    return isQuick() ? 3 : 5;
  }

  /** Returns the effort for a table of many figures, with shorter turns. */
  public MeasurementEffort forLargeTable() {
    return new MeasurementEffort(
        rounds, roundMillis / 2, longRounds, solverSteps, solverJvms, messages, watchedSeconds);
  }

  /** Returns the effort with the memory of a page watched for half an hour. */
  public MeasurementEffort forHalfAnHour() {
    return new MeasurementEffort(
        rounds, roundMillis, longRounds, solverSteps, solverJvms, messages, HALF_AN_HOUR);
  }
}
