package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchRecord.Begin;
import org.troupe.deployment.watch.WatchRecord.Failure;
import org.troupe.deployment.watch.WatchRecord.Job;
import org.troupe.deployment.watch.WatchRecord.Load;
import org.troupe.deployment.watch.WatchRecord.Method;
import org.troupe.deployment.watch.WatchRecord.Node;
import org.troupe.deployment.watch.WatchRecord.Pair;
import org.troupe.deployment.watch.WatchRecord.Queue;
import org.troupe.deployment.watch.WatchRecord.Queues;
import org.troupe.deployment.watch.WatchRecord.Round;
import org.troupe.deployment.watch.WatchRecord.Times;
import org.troupe.deployment.watch.WatchRecord.Wait;
import org.troupe.deployment.watch.WatchRecord.Waits;

/** The records of a grid as text for Prometheus. */
class GridMetricsTest {

  private static final Pattern NAME = Pattern.compile("[a-z_:][a-z0-9_:]*");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_:][a-z0-9_:]*)(\\{((?:[a-z_]+=\"(?:[^\"\\\\\\n"
              + "]|\\\\[\\\\\"n])*\",?)*)\\})? (\\S+)");

  private static Load load(long served) {
    return new Load(
        "times", 10, 20, 5, 30, 4, 1.5, 0.25, 60, 7, 3, 2, 6, served, 5, 1, 0, 0.001, 0.0001);
  }

  private static Node node(String name, String cluster, Load load) {
    return new Node(
        name,
        "e",
        "host",
        cluster,
        List.of("v"),
        load == null ? "starting" : "joined",
        "",
        17,
        false,
        load);
  }

  private static Wait waiting(double seconds) {
    return new Wait(
        "b1-1",
        "Solver",
        "step()",
        "by-necessity",
        "a future",
        "",
        "",
        "",
        seconds,
        0,
        "",
        "",
        -1,
        0,
        List.of());
  }

  private static Job job() {
    return new Job(
        "e:3",
        1,
        "j",
        "slurm",
        "sbatch",
        List.of(),
        "4711",
        "queued",
        "Priority",
        1,
        0,
        0,
        60,
        4,
        -1,
        4,
        2,
        0,
        0,
        0,
        0,
        List.of());
  }

  static List<WatchRecord> grid() {
    return List.of(
        new Begin(1, "id", "r1", "\"solver\"\nwith --password secret", 1, true),
        node("a1", "A", load(100)),
        node("b1", "B", load(200)),
        node("b2", "B", null),
        new Method("a1", "Solver", "step()", 12, 10, 1, new Times(4, 1, 3, 5), null),
        new Method("b1", "Solver", "step()", 22, 20, 0, new Times(12, 2, 2.5, 9), null),
        new Queues("a1", List.of(new Queue("a1-1", "Solver", 4, "step()", "x", 2.5, 0))),
        new Waits("b1", List.of(waiting(41))),
        new Pair("a1", "b1", "tls", 5, 500, 1, 0.01),
        new Pair("a1", "b2", "tls", 6, 600, 0, 0.02),
        new Failure("a1", "one-way", "Solver.step()", "E", "", 3, 1, 2, "example"),
        new Failure("b1", "one-way", "Solver.step()", "F", "", 4, 1, 2, "example"),
        job(),
        new Round("c-1", 1, 2, 0, 0.01, 9, 0));
  }

  /** Returns the answer to the first request. */
  static String metrics(List<WatchRecord> records) {
    return GridMetrics.of(new CountedRows().with(records));
  }

  @Test
  void sumsMethodsOverNodes() {
    assertThat(metrics(grid()).lines())
        .contains(
            "troupe_calls_total{run=\"r1\",class=\"Solver\",method=\"step()\"} 30",
            "troupe_calls_accepted_total{run=\"r1\",class=\"Solver\",method=\"step()\"} 34",
            "troupe_call_failures_total{run=\"r1\",class=\"Solver\",method=\"step()\"} 1");
  }

  @Test
  void combinesTimesOfNodesByTheirSamples() {
    var labels = "{run=\"r1\",class=\"Solver\",method=\"step()\"";
    assertThat(metrics(grid()).lines())
        .contains(
            "troupe_queue_seconds" + labels + ",quantile=\"0.5\"} 1.75",
            "troupe_queue_seconds" + labels + ",quantile=\"0.99\"} 3",
            "troupe_queue_seconds" + labels + ",quantile=\"1\"} 9",
            "troupe_queue_seconds_count" + labels + "} 16");
    assertThat(metrics(grid())).doesNotContain("troupe_service_seconds{");
  }

  @Test
  void hasWhatEachNodeReports() {
    assertThat(metrics(grid()).lines())
        .contains(
            "troupe_nodes{run=\"r1\",state=\"joined\",cluster=\"A\"} 1",
            "troupe_nodes{run=\"r1\",state=\"starting\",cluster=\"B\"} 1",
            "troupe_served_total{run=\"r1\",node=\"b1\",cluster=\"B\"} 200",
            "troupe_pending_results{run=\"r1\",node=\"a1\",cluster=\"A\"} 6",
            "troupe_collection_seconds_total{run=\"r1\",node=\"a1\",cluster=\"A\"} 0.25",
            "troupe_longest_queue_requests{run=\"r1\",node=\"a1\"} 4",
            "troupe_longest_wait_seconds{run=\"r1\",node=\"b1\"} 41");
  }

  @Test
  void sumsLinksByClustersAndFailuresByCause() {
    assertThat(metrics(grid()).lines())
        .contains(
            "troupe_link_bytes_total{run=\"r1\",from=\"A\",to=\"B\",driver=\"tls\"} 1100",
            "troupe_link_round_trip_seconds{run=\"r1\",from=\"A\",to=\"B\",driver=\"tls\"} 0.02",
            "troupe_failures_total{run=\"r1\",cause=\"one-way\"} 7");
  }

  @Test
  void hasTheStatesOfJobs() {
    assertThat(metrics(grid()).lines())
        .contains(
            "troupe_job_state{run=\"r1\",element=\"e:3\",first=\"1\",system=\"slurm\",state=\"queued\"}"
                + " 1",
            "troupe_job_joined{run=\"r1\",element=\"e:3\",first=\"1\",system=\"slurm\"} 2");
  }

  @Test
  void hasTheNodesInTheOrderOfTheirNames() {
    var nodes =
        Stream.of("a10", "a2", "a1").map(name -> (WatchRecord) node(name, "A", load(1))).toList();

    assertThat(metrics(nodes).lines().filter(line -> line.startsWith("troupe_threads{")))
        .extracting(line -> line.replaceFirst(".*node=\"(\\w+)\".*", "$1"))
        .containsExactly("a1", "a2", "a10");
  }

  @Test
  void escapesTextsOfTheProgram() {
    assertThat(metrics(grid()))
        .contains("troupe_run_info{run=\"r1\",program=\"\\\"solver\\\"\\nwith\"} 1");
  }

  @ParameterizedTest
  @CsvSource({
    "acme.solver.Main --password secret,acme.solver.Main",
    "acme/acme.solver.Main secret,acme.solver.Main",
    "/home/me/solver.jar secret,solver.jar",
    "troupe run em3d secret,troupe run em3d",
    "troupe run --class-path /home/me/solver.jar secret,troupe run solver.jar",
    "troupe run --class-path classes:/home/me/solver.jar secret,troupe run solver.jar",
    "troupe run --class-path classes secret,troupe run",
    "troupe run --dashboard --class-path classes --main acme.Bank secret,troupe run acme.Bank",
    "troupe run --model=satin --jvms 4 --class-path=classes --main acme.Bank secret,troupe run acme.Bank",
    "troupe run --on 17 --report-html em3d secret,troupe run em3d",
    "troupe run --verbose em3d secret,troupe run em3d",
    "troupe run --a-later-flag em3d secret,troupe run",
    "troupe run --a-later-option secret em3d,troupe run",
    "troupe deploy /home/me/grid.xml -D token=secret,troupe deploy"
  })
  void namesTheProgramWithoutItsArguments(String command, String name) {
    assertThat(metrics(List.of(new Begin(1, "id", "r1", command, 1, true))))
        .contains("troupe_run_info{run=\"r1\",program=\"" + name + "\"} 1")
        .doesNotContain("secret");
  }

  @Test
  void sumsUpMethodsBeyondTheMostUsed() {
    List<WatchRecord> records = new ArrayList<>(grid());
    IntStream.range(0, GridMetrics.MOST_METHODS + 50)
        .forEach(i -> records.add(new Method("a1", "T" + i, "m()", 5, 5, 0, null, null)));

    var calls = metrics(records).lines().filter(l -> l.startsWith("troupe_calls_total")).toList();
    assertThat(calls)
        .hasSize(GridMetrics.MOST_METHODS + 1)
        .contains("troupe_calls_total{run=\"r1\",class=\"_OTHER\",method=\"_OTHER\"} 255");
  }

  @Test
  void hasNoMoreNodesThanAScrapeCanHold() {
    List<WatchRecord> records = new ArrayList<>(grid());
    IntStream.range(0, GridMetrics.MOST_NODES + 10)
        .forEach(i -> records.add(node("n" + i, "C", load(1))));

    assertThat(metrics(records).lines().filter(l -> l.startsWith("troupe_threads{")))
        .hasSize(GridMetrics.MOST_NODES);
  }

  @Test
  void isEmptyOfAnEmptyRound() {
    assertThat(metrics(List.of())).endsWith("# EOF\n");
  }

  /** The rules of OpenMetrics 1.0 that a reader of Prometheus relies on. */
  @Test
  void isTextOfOpenMetrics() {
    var text = metrics(grid());
    assertThat(text).endsWith("\n# EOF\n").doesNotContain("\r");
    var seen = new HashSet<String>();
    var samples = new HashSet<String>();
    String family = "";
    String type = "";
    for (var line : text.lines().toList()) {
      if (line.equals("# EOF")) {
        continue;
      }
      if (line.startsWith("# TYPE ")) {
        var words = line.split(" ");
        family = words[2];
        type = words[3];
        assertThat(family).matches(NAME);
        assertThat(seen.add(family)).as("one block of %s", family).isTrue();
      } else if (line.startsWith("# UNIT ")) {
        assertThat(family).endsWith("_" + line.split(" ")[3]);
      } else if (line.startsWith("# HELP ")) {
        assertThat(line).startsWith("# HELP " + family + " ");
      } else {
        var sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        var suffixes =
            switch (type) {
              case "counter" -> List.of("_total");
              case "info" -> List.of("_info");
              case "summary" -> List.of("", "_count");
              default -> List.of("");
            };
        assertThat(suffixes).contains(sample.group(1).substring(family.length()));
        assertThat(sample.group(1)).startsWith(family);
        assertThat(Double.parseDouble(sample.group(4))).isNotNaN();
        assertThat(samples.add(sample.group(1) + sample.group(3))).as("once: " + line).isTrue();
      }
    }
    assertThat(seen).hasSizeBetween(35, 45);
    assertThat(Stream.of("object", "rank", "call"))
        .allSatisfy(label -> assertThat(text).doesNotContain("," + label + "=\""));
  }

  @Test
  void refusesTwoFamiliesOfOneName() {
    var text = new MetricsText();
    text.gauge("troupe_nodes", "", "Nodes");
    assertThatThrownBy(() -> text.counter("troupe_nodes", "", "Nodes"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
