package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.deployment.watch.WatchRecord;

class WaitTextTest {

  /** Returns the wait of a member of a group of 16. */
  static WatchRecord.Wait inBarrier(List<Integer> missing) {
    return new WatchRecord.Wait(
        "n1/5",
        "acme.Solver",
        "step",
        "barrier",
        "barrier()",
        "",
        "",
        "",
        28,
        0,
        "",
        "g1",
        3,
        16,
        missing);
  }

  private static WatchRecord.Wait wait(String kind, String awaited, String object, String method) {
    return new WatchRecord.Wait(
        "n1/5",
        "acme.Solver",
        "step",
        kind,
        awaited,
        object,
        "",
        method,
        28,
        0,
        "",
        "",
        -1,
        0,
        List.of());
  }

  @Test
  void namesTheRanksThatAreMissingInACollectiveOperation() {
    assertThat(WaitText.of(inBarrier(List.of(7)))).isEqualTo("in barrier() for rank 7 of 16");
    assertThat(WaitText.of(inBarrier(List.of(7, 2, 0, 1))))
        .isEqualTo("in barrier() for ranks 0-2 and 7 of 16");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          reply  | pay(acme.Money) on node 'n2' | n2/7 | acme.Bank.pay(acme.Money) | for pay(Money) of n2/7
          future | acme.Bank.pay(acme.Money)    | ''   | ''                        | for pay(Money)
          future | ''                           | ''   | ''                        | for a result
          queue  | add()                        | n2/7 | ''                        | for space in the full queue of n2/7
          queue  | add()                        | ''   | ''                        | for space in the full queue (add())
          credit | n3                           | ''   | ''                        | for space on the link to node n3
          end    | the Worker                   | ''   | ''                        | for the end of the Worker
          """)
  void saysWhatElseAnObjectWaitsFor(
      String kind, String awaited, String object, String method, String text) {
    assertThat(WaitText.of(wait(kind, awaited, object, method))).isEqualTo(text);
  }

  @Test
  void manyRangesAreCounted() {
    assertThat(WaitText.ranges(List.of())).isEqualTo("-");
    assertThat(WaitText.ranges(List.of(1, 3, 5, 7, 9, 11, 13, 15)))
        .isEqualTo("1, 3, 5, 7, 9, 11 and 2 more");
  }
}
