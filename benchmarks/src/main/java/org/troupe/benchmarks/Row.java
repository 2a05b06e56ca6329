package org.troupe.benchmarks;

import java.util.List;

/**
 * One line of the table.
 *
 * @param row its name, for good: later runs are compared by it
 * @param unit of both figures
 * @param ours what Troupe does
 * @param reference what the limit or the peer does in the same run, or {@code null}
 * @param goal what is to be reached, or {@code null}
 */
record Row(String row, String unit, Spread ours, Spread reference, Goal goal) {

  static final List<String> COLUMNS =
      List.of("row", "unit", "ours", "reference", "ratio", "goal", "met");

  /** Ours in units of the reference; not a number without one. */
  double ratio() {
    return reference == null ? Double.NaN : ours.median() / reference.median();
  }

  boolean isMet() {
    return goal.isMetBy(ours.median(), ratio());
  }

  /** The cells for the CSV: plain figures, empty where there is none. */
  List<String> cells() {
    return List.of(
        row,
        unit,
        Spread.text(ours.median()),
        reference == null ? "" : Spread.text(reference.median()),
        reference == null ? "" : Spread.text(ratio()),
        goal == null ? "" : goal.toString(),
        goal == null ? "" : isMet() ? "yes" : "no");
  }

  /** The cells for people: with spreads. */
  List<String> cellsWithSpread() {
    return List.of(
        row,
        unit,
        ours.toString(),
        reference == null ? "-" : reference.toString(),
        reference == null ? "-" : Spread.text(ratio()),
        goal == null ? "-" : goal.toString(),
        goal == null ? "-" : isMet() ? "yes" : "NO");
  }
}
