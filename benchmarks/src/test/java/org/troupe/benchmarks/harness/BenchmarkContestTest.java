package org.troupe.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkContestTest {

  private final BenchmarkContest contest = new BenchmarkContest(CorePinning.NONE);

  /** Adds a side with given figures, one per turn. */
  private void enter(String side, Double... figures) {
    Iterator<Double> rest = List.of(figures).iterator();
    contest.add(side, rest::next);
  }

  @Test
  void anyTwoSidesMakeARowOfTheirMedians() throws IOException, InterruptedException {
    enter("a", 1.0, 2.0, 9.0);
    enter("b", 4.0, 5.0, 3.0);
    contest.run(3);

    var row = contest.row("a-by-b", "us", "a", "b", null);
    assertThat(row.ours().median()).isEqualTo(2);
    assertThat(row.reference().median()).isEqualTo(4);
    assertThat(row.ratio()).isEqualTo(0.5);
  }

  @Test
  void theSidesTakeTurnsInTheirOrder() throws IOException, InterruptedException {
    var order = new StringBuilder();
    contest.add("a", () -> order.append('a').length());
    contest.add("b", () -> order.append('b').length());
    contest.run(2);
    assertThat(order).hasToString("abab");
  }

  @Test
  void aRowOfASideThatCannotRunHereSaysWhy() throws IOException, InterruptedException {
    enter("a", 1.0);
    contest.markUnavailable("b", "no futex here");
    contest.run(1);

    var row = contest.row("a-by-b", "us", "a", "b", RowGoal.ratio(RowGoal.Direction.AT_MOST, 1));
    assertThat(row.ours()).isNull();
    assertThat(row.note()).isEqualTo("not measured: no futex here");
    assertThat(row.met()).isEmpty();
  }
}
