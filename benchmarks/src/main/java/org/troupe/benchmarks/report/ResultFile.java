package org.troupe.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.deployment.files.AtomicFile;

/**
 * A file in {@code benchmarks/results}: one line for each figure, and before the lines of each
 * benchmark one with its duration, commit, machine and date. So benchmarks that were run one by one
 * share a file.
 */
public final class ResultFile {

  private static final String HEADER = "row,what,value,unit,low,high,note";
  private static final int NOTE = HEADER.split(",").length - 1;
  private static final String BENCHMARK = "benchmark-";
  private static final String OURS = "ours";
  private static final String REFERENCE = "reference";
  private static final String GOAL = "goal";
  private static final String MET = ": met";
  private static final String MISSED = ": missed";
  private static final String NOT_JUDGED = ": not judged";

  private final Map<String, List<String>> lines = new LinkedHashMap<>(); // by benchmark

  private ResultFile() {}

  /** Reads a file; a file that does not exist is empty. */
  public static ResultFile read(Path file) throws IOException {
    var results = new ResultFile();
    if (!Files.exists(file)) {
      return results;
    }
    var name = "other"; // of a file without the lines of benchmarks
    for (var line : Files.readAllLines(file)) {
      if (line.startsWith(BENCHMARK)) {
        name = line.substring(BENCHMARK.length(), line.indexOf(','));
      }
      if (!line.equals(HEADER)) {
        results.lines.computeIfAbsent(name, _ -> new ArrayList<>()).add(line);
      }
    }
    return results;
  }

  /**
   * Adds the rows of a benchmark; they replace those of an earlier run.
   *
   * @param origin the commit, machine and date
   */
  public void put(String benchmark, double seconds, String origin, List<BenchmarkRow> rows) {
    var its = new ArrayList<String>();
    its.add(
        line(BENCHMARK + benchmark, "measured", "%.0f".formatted(seconds), "s", "", "", origin));
    for (var row : rows) {
      its.addAll(lines(row));
    }
    lines.put(benchmark, its);
  }

  public void write(Path file) throws IOException {
    var text =
        lines.values().stream()
            .flatMap(List::stream)
            .map(line -> line + "\n")
            .collect(Collectors.joining());
    AtomicFile.write(file, HEADER + "\n" + text);
  }

  /** Returns the rows of each benchmark without their goals and notes, by its name. */
  public Map<String, List<BenchmarkRow>> rows() {
    var rows = new LinkedHashMap<String, List<BenchmarkRow>>();
    lines.forEach((name, its) -> rows.put(name, rows(its)));
    return rows;
  }

  private static List<BenchmarkRow> rows(List<String> lines) {
    return cells(lines)
        .filter(cells -> cells[1].equals(OURS) || cells[1].equals(REFERENCE))
        .collect(Collectors.groupingBy(cells -> cells[0], LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(ResultFile::row)
        .toList();
  }

  private static BenchmarkRow row(List<String[]> figures) {
    var first = figures.getFirst();
    return new BenchmarkRow(
        first[0], first[3], spread(figures, OURS), spread(figures, REFERENCE), null);
  }

  private static @Nullable FigureSpread spread(List<String[]> figures, String what) {
    return figures.stream()
        .filter(cells -> cells[1].equals(what) && !cells[2].isEmpty())
        .map(ResultFile::measured)
        .findFirst()
        .orElse(null);
  }

  /** Returns a figure with its range, which some older files lack. */
  private static FigureSpread measured(String[] cells) {
    return new FigureSpread(
        Double.parseDouble(cells[2]), number(cells[4], cells[2]), number(cells[5], cells[2]));
  }

  private static double number(String cell, String otherwise) {
    return Double.parseDouble(cell.isEmpty() ? otherwise : cell);
  }

  private static Stream<String[]> cells(List<String> lines) {
    return lines.stream()
        .map(line -> line.split(",", NOTE + 1))
        .filter(cells -> cells.length > NOTE);
  }

  /** Returns how many goals are met, in one line for each benchmark and one for all. */
  public String goals() {
    var text = new StringBuilder();
    lines.forEach((name, its) -> text.append(goals(name, its)));
    if (lines.size() > 1) {
      text.append(goals("all", lines.values().stream().flatMap(List::stream).toList()));
    }
    return text.toString();
  }

  private static String goals(String name, List<String> lines) {
    var notes =
        cells(lines).filter(cells -> cells[1].equals(GOAL)).map(cells -> cells[NOTE]).toList();
    var met = notes.stream().filter(note -> note.endsWith(MET)).count();
    var missed = notes.stream().filter(note -> note.endsWith(MISSED)).count();
    var left = notes.size() - met - missed;
    return "%s: %d of %d goals met%s%n"
        .formatted(name, met, notes.size(), left == 0 ? "" : ", " + left + " not measured");
  }

  private static List<String> lines(BenchmarkRow row) {
    var its = new ArrayList<String>();
    if (row.ours() == null) {
      its.add(line(row.row(), OURS, "", row.unit(), "", "", row.note()));
    } else {
      its.add(figure(row, OURS, row.ours(), row.note()));
    }
    if (row.reference() != null) {
      its.add(figure(row, REFERENCE, row.reference(), ""));
    }
    if (row.goal() != null) {
      its.add(line(row.row(), GOAL, "", "", "", "", row.goal() + verdict(row)));
    }
    return its;
  }

  private static String verdict(BenchmarkRow row) {
    return switch (row.met()) {
      case "yes" -> MET;
      case "no" -> MISSED;
      default -> NOT_JUDGED;
    };
  }

  private static String figure(BenchmarkRow row, String what, FigureSpread figure, String note) {
    return line(
        row.row(),
        what,
        FigureSpread.text(figure.median()),
        row.unit(),
        FigureSpread.text(figure.min()),
        FigureSpread.text(figure.max()),
        note);
  }

  private static String line(String... cells) {
    var note = cells[NOTE];
    if (note.contains(",") || note.contains("\"")) {
      cells[NOTE] = '"' + note.replace("\"", "\"\"") + '"';
    }
    return String.join(",", cells);
  }
}
