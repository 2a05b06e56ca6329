package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.GridStatus.Load;
import org.troupe.deployment.runs.GridStatus.NodeLine;
import org.troupe.deployment.watch.GridActivity;
import org.troupe.deployment.watch.WatchRecord;
import picocli.CommandLine;

class StatusCommandTest {

  private static final int FAILED = 900;
  private static final int JOINED = 100;
  private static final Load IDLE = new Load(1, 2, 3, 4, 5, 0, 0, 0, 0, 7, "counts", 0, 0);

  private static String status(String... options) {
    var nodes =
        IntStream.range(0, FAILED + JOINED)
            .mapToObj(
                i ->
                    new NodeLine(
                        "hosts-" + i,
                        "hosts",
                        "host-" + i,
                        "",
                        List.of("hosts"),
                        i < FAILED ? "ended" : "joined",
                        i < FAILED ? "host-" + i + " does not answer" : "",
                        0,
                        i < FAILED ? null : IDLE))
            .toList();
    return status(nodes, GridActivity.NONE, options);
  }

  private static String status(List<NodeLine> nodes, GridActivity activity, String... options) {
    var grid =
        new GridStatus(
            "17",
            "0a1b",
            17,
            "Program",
            60,
            "ibis",
            new TreeSet<>(List.of("tcp")),
            nodes,
            List.of(),
            activity);
    var limit = new ListLimit();
    new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("limit", spec(limit)))
        .parseArgs(options);
    var out = new StringWriter();
    StatusCommand.print(grid, limit, new PrintWriter(out, true));
    return out.toString();
  }

  private static CommandLine.Model.CommandSpec spec(ListLimit limit) {
    return CommandLine.Model.CommandSpec.forAnnotatedObject(limit);
  }

  @Test
  void aThousandNodesAreSummarised() {
    assertThat(status().lines())
        .hasSizeLessThan(90)
        .contains(
            "100 of 1000 nodes up, 900 ended",
            "... and 960 more of 1000 nodes; '--all' shows them",
            "hosts-0: host-0 does not answer",
            "... and 860 more of 900 explanations; '--all' shows them");
  }

  @Test
  void allOfThemAreShownOnRequest() {
    assertThat(status("--all").lines()).hasSize(3 + FAILED + JOINED + FAILED);
  }

  @Test
  void aNodeThatDoesNotAnswerIsSilent() {
    var silent = new NodeLine("n1", "grid.xml:3:5", "host", "", List.of(), "joined", "", 17, null);

    assertThat(status(List.of(silent), GridActivity.NONE))
        .contains("0 of 1 node up, 1 silent")
        .containsPattern("n1 +host +- +silent +17");
  }

  @Test
  void aReleasedNodeIsNotMissing() {
    var joined = new NodeLine("n1", "e", "host", "", List.of(), "joined", "", 17, IDLE);
    var released =
        new NodeLine("n2", "e", "host", "", List.of(), "ended", "it was released", 18, null);

    assertThat(status(List.of(joined, released), GridActivity.NONE))
        .contains("1 of 1 node up, 1 released", "n2: it was released")
        .containsPattern("n2 +host +- +released +18");
  }

  @Test
  void waitsNameTheMissingRanksOfACollectiveOperation() {
    var waits = new WatchRecord.Waits("n1", List.of(WaitTextTest.inBarrier(List.of(7))));

    assertThat(status(List.of(), GridActivity.of(List.of(waits))))
        .containsPattern("WAITING +NODE +SINCE AT MOST +IN +WHY")
        .containsPattern("n1 +28.0 s +step +in barrier\\(\\) for rank 7 of 16");
  }

  @Test
  void nodesShowTheirPendingResults() {
    var node = new NodeLine("n1", "e", "host", "", List.of("workers"), "joined", "", 17, IDLE);

    assertThat(status(List.of(node), GridActivity.NONE))
        .containsPattern("QUEUED +WAITING +PENDING +VIRTUAL NODES")
        .containsPattern("n1 .* 0 +0 +7 +workers");
  }

  @Test
  void groupsNameTheRanksThatHaveArrivedAndThoseThatAreMissing() {
    var waiting =
        new WatchRecord.Collective(
            "g1", "acme.Solver", 12, "barrier()", List.of(0, 1), List.of(7), 2.5);
    var over = new WatchRecord.Collective("g2", "acme.Other", 3, "", List.of(), List.of(), 0);

    assertThat(status(List.of(), GridActivity.of(List.of(waiting, over))))
        .containsPattern("GROUP OF +WAITS IN +SINCE +ARRIVED +MISSING")
        .containsPattern("12 acme.Solver +barrier\\(\\) +2.5 s +0-1 +7")
        .doesNotContain("acme.Other");
  }
}
