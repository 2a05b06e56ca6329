package org.troupe.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.benchmarks.harness.RowGoal.Direction.ABOVE;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.RowGoal;

class ResultTableTest {

  private static final BenchmarkRow SLOW =
      new BenchmarkRow(
          "null-call",
          "us",
          FigureSpread.of(List.of(30.0, 24.0, 25.123456)),
          FigureSpread.of(List.of(20.0, 10.0, 30.0)),
          RowGoal.ratio(AT_MOST, 1.2));

  private static final BenchmarkRow ALONE =
      new BenchmarkRow(
          "one-way", "million/s", FigureSpread.of(List.of(10.5)), null, RowGoal.ours(ABOVE, 10));

  private static final BenchmarkRow ELSEWHERE =
      BenchmarkRow.unmeasured("shm", "us", RowGoal.ratio(AT_LEAST, 2), "no futex here");

  private static final BenchmarkRow WITHOUT_GOAL =
      new BenchmarkRow("extra", "us", FigureSpread.of(List.of(1.0, 2.0)), null, null);

  @Test
  void theCsvHasOnlyAHeaderAndRows() {
    assertThat(ResultTable.csv(List.of(SLOW, ALONE, WITHOUT_GOAL, ELSEWHERE)))
        .isEqualTo(
            """
            row,unit,ours,reference,ratio,goal,met,note
            null-call,us,25.12,20,1.256,ratio<=1.2,no,
            one-way,million/s,10.5,,,ours>10,yes,
            extra,us,1.5,,,,,
            shm,us,,,,ratio>=2,,not measured: no futex here
            """);
  }

  @Test
  void theTableShowsSpreadsMissedGoalsAndUnmeasuredRows() {
    assertThat(ResultTable.text(List.of(SLOW, ALONE, ELSEWHERE)))
        .isEqualTo(
            """
            row        unit       ours               reference    ratio  goal        met  note
            null-call  us         25.12 (24..30)     20 (10..30)  1.256  ratio<=1.2  NO
            one-way    million/s  10.5 (10.5..10.5)  -            -      ours>10     yes
            shm        us         -                  -            -      ratio>=2    -    not measured: no futex here
            """);
  }

  @Test
  void aReferenceOfZeroHasNoRatio() {
    var zero = FigureSpread.of(List.of(0.0));
    var some = FigureSpread.of(List.of(1.5));

    assertThat(ResultTable.csv(List.of(new BenchmarkRow("busy", "ms/s", some, zero, null))))
        .endsWith("busy,ms/s,1.5,0,,,,\n");
  }
}
