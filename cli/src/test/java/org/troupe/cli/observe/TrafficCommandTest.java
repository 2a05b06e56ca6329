package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;

/** What the verb {@code traffic} says of a round that lacks something. */
class TrafficCommandTest {

  private final TrafficCommand.Pairs pairs = new TrafficCommand.Pairs();
  private final StringWriter err = new StringWriter();

  private boolean wantsMoreAfter(WatchRecord record) {
    return pairs.test(WatchCodec.line(record));
  }

  private boolean report() {
    return pairs.report(new PrintWriter(err, true));
  }

  private static WatchRecord.Pair pair(String from, long bytes) {
    return new WatchRecord.Pair(from, "main", "rmi", 1, bytes, 0, 0);
  }

  private static WatchRecord.Node nodeThatHasLeftOut(long rows) {
    var load = new WatchRecord.Load("off", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, rows, 0, 0);
    return new WatchRecord.Node("n1", "", "h", "", List.of(), "joined", "", 1, false, load);
  }

  private static WatchRecord.Round round(int silent, long dropped) {
    return new WatchRecord.Round("e-1", 5, 4, silent, 0.01, 7, dropped);
  }

  @Test
  void aWholeRoundIsEnough() {
    assertThat(wantsMoreAfter(pair("n1", 5))).isTrue();
    assertThat(wantsMoreAfter(pair("n2", 7))).isTrue();
    assertThat(wantsMoreAfter(nodeThatHasLeftOut(0))).isTrue();
    assertThat(wantsMoreAfter(round(0, 0))).isFalse();

    assertThat(report()).isTrue();
    assertThat(pairs.isWhole()).isTrue();
    assertThat(pairs.sorted()).extracting(WatchRecord.Pair::node).containsExactly("n2", "n1");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void pairsWithEquallyManyBytesAreInTheOrderOfTheirNames() {
    for (var each : List.of("n10", "n2", "n1")) {
      assertThat(wantsMoreAfter(pair(each, 5))).isTrue();
    }

    assertThat(pairs.sorted())
        .extracting(WatchRecord.Pair::node)
        .containsExactly("n1", "n2", "n10");
  }

  @Test
  void aDeploymentThatEndsBeforeARoundHasNoAnswer() {
    assertThat(wantsMoreAfter(pair("n1", 5))).isTrue();

    assertThat(report()).isFalse();
    assertThat(err.toString().strip()).isEqualTo("the deployment has ended meanwhile");
  }

  @Test
  void nodesWithoutAnAnswerAreTold() {
    assertThat(wantsMoreAfter(round(2, 0))).isFalse();

    assertThat(report()).isTrue();
    assertThat(pairs.isWhole()).isFalse();
    assertThat(err.toString().strip())
        .isEqualTo("2 nodes gave no answer in time; what was sent from there may be missing");
  }

  @Test
  void rowsThatDidNotFitAreTold() {
    assertThat(wantsMoreAfter(nodeThatHasLeftOut(3))).isTrue();
    assertThat(wantsMoreAfter(round(0, 4))).isFalse();

    assertThat(report()).isTrue();
    assertThat(pairs.isWhole()).isFalse();
    assertThat(err.toString().strip())
        .isEqualTo("7 rows of the nodes' reports did not fit; pairs may be missing");
  }
}
