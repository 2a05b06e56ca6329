package org.troupe.benchmarks.harness;

import java.util.List;

/**
 * One line of the table.
 *
 * @param row its name, for good: later runs are compared by it
 * @param unit of both figures
 * @param ours what Troupe does, or {@code null} if that cannot be measured here
 * @param reference what the limit or the peer does in the same run, or {@code null}
 * @param goal what is to be reached, or {@code null}
 * @param note what to know of the figures, empty if nothing; without a comma
 */
public record BenchmarkRow(
    String row, String unit, FigureSpread ours, FigureSpread reference, RowGoal goal, String note) {

  public static final List<String> COLUMNS =
      List.of("row", "unit", "ours", "reference", "ratio", "goal", "met", "note");

  public BenchmarkRow(
      String row, String unit, FigureSpread ours, FigureSpread reference, RowGoal goal) {
    this(row, unit, ours, reference, goal, "");
  }

  /** A row that cannot be measured on this machine. */
  public static BenchmarkRow unmeasured(String row, String unit, RowGoal goal, String reason) {
    return new BenchmarkRow(row, unit, null, null, goal, "not measured: " + reason);
  }

  /** Ours in units of the reference; not a number if one is missing. */
  double ratio() {
    return ours == null || reference == null ? Double.NaN : ours.median() / reference.median();
  }

  /** Whether the goal is met: {@code yes}, {@code no}, or empty if there is nothing to judge. */
  String met() {
    if (goal == null || ours == null) {
      return "";
    }
    return goal.isMetBy(ours.median(), ratio()) ? "yes" : "no";
  }

  /** The cells for the CSV: plain figures, empty where there is none. */
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

  /** The cells for people: with spreads. */
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
