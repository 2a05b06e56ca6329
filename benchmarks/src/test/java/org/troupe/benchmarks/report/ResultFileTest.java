package org.troupe.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.benchmarks.harness.RowGoal.Direction.ABOVE;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.RowGoal;

class ResultFileTest {

  private static final String ORIGIN = "abc; E, 2 cores";

  private static final BenchmarkRow MISSED =
      new BenchmarkRow(
          "null-call",
          "us",
          FigureSpread.of(List.of(30.0, 24.0, 25.123456)),
          FigureSpread.of(List.of(20.0, 10.0, 30.0)),
          RowGoal.ratio(AT_MOST, 1.2));

  private static final BenchmarkRow MET =
      new BenchmarkRow(
          "one-way", "million/s", FigureSpread.of(List.of(10.5)), null, RowGoal.ours(ABOVE, 10));

  private static final BenchmarkRow ELSEWHERE =
      BenchmarkRow.unmeasured("shm", "us", RowGoal.ratio(AT_MOST, 2), "no futex, \"here\"");

  @TempDir private Path folder;

  @Test
  void benchmarksRunOneByOneShareAFile() throws IOException {
    var file = folder.resolve("rows.csv");
    put(file, "ibis", List.of(MISSED, ELSEWHERE));
    put(file, "local", List.of(MET));
    assertThat(file)
        .hasContent(
            """
            row,what,value,unit,low,high,note
            benchmark-ibis,measured,62,s,,,"abc; E, 2 cores"
            null-call,ours,25.12,us,24,30,
            null-call,reference,20,us,10,30,
            null-call,goal,,,,,ratio<=1.2: missed
            shm,ours,,us,,,"not measured: no futex, ""here""\"
            shm,goal,,,,,ratio<=2: not judged
            benchmark-local,measured,62,s,,,"abc; E, 2 cores"
            one-way,ours,10.5,million/s,10.5,10.5,
            one-way,goal,,,,,ours>10: met
            """);
    assertThat(ResultFile.read(file).goals().lines())
        .containsExactly(
            "ibis: 0 of 2 goals met, 1 not measured",
            "local: 1 of 1 goals met",
            "all: 1 of 3 goals met, 1 not measured");
  }

  @Test
  void aLaterRunOfABenchmarkReplacesItsRows() throws IOException {
    var file = folder.resolve("rows.csv");
    put(file, "local", List.of(MISSED));
    put(file, "local", List.of(MET));
    assertThat(ResultFile.read(file).goals().lines()).containsExactly("local: 1 of 1 goals met");
  }

  @Test
  void figuresAreReadWithTheirRanges() throws IOException {
    var file = folder.resolve("rows.csv");
    put(file, "ibis", List.of(MISSED, ELSEWHERE));
    put(file, "local", List.of(MET));

    var rows = ResultFile.read(file).rows();

    assertThat(rows).containsOnlyKeys("ibis", "local");
    assertThat(rows.get("ibis"))
        .containsExactly(
            new BenchmarkRow(
                "null-call",
                "us",
                new FigureSpread(25.12, 24, 30),
                new FigureSpread(20, 10, 30),
                null),
            new BenchmarkRow("shm", "us", null, null, null));
    assertThat(rows.get("local").getFirst().ours()).isEqualTo(new FigureSpread(10.5, 10.5, 10.5));
  }

  @Test
  void figuresOfOlderFilesHaveNoRange() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("rows.csv"),
            "row,what,value,unit,low,high,note\nnull-call,ours,4.28,us,,,mean of 60 steps\n");

    assertThat(ResultFile.read(file).rows())
        .containsEntry(
            "other",
            List.of(
                new BenchmarkRow(
                    "null-call", "us", new FigureSpread(4.28, 4.28, 4.28), null, null)));
  }

  private static void put(Path file, String benchmark, List<BenchmarkRow> rows) throws IOException {
    var results = ResultFile.read(file);
    results.put(benchmark, 61.6, ORIGIN, rows);
    results.write(file);
  }
}
