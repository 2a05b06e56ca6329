package org.troupe.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.benchmarks.Goal.Direction.ABOVE;
import static org.troupe.benchmarks.Goal.Direction.AT_LEAST;
import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final Row SLOW =
      new Row(
          "null-call",
          "us",
          Spread.of(List.of(30.0, 24.0, 25.123456)),
          Spread.of(List.of(20.0, 10.0, 30.0)),
          Goal.ratio(AT_MOST, 1.2));

  private static final Row ALONE =
      new Row("one-way", "million/s", Spread.of(List.of(10.5)), null, Goal.ours(ABOVE, 10));

  private static final Row ELSEWHERE =
      Row.unmeasured("shm", "us", Goal.ratio(AT_LEAST, 2), "no futex here");

  private static final Row WITHOUT_GOAL =
      new Row("extra", "us", Spread.of(List.of(1.0, 2.0)), null, null);

  @Test
  void theCsvHasAHeaderAndRowsAndNothingElse() {
    assertThat(Table.csv(List.of(SLOW, ALONE, WITHOUT_GOAL, ELSEWHERE)))
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
  void peopleSeeTheSpreadAndTheMissesAndWhatWasNotMeasured() {
    assertThat(Table.text(List.of(SLOW, ALONE, ELSEWHERE)))
        .isEqualTo(
            """
            row        unit       ours               reference    ratio  goal        met  note
            null-call  us         25.12 (24..30)     20 (10..30)  1.256  ratio<=1.2  NO
            one-way    million/s  10.5 (10.5..10.5)  -            -      ours>10     yes
            shm        us         -                  -            -      ratio>=2    -    not measured: no futex here
            """);
  }
}
