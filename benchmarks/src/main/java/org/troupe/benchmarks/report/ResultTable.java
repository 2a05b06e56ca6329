package org.troupe.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.troupe.benchmarks.harness.BenchmarkRow;

/** Prints rows as text. */
public final class ResultTable {

  private ResultTable() {}

  /** Returns the header and the rows as CSV. */
  public static String csv(List<BenchmarkRow> rows) {
    var lines = new ArrayList<List<String>>();
    lines.add(BenchmarkRow.COLUMNS);
    rows.forEach(row -> lines.add(row.cells()));
    return lines.stream()
        .map(cells -> String.join(",", cells) + "\n")
        .collect(Collectors.joining());
  }

  /** Returns an aligned table for the terminal. */
  public static String text(List<BenchmarkRow> rows) {
    var lines = new ArrayList<List<String>>();
    lines.add(BenchmarkRow.COLUMNS);
    rows.forEach(row -> lines.add(row.cellsWithSpread()));
    var widths =
        IntStream.range(0, BenchmarkRow.COLUMNS.size())
            .map(column -> widest(lines, column))
            .toArray();
    return lines.stream().map(cells -> line(cells, widths)).collect(Collectors.joining());
  }

  private static int widest(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(cells -> cells.get(column).length()).max().orElse(0);
  }

  private static String line(List<String> cells, int[] widths) {
    return IntStream.range(0, widths.length)
            .mapToObj(column -> ("%-" + widths[column] + "s").formatted(cells.get(column)))
            .collect(Collectors.joining("  "))
            .stripTrailing()
        + "\n";
  }
}
