package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.cli.Main;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.runs.GridFutures;
import org.troupe.deployment.runs.GridObjects;
import org.troupe.deployment.runs.GridObjects.ClassTotal;
import org.troupe.deployment.runs.GridObjects.NodeTotal;
import org.troupe.deployment.runs.GridObjects.ObjectLine;
import org.troupe.deployment.runs.GridObjects.Total;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.testing.QuickJvm;
import picocli.CommandLine;

@Timeout(120)
class ObjectsCommandTest {

  private static final int NODES = 1_000;
  private static final int CLASSES = 30;
  private static final int DESCRIBED = 20;

  /** An active object. */
  public static class Worker {
    public int step(int number) {
      return number;
    }
  }

  private static GridObjects large() {
    return new GridObjects(
        "17",
        "Program",
        new Total(1_000_000, 5_000, 12),
        IntStream.range(0, NODES)
            .mapToObj(
                i ->
                    new NodeTotal(
                        "n" + i, i > 0, new Total(1_000, 5, 0), i == 1 ? 4 : 0, i == 2 ? 77 : 0))
            .toList(),
        IntStream.range(0, CLASSES)
            .mapToObj(i -> new ClassTotal("a.C" + i, new Total(9, 9, 9)))
            .toList(),
        IntStream.range(0, DESCRIBED)
            .mapToObj(
                i ->
                    new ObjectLine(
                        "n1/" + i,
                        "a.Outer$Worker",
                        "n2",
                        i == 0 ? List.of("first", "second") : List.of(),
                        2,
                        50 - i,
                        i == 0 ? "Worker.step()" : "",
                        i == 0 ? 12.34 : -1,
                        0,
                        i == 0 ? "17" : "",
                        i == 0 ? 4_711 : 0,
                        i == 2,
                        i == 0 ? "bound 7" : ""))
            .toList());
  }

  private static String printed(GridObjects grid, String... options) {
    var limit = new ListLimit();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("limit", CommandLine.Model.CommandSpec.forAnnotatedObject(limit)))
        .parseArgs(options);
    var out = new StringWriter();
    ObjectsCommand.print(grid, limit, new PrintWriter(out, true));
    return out.toString();
  }

  @Test
  void aMillionObjectsOfAThousandNodesMakeAScreen() {
    assertThat(printed(large()).lines())
        .hasSizeLessThan(55)
        .contains(
            "17: Program: 1000000 objects, 5000 requests queued, 12 serving",
            "... and 20 more of 30 classes; '--all' shows them",
            "... and 990 more of 1000 nodes; '--all' shows them",
            "1 node gave no answer in time; the objects there are missing",
            "77 more objects not counted, because the nodes took too long",
            "... and 999980 more of 1000000 objects; '--node', '--class' and '--all' show more")
        .anyMatch(each -> each.matches("n1 +1000 +5 +0 +4"))
        .anyMatch(each -> each.matches("n0 +- +- +- +-"))
        .anyMatch(
            each ->
                each.matches(
                    "n1/0 +Worker +17 +n2 +50 +Worker.step\\(\\) +12.3 +2 +0 +4711 +bound 7 +first, second"))
        .anyMatch(each -> each.matches("n1/1 +Worker +- +n2 +49 +- +- +2 +0 +- +- +-"))
        .anyMatch(each -> each.matches("n1/2 +Worker +- +n2 +48 +asleep +- +2 +0 +- +- +-"));
  }

  @Test
  void allClassesAndNodesAreShownOnRequest() {
    assertThat(printed(large(), "--all").lines())
        .hasSize(1 + 1 + CLASSES + 1 + NODES + 2 + 1 + DESCRIBED + 1);
  }

  @Test
  void theObjectsOfARunningProgramAreListed() throws Exception {
    try (var grid = Grid.local(1, GridOptions.standard().withJvmOptions(QuickJvm.OPTIONS))) {
      var node = grid.nodes().await(Nodes.all(), Duration.ofMinutes(1)).first();
      ActiveObjects.on(node).create(Worker.class).step(1);
      var id = RunningGrid.ofThisProgram(grid.run()).orElseThrow().id();

      assertThat(run(0, "objects", "--of", id, "--class", "Worker"))
          .contains("1 object, 0 requests queued")
          .containsPattern("OBJECT +CLASS +KEY +NODE +QUEUED")
          .containsPattern("local-1/[0-9]+ +Worker +- +local-1 +0");
      assertThat(run(0, "objects", "--of", id, "--node", "local-1", "-o", "json"))
          .contains("\"type\" : \"" + Worker.class.getName() + "\"");
      assertThat(run(0, "objects", "--of", id, "--class", "Wroker"))
          .contains("it has no object of a class 'Wroker' now");
      assertThat(run(2, "objects", "--of", id, "--node", "n9"))
          .contains("there is no node 'n9'; there are local-1");

      assertThat(run(0, "traffic", "--of", id))
          .containsPattern("FROM +TO +DRIVER +MESSAGES +BYTES")
          .containsPattern("(?m)^local-1 +main +\\w+ +[1-9]");
      assertThat(run(0, "traffic", "--of", id, "main", "local-1"))
          .startsWith("main to local-1: ")
          .contains("not acknowledged: ")
          .containsPattern("(?m)^1 +" + Pattern.quote(Worker.class.getName()) + "\\.step\\(int\\)");
      assertThat(run(0, "traffic", "--of", id, "main", "local-1", "-o", "json"))
          .contains("\"method\" : \"step(int)\"");
      assertThat(run(2, "traffic", "--of", id, "main", "n9"))
          .contains("there is no node 'n9'; there are local-1")
          .doesNotContain("no link");
      assertThat(run(2, "traffic", "--of", id, "main"))
          .contains("one node is no pair; name the sender and the receiver, or none");
      assertThat(run(0, "futures", "--of", id))
          .contains("no result of a call to another node is pending");
      assertThat(run(0, "futures", "--of", id, "-o", "json")).contains("\"pending\" : [ ]");
      assertThat(run(2, "futures", "--of", id, "--node", "n9")).contains("there is no node 'n9'");
    }
  }

  @Test
  void pendingResultsAreListedWithTheirMakers() {
    var pending =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    new GridFutures.Pending(
                        "Worker.step(int)",
                        "a.Worker",
                        "n1/" + i,
                        "n1",
                        i == 0 ? "n2/7" : "",
                        "n2",
                        i == 0 ? "a.Main.run(Main.java:7)" : "",
                        i == 0,
                        90 - i))
            .toList();
    var out = new StringWriter();

    FuturesCommand.print(
        new GridFutures(
            pending, List.of(new GridFutures.Owed("Worker.sum()", "n1", "n3")), 5, List.of("n4")),
        new ListLimit(),
        new PrintWriter(out, true));

    assertThat(out.toString())
        .containsPattern(
            "(?m)^Worker.step\\(int\\) +n1/0 +n1 +n2/7 +a.Main.run\\(Main.java:7\\) +90.0 s +yes")
        .containsPattern("(?m)^Worker.step\\(int\\) +n1/1 +n1 +n2 +- +89.0 s +-")
        .contains("... and 10 more of 30 pending results; '--all' shows them")
        .containsPattern("(?m)^Worker.sum\\(\\) +n1 +n3")
        .contains("5 futures more, which the nodes do not list", "no answer in time from n4");
  }

  private static String run(int exitCode, String... arguments) {
    var text = new StringWriter();
    var out = new PrintWriter(text);
    assertThat(Main.execute(out, out, arguments)).as(text.toString()).isEqualTo(exitCode);
    return text.toString();
  }
}
