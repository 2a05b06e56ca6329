package org.troupe.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of text whose columns are as wide as their cells. */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... heading) {
    rows.add(List.of(heading));
  }

  public void row(Object... cells) {
    rows.add(IntStream.range(0, cells.length).mapToObj(i -> String.valueOf(cells[i])).toList());
  }

  @Override
  public String toString() {
    var widths =
        IntStream.range(0, rows.getFirst().size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, widths.length)
                    .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
                    .collect(Collectors.joining(GAP))
                    .stripTrailing())
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
