package org.troupe.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.report.RowCharts.Point;

class RowChartsTest {

  @TempDir private Path folder;

  private static BenchmarkRow row(String name, String unit, double ours, Double reference) {
    return new BenchmarkRow(
        name,
        unit,
        FigureSpread.of(List.of(ours)),
        reference == null ? null : FigureSpread.of(List.of(reference)),
        null);
  }

  @Test
  void drawsOneChartPerUnit() throws IOException {
    var files =
        RowCharts.write(
            folder,
            "links",
            List.of(
                row("a", "us", 1, 2.0),
                row("b", "MB/s", 3, 4.0),
                row("c", "us", 5, null),
                row("d", "-", 0.5, null)));

    assertThat(files)
        .containsExactly(
            folder.resolve("links-us.png"),
            folder.resolve("links-MB-s.png"),
            folder.resolve("links-ratios.png"));
    for (var file : files) {
      assertThat(ImageIO.read(file.toFile())).as(file.toString()).isNotNull();
    }
  }

  @Test
  void drawsBarsOfVeryDifferentLengths() throws IOException {
    var rows = List.of(row("small", "us", 0.01, 0.02), row("large", "us", 10_000, 20_000.0));
    assertThat(RowCharts.write(folder, "latency", rows))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(file).exists());
  }

  @Test
  void drawsNegativeShares() throws IOException {
    var rows = List.of(row("rest", "us", -0.5, 20.0));
    assertThat(RowCharts.write(folder, "stages", rows))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(file).exists());
  }

  @Test
  void omitsEmptyLines() throws IOException {
    var file = folder.resolve("em3d-step.png");
    RowCharts.write(
        file,
        "cube:65",
        "processes",
        "ms/step",
        Map.of("ours", new TreeMap<>(Map.of(1, 4.0, 2, 2.1)), "peer", new TreeMap<>()));
    assertThat(ImageIO.read(file.toFile())).isNotNull();
  }

  @Test
  void drawsNothingWithoutFigures() throws IOException {
    var none = folder.resolve("none.png");
    RowCharts.write(none, "cube:65", "s", "MiB", Map.of("ours", new TreeMap<Double, Double>()));
    assertThat(none).doesNotExist();
    var rows = List.of(BenchmarkRow.unmeasured("shm", "us", null, "no futex here"));
    assertThat(RowCharts.write(folder, "links", rows)).isEmpty();
  }

  @Test
  void stacksBarsOfWhichSomeAreMissing() throws IOException {
    var file = folder.resolve("apps-break-down-ibis.png");
    RowCharts.bars(
        file,
        "2 JVMs",
        "s/node",
        List.of("sor", "asp"),
        Map.of("compute", List.of(1.0, 2.0), "idle", Arrays.asList(0.5, null)),
        true);
    assertThat(ImageIO.read(file.toFile())).isNotNull();
  }

  @Test
  void drawsAPointForEachName() throws IOException {
    var file = folder.resolve("apps-gain-by-size.png");
    RowCharts.points(
        file, "bytes", "gain", Map.of("sor", new Point(500, 2.5), "asp", new Point(5000, 1.2)));
    assertThat(ImageIO.read(file.toFile())).isNotNull();
  }

  @Test
  void omitsEmptyCurves() throws IOException {
    var file = folder.resolve("apps-pingpong.png");
    RowCharts.curves(
        file,
        "doubles",
        "MB/s",
        Map.of("ours", new TreeMap<>(Map.of(1, 0.5, 1000, 400.0)), "peer", new TreeMap<>()));
    assertThat(ImageIO.read(file.toFile())).isNotNull();
  }
}
