package org.troupe.benchmarks.harness;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the result table.
 *
 * @param row the name, which never changes, since later runs are compared by it
 * @param unit the unit of both figures
 * @param ours Troupe's figure, or {@code null} if it cannot be measured here
 * @param reference the figure of the limit or the peer in the same run, or {@code null}
 * @param goal the goal, or {@code null}
 * @param note a remark on the figures, or empty; without a comma
 */
public record BenchmarkRow(
    String row,
    String unit,
    @Nullable FigureSpread ours,
    @Nullable FigureSpread reference,
    @Nullable RowGoal goal,
    String note) {

  public static final List<String> COLUMNS =
      List.of("row", "unit", "ours", "reference", "ratio", "goal", "met", "note");

  public BenchmarkRow(
      String row,
      String unit,
      @Nullable FigureSpread ours,
      @Nullable FigureSpread reference,
      @Nullable RowGoal goal) {
    this(row, unit, ours, reference, goal, "");
  }

  /** Returns a row that cannot be measured on this machine. */
  public static BenchmarkRow unmeasured(
      String row, String unit, @Nullable RowGoal goal, String reason) {
    return new BenchmarkRow(row, unit, null, null, goal, "not measured: " + reason);
  }

  /** Returns our figure divided by the reference; NaN if one is missing, or the reference is 0. */
  double ratio() {
    return ours == null || reference == null || reference.median() == 0
        ? Double.NaN
        : ours.median() / reference.median();
  }

  /**
   * Returns whether the goal is met: {@code yes}, {@code no}, or empty if there is no goal or no
   * figure.
   */
  public String met() {
    if (goal == null || ours == null) {
      return "";
    }
    return goal.isMetBy(ours.median(), ratio()) ? "yes" : "no";
  }

  /** Returns the cells of the CSV: plain figures, or empty text. */
  public List<String> cells() {
    return List.of(
        row,
        unit,
        ours == null ? "" : FigureSpread.text(ours.median()),
        reference == null ? "" : FigureSpread.text(reference.median()),
        Double.isNaN(ratio()) ? "" : FigureSpread.text(ratio()),
        goal == null ? "" : goal.toString(),
        met(),
        note);
  }

  /** Returns the cells of the printed table: figures with spreads. */
  public List<String> cellsWithSpread() {
    return List.of(
        row,
        unit,
        ours == null ? "-" : ours.toString(),
        reference == null ? "-" : reference.toString(),
        Double.isNaN(ratio()) ? "-" : FigureSpread.text(ratio()),
        goal == null ? "-" : goal.toString(),
        met().isEmpty() ? "-" : met().replace("no", "NO"),
        note);
  }
}
