package org.troupe.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.deployment.files.AtomicFile;

/** Draws charts: bars of both sides for each benchmark and unit, lines, and points. */
public final class RowCharts {

  private static final int WIDTH = 400;
  private static final int WIDTH_OF_A_ROW = 60;
  private static final int WIDTH_OF_LINES = 800;
  private static final int HEIGHT = 600;
  private static final int LABEL_DEGREES = 60;

  /** The largest range of a linear axis; small bars would be invisible in a larger one. */
  private static final double LINEAR_RANGE = 30;

  private RowCharts() {}

  /**
   * Writes {@code BENCHMARK-UNIT.png} for each unit of a benchmark; rows without a figure are left
   * out.
   *
   * @return the files written
   * @throws IOException if they cannot be written or drawn
   */
  public static List<Path> write(Path folder, String benchmark, List<BenchmarkRow> rows)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    Map<String, List<BenchmarkRow>> byUnit =
        rows.stream()
            .filter(row -> row.ours() != null)
            .collect(
                Collectors.groupingBy(BenchmarkRow::unit, LinkedHashMap::new, Collectors.toList()));
    List<Path> files = new ArrayList<>();
    for (var unit : byUnit.entrySet()) {
      var file = folder.resolve(benchmark + "-" + fileName(unit.getKey()) + ".png");
      write(file, chart(benchmark, unit.getKey(), unit.getValue()));
      files.add(file);
    }
    return files;
  }

  /**
   * Writes a line chart; without any figure, writes nothing.
   *
   * @param across the title of the horizontal axis
   * @param lines the figures of each line by horizontal coordinate, by the line's name; empty lines
   *     are omitted
   */
  public static <X extends Number> void write(
      Path file, String title, String across, String unit, Map<String, SortedMap<X, Double>> lines)
      throws IOException {
    if (lines.values().stream().allMatch(Map::isEmpty)) {
      return;
    }
    var chart = plane(across, unit);
    chart.setTitle(title);
    var style = chart.getStyler();
    style.setYAxisMin(0.0);
    lines.forEach(
        (name, figures) -> {
          if (!figures.isEmpty()) {
            chart.addSeries(name, List.copyOf(figures.keySet()), List.copyOf(figures.values()));
          }
        });
    write(file, chart);
  }

  /**
   * Writes a bar chart with several figures for each name.
   *
   * @param series the figures in the order of the names, {@code null} for a missing one, by the
   *     name of the series
   * @param areParts whether the bars of a name are stacked
   */
  public static void bars(
      Path file,
      String title,
      String unit,
      List<String> names,
      Map<String, List<Double>> series,
      boolean areParts)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    var chart =
        new CategoryChartBuilder()
            .width(WIDTH + WIDTH_OF_A_ROW * names.size())
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(unit)
            .build();
    var style = chart.getStyler();
    style.setChartBackgroundColor(Color.WHITE);
    style.setXAxisLabelRotation(LABEL_DEGREES);
    style.setLegendPosition(LegendPosition.OutsideE);
    style.setStacked(areParts);
    series.forEach((name, figures) -> chart.addSeries(name, names, figures));
    write(file, chart);
  }

  /** A point in a chart. */
  public record Point(double x, double y) {}

  /** Writes a scatter chart with one point per name; an axis with a wide range is logarithmic. */
  public static void points(Path file, String xUnit, String yUnit, Map<String, Point> points)
      throws IOException {
    if (points.isEmpty()) {
      return;
    }
    var chart = plane(xUnit, yUnit);
    var style = chart.getStyler();
    style.setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    scale(style, points.values().stream().toList());
    points.forEach((name, point) -> chart.addSeries(name, List.of(point.x()), List.of(point.y())));
    write(file, chart);
  }

  /**
   * Writes a line chart over a size; an axis with a wide range is logarithmic. Empty lines are
   * omitted.
   */
  public static void curves(
      Path file, String xUnit, String yUnit, Map<String, SortedMap<Integer, Double>> lines)
      throws IOException {
    lines = new LinkedHashMap<>(lines);
    lines.values().removeIf(SortedMap::isEmpty);
    if (lines.isEmpty()) {
      return;
    }
    var chart = plane(xUnit, yUnit);
    var style = chart.getStyler();
    scale(
        style,
        lines.values().stream()
            .flatMap(line -> line.entrySet().stream())
            .map(each -> new Point(each.getKey(), each.getValue()))
            .toList());
    lines.forEach(
        (name, figures) ->
            chart.addSeries(name, List.copyOf(figures.keySet()), List.copyOf(figures.values())));
    write(file, chart);
  }

  /** Ends logarithmic axes at powers of ten, since an axis within one decade would have no tick. */
  private static void scale(XYStyler style, List<Point> points) {
    var x = points.stream().mapToDouble(Point::x).summaryStatistics();
    var y = points.stream().mapToDouble(Point::y).summaryStatistics();
    style.setXAxisLogarithmic(isWide(x));
    if (isWide(x)) {
      style.setXAxisMin(Math.pow(10, Math.floor(Math.log10(x.getMin()))));
      style.setXAxisMax(Math.pow(10, Math.ceil(Math.log10(x.getMax()))));
    }
    style.setYAxisLogarithmic(isWide(y));
    if (isWide(y)) {
      style.setYAxisMin(Math.pow(10, Math.floor(Math.log10(y.getMin()))));
      style.setYAxisMax(Math.pow(10, Math.ceil(Math.log10(y.getMax()))));
    } else {
      style.setYAxisMin(Math.min(0, y.getMin()));
    }
  }

  private static boolean isWide(DoubleSummaryStatistics figures) {
    return figures.getMin() > 0 && figures.getMax() / figures.getMin() > LINEAR_RANGE;
  }

  /** Returns an empty chart with two axes. */
  private static XYChart plane(String across, String up) {
    System.setProperty("java.awt.headless", "true");
    var chart =
        new XYChartBuilder()
            .width(WIDTH_OF_LINES)
            .height(HEIGHT)
            .xAxisTitle(across)
            .yAxisTitle(up)
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    return chart;
  }

  private static void write(Path file, Chart<?, ?> chart) throws IOException {
    try {
      AtomicFile.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
    } catch (RuntimeException | LinkageError | InternalError e) {
      throw new IOException(
          file + " cannot be drawn (" + e.getMessage() + "); install fontconfig and a font", e);
    }
  }

  private static CategoryChart chart(String benchmark, String unit, List<BenchmarkRow> rows) {
    var chart =
        new CategoryChartBuilder()
            .width(WIDTH + WIDTH_OF_A_ROW * rows.size())
            .height(HEIGHT)
            .title(benchmark)
            .yAxisTitle(unit)
            .build();
    var style = chart.getStyler();
    style.setChartBackgroundColor(Color.WHITE);
    style.setXAxisLabelRotation(LABEL_DEGREES);
    style.setLegendPosition(LegendPosition.OutsideE);
    var figures = figures(rows);
    if (isWide(figures)) {
      style.setYAxisLogarithmic(true);
      style.setYAxisMin(Math.pow(10, Math.floor(Math.log10(figures.getMin()))));
    }
    var names = rows.stream().map(BenchmarkRow::row).toList();
    chart.addSeries("ours", names, figures(rows, BenchmarkRow::ours));
    if (rows.stream().anyMatch(row -> row.reference() != null)) {
      chart.addSeries("reference", names, figures(rows, BenchmarkRow::reference));
    }
    return chart;
  }

  private static List<Double> figures(
      List<BenchmarkRow> rows, Function<BenchmarkRow, FigureSpread> side) {
    return rows.stream().map(side).map(each -> each == null ? null : each.median()).toList();
  }

  private static DoubleSummaryStatistics figures(List<BenchmarkRow> rows) {
    return rows.stream()
        .flatMap(row -> Stream.of(row.ours(), row.reference()))
        .filter(Objects::nonNull)
        .mapToDouble(FigureSpread::median)
        .summaryStatistics();
  }

  private static String fileName(String unit) {
    return unit.equals("-") ? "ratios" : unit.replace('/', '-');
  }
}
