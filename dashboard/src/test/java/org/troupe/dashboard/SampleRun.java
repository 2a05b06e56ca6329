package org.troupe.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Rounds of the stream of a run that does not exist, with all kinds of records: some troubles, or
 * very many nodes. The same seed gives the same records.
 */
final class SampleRun {

  /** A text that would do harm if it became a part of the page. */
  static final String HOSTILE =
      "<img src=x onerror=document.title='hacked'><b>&amp;\"'\u202e\u001b[31mred\u001b[0m";

  private static final long START = 1_795_000_000_000L;
  private static final String[][] METHODS = {
    {"acme.solver.Solver", "step(double)"},
    {"acme.solver.Solver", "exchange(acme.mesh.Halo)"},
    {"acme.solver.Solver", "energy()"},
    {"acme.io.Collector", "add(acme.io.Frame)"},
    {"acme.io.Collector", "write()"},
    {"acme.mesh.Partition", "neighbours(int)"},
    {"acme.control.Monitor", "report(java.lang.String,double[])"},
    {"acme.control.Schedule$Slot", "claim(java.time.Duration)"},
  };
  private static final String[] TYPES = {
    "acme.solver.Solver",
    "acme.io.Collector",
    "acme.mesh.Partition",
    "acme.control.Monitor",
    "acme.control.Schedule$Slot"
  };

  private final int nodes;
  private final boolean isTroubled;
  private final Random random = new Random(17);
  private final long[][] served;
  private final double[] cpuSeconds;
  private final List<String> lines = new ArrayList<>();
  private int round;

  private SampleRun(int nodes, boolean isTroubled) {
    this.nodes = nodes;
    this.isTroubled = isTroubled;
    served = new long[nodes][METHODS.length];
    cpuSeconds = new double[nodes];
  }

  /** A run of twelve nodes in three clusters, with one of each trouble. */
  static SampleRun troubled() {
    return new SampleRun(12, true);
  }

  /** A run of many nodes with ten thousands of objects. */
  static SampleRun large(int nodes) {
    return new SampleRun(nodes, false);
  }

  /** Returns the lines of the stream's beginning. */
  List<String> begin() {
    add(
        "begin",
        text("id", "20261127-1"),
        text("run", "20261127-1"),
        text("program", "acme.solver.Main --steps 10000"),
        "\"version\":1",
        number("intervalSeconds", Math.max(1, nodes / 256.0)),
        "\"isWhole\":true");
    events();
    return taken();
  }

  /** Returns the lines of the next round. */
  List<String> nextRound() {
    for (var i = 0; i < nodes; i++) {
      node(i);
      if (isStarting(i)) {
        continue;
      }
      for (var m = 0; m < METHODS.length; m++) {
        method(i, m);
      }
      if (round == 0) {
        classes(i);
      }
      queues(i);
      waits(i);
      pairs(i);
    }
    program();
    if (isTroubled) {
      failures();
      jobs();
      groups();
    }
    if (round == 0) {
      add("novelty", text("node", "a1"), text("name", "of a newer program"), number("size", 7));
    }
    add(
        "round",
        text("cursor", "sample-" + round),
        number("timeMillis", now()),
        number("nodes", nodes),
        number("silent", isTroubled ? 1 : 0),
        number("tookSeconds", 0.012),
        number("rows", 40L * nodes),
        number("dropped", 3));
    round++;
    return taken();
  }

  private long now() {
    return START + 1000L * (round + 60);
  }

  private String name(int i) {
    return isTroubled ? "" + "abc".charAt(i / 4) + (i % 4 + 1) : "n" + i;
  }

  private String cluster(int i) {
    return isTroubled ? List.of("lyon", "delft", "vienna").get(i / 4) : "cluster" + i / 50;
  }

  private boolean isLost(int i) {
    return isTroubled && i == 7;
  }

  private boolean isStarting(int i) {
    return isTroubled && i == 11;
  }

  private void program() {
    add(
        "node",
        text("node", "main"),
        text("element", ""),
        text("host", "laptop"),
        text("cluster", "lyon"),
        "\"virtualNodes\":[]",
        text("state", "joined"),
        text("detail", ""),
        number("pid", 4711),
        "\"isSilent\":false",
        load(3, 0.2 * round, 5, 0, 0, 100));
  }

  private void node(int i) {
    cpuSeconds[i] += 0.3 + 0.6 * random.nextDouble() + (i % 5 == 0 ? 1.1 : 0);
    var isStarting = isStarting(i);
    add(
        "node",
        text("node", name(i)),
        text("element", "grid.xml:" + (12 + i / 4 * 6) + ":5"),
        text("host", "host" + i / 2),
        text("cluster", isStarting ? "" : cluster(i)),
        "\"virtualNodes\":[\"solvers\"" + (i % 4 == 0 ? ",\"io\"" : "") + "]",
        text("state", isLost(i) ? "ended" : isStarting ? "starting" : "joined"),
        text(
            "detail",
            isLost(i)
                ? "its process ended with signal 9 (killed), as when memory runs out"
                : isStarting ? "job 4242 is queued: Priority, 3rd in queue" : ""),
        number("pid", 2000 + i),
        "\"isSilent\":" + (isTroubled && i == 5),
        isStarting
            ? "\"load\":null"
            : load(
                isTroubled ? 18 + 7 * (i % 3) : 100,
                cpuSeconds[i],
                i == 2 ? 950 : 300 + 40 * (i % 9) + random.nextInt(60),
                3 * (i % 4),
                isTroubled ? i % 3 : i % 97 == 0 ? 4 : 0,
                1000L * round));
  }

  private String load(
      int objects, double cpu, int heapMegabytes, int queued, int waiting, long served) {
    var fields = new StringJoiner(",", "\"load\":{", "}");
    fields.add(text("observed", "times"));
    fields.add(number("heapUsedBytes", (long) heapMegabytes << 20));
    fields.add(number("heapMostBytes", 1L << 30));
    fields.add(number("heapKeptBytes", (long) heapMegabytes << 18));
    fields.add(number("residentBytes", (heapMegabytes + 180L) << 20));
    fields.add(number("threads", 41));
    fields.add(number("cpuSeconds", cpu));
    fields.add(number("collectionSeconds", cpu / 60));
    fields.add(number("upSeconds", 60 + round));
    fields.add(number("objects", objects));
    fields.add(number("queued", queued));
    fields.add(number("waiting", waiting));
    fields.add(number("pending", 2L * waiting));
    fields.add(number("served", served));
    fields.add(number("failed", served / 500));
    fields.add(number("unvisited", isTroubled ? 0 : 12));
    fields.add(number("leftOut", isTroubled ? 0 : 5));
    fields.add(number("clockOffsetSeconds", -0.0123));
    fields.add(number("clockErrorSeconds", 0.00004));
    return fields.toString();
  }

  private void method(int i, int m) {
    var grown = 4000 / (1 + m * m) + random.nextInt(50);
    served[i][m] += isLost(i) ? 0 : grown;
    var micros = 12.5 * (m + 1) * (m + 1);
    add(
        "method",
        text("node", name(i)),
        text("type", METHODS[m][0]),
        text("method", METHODS[m][1]),
        number("accepted", served[i][m] + 3),
        number("served", served[i][m]),
        number("failed", m == 6 ? served[i][m] / 40 : 0),
        "\"waits\":" + times(micros / 3e6),
        "\"services\":" + times(micros / 1e6));
  }

  private static String times(double median) {
    return "{\"samples\":640,%s,%s,%s}"
        .formatted(
            number("median", median), number("p99", median * 9), number("most", median * 60));
  }

  private void classes(int i) {
    for (var t = 0; t < TYPES.length; t++) {
      var objects = isTroubled ? 3 + 2 * t : 20;
      add(
          "class",
          text("node", name(i)),
          text("type", TYPES[t]),
          number("objects", objects),
          number("queued", 4 * t),
          number("serving", t == 0 ? 2 : 1),
          number("longestQueue", 5 + (i * 7 + t) % 23),
          text("longestObject", name(i) + "/" + (t + 2)),
          "\"isWhole\":true");
    }
  }

  private void queues(int i) {
    if (isLost(i)) {
      return;
    }
    var rows = new StringJoiner(",", "\"queues\":[", "]");
    for (var k = 0; k < 4; k++) {
      var length = 4 + (i + k) % 5; // seconds of a service
      rows.add(
          "{%s,%s,%s,%s,%s,%s,%s}"
              .formatted(
                  text("object", name(i) + "/" + (k + 2)),
                  text("type", TYPES[k]),
                  number("queued", isTroubled && i == 0 && k == 1 ? 1840 : (i * 5 + k * 3) % 11),
                  text("serving", METHODS[k * 2][1]),
                  text("caller", k == 1 ? "Solver a1/2" : "node 'main'"),
                  number("servingSeconds", round % length + 0.2),
                  number("leastSeconds", k == 3 ? 0 : round % length))); // the last are all short
    }
    add("queues", text("node", name(i)), rows.toString());
  }

  private void waits(int i) {
    var rows = new StringJoiner(",", "\"waits\":[", "]");
    if (isTroubled) {
      switch (i) {
        case 0 -> {
          rows.add(waits("a1/2", TYPES[0], "reply", "exchange(acme.mesh.Halo)", "a2/2", 47));
          rows.add(waits("a1/9", TYPES[3], "queue", "add(acme.io.Frame)", "a1/3", 12));
        }
        case 1 -> rows.add(waits("a2/2", TYPES[0], "reply", "neighbours(int)", "b1/4", 46));
        case 4 ->
            rows.add(waits("b1/4", TYPES[2], "by-necessity", "add(acme.io.Frame)", "c1/3", 41));
        case 9 -> {
          rows.add(waits("c2/20", TYPES[4], "reply", "claim(java.time.Duration)", "c3/20", 31));
          rows.add(member("c2/5", 3));
        }
        case 10 -> rows.add(waits("c3/20", TYPES[4], "reply", "claim(int)", "c2/20", 30));
        default -> {
          // Waits for nothing.
        }
      }
    }
    add("waits", text("node", name(i)), rows.toString());
  }

  private String waits(
      String object, String type, String kind, String method, String at, int seconds) {
    return wait(
        object,
        type,
        kind,
        method + " on node '" + at.split("/")[0] + "'",
        text("awaitedObject", at)
            + ","
            + text("awaitedNode", at.split("/")[0])
            + ","
            + text("awaitedMethod", method),
        seconds,
        text("group", "") + ",\"rank\":-1,\"size\":0,\"missing\":[]");
  }

  private String member(String object, int rank) {
    return wait(
        object,
        TYPES[0],
        "barrier",
        "barrier()",
        "\"awaitedObject\":\"\",\"awaitedNode\":\"\",\"awaitedMethod\":\"\"",
        28,
        text("group", "g1") + "," + number("rank", rank) + ",\"size\":16,\"missing\":[7]");
  }

  private String wait(
      String object,
      String type,
      String kind,
      String awaited,
      String end,
      int seconds,
      String group) {
    return "{%s,%s,%s,%s,%s,%s,%s,%s,%s,%s}"
        .formatted(
            text("object", object),
            text("type", type),
            text("serving", "step(double)"),
            text("kind", kind),
            text("awaited", awaited),
            end,
            number("waitingSeconds", seconds + round),
            number("leastSeconds", round),
            text("line", "Solver.step(Solver.java:" + (10 + seconds) + ")"),
            group);
  }

  private void pairs(int i) {
    for (var k = 1; k <= (isTroubled ? 5 : 3); k++) {
      var peer = (i + (isTroubled ? k * k : k * 37)) % nodes;
      if (peer != i) {
        add(
            "pair",
            text("node", name(i)),
            text("peer", name(peer)),
            text("driver", k == 1 ? "shm" : k < 4 ? "tcp" : "tls"),
            number("messages", (long) (900 * (round + 1)) / k + i),
            number("bytes", (long) 4_000_000 * (round + 1) / (k * k) + 1000L * i),
            number("resets", k == 4 && i == 3 ? 2 : 0),
            number("roundTripSeconds", k == 1 ? 0.000007 : 0.0002 * k));
      }
    }
  }

  private void failures() {
    failure(
        "a2",
        "one-way",
        METHODS[6][1],
        "java.io.IOException",
        "Monitor.report(Monitor.java:77)",
        12 + round,
        "disk quota exceeded: /scratch/run");
    failure(
        "b3",
        "one-way",
        METHODS[6][1],
        "java.io.IOException",
        "Monitor.report(Monitor.java:77)",
        5,
        "disk quota exceeded: /scratch/run");
    failure(
        "c1",
        "unclaimed",
        METHODS[4][1],
        "java.lang.IllegalStateException",
        "Collector.write(Collector.java:31)",
        2,
        HOSTILE);
    failure(
        "c2",
        "refused-type",
        "add(acme.io.Frame)",
        "",
        "",
        1,
        "class org.other.Thing is not allowed");
    failure("b4", "death", "b4", "", "", 1, "its process ended with signal 9 (killed)");
  }

  private void failure(
      String node,
      String cause,
      String call,
      String exception,
      String frame,
      int count,
      String example) {
    add(
        "failure",
        text("node", node),
        text("cause", cause),
        text("call", call),
        text("exception", exception),
        text("frame", frame),
        number("count", count),
        number("firstMillis", START + 5000),
        number("lastMillis", now() - 2000),
        text("example", example));
  }

  private void events() {
    var number = 0;
    for (var i = 0; i < Math.min(nodes, 300); i++) {
      if (!isTroubled || i != 11) {
        event(number++, 1000L + 40L * i, "joined", name(i), "");
      }
    }
    if (isTroubled) {
      event(number++, 21_000, "archive", "b1", "solver.jar from main, 3.1 MB");
      event(
          number++,
          30_000,
          "reset",
          "a4",
          "the connection to c1 broke and was replaced: Connection reset");
      event(
          number,
          52_000,
          "left",
          "b4",
          """
          its process ended with signal 9 (killed), as when memory runs out
          host: host3, process 2007, 41 s after its start
          scheduler: job 4241 OUT_OF_MEMORY, step 4241.0 exceeded its memory of 2 GiB
          heap: 981 MiB of 1024 MiB at the last heartbeat, resident 2.1 GiB
          last output:
            step 1200 of 10000
            step 1201 of 10000
          """);
      add(
          "cycle",
          text("node", "c2"),
          number("number", 1),
          number("timeMillis", START + 55_000),
          text(
              "text",
              """
              these waits could never end:
                - a Monitor on node 'c2' waits for Slot.claim(Duration) on node 'c3'
                - a Slot on node 'c3' waits for Monitor.report(String) on node 'c2', which is the first of this list
              Use ask(...) and return instead of waiting, or make the called method @Immediate
              """));
    }
  }

  private void event(int number, long after, String event, String node, String text) {
    add(
        "event",
        number("number", number),
        number("timeMillis", START + after),
        text("event", event),
        text("node", node),
        text("text", text.strip()));
  }

  private void jobs() {
    job("lyon", "12", "ssh", "", "running", "", START + 500, 0, 4, "");
    job(
        "delft",
        "18",
        "slurm",
        "4241",
        "running",
        "RUNNING on host2, host3",
        START + 2000,
        900,
        3,
        "module load gcc\nsolver: 4 nodes");
    job(
        "vienna",
        "24",
        "slurm",
        "4242",
        "queued",
        "PENDING: Priority, 3rd in queue",
        0,
        1800,
        3,
        "");
  }

  private void job(
      String id,
      String line,
      String system,
      String job,
      String state,
      String reason,
      long startMillis,
      int limitSeconds,
      int joined,
      String output) {
    var printed = output.isEmpty() ? "" : "\"" + String.join("\",\"", output.split("\n")) + "\"";
    add(
        "job",
        text("element", "grid.xml:" + line + ":5"),
        number("first", 0),
        text("id", id),
        text("system", system),
        text("command", "#!/bin/sh\n#SBATCH --nodes=4\n#SBATCH --time=00:15:00\nsrun java ..."),
        "\"jvmOptions\":[\"-Xmx1g\",\"-Dmesh=fine\"]",
        text("job", job),
        text("state", state),
        text("reason", reason),
        number("submitMillis", START),
        number("startMillis", startMillis),
        number("endMillis", 0),
        number("limitSeconds", limitSeconds),
        number("nodesAsked", 4),
        number("nodesGranted", startMillis > 0 ? 4 : 0),
        number("jvms", 4),
        number("joined", joined),
        number("stagedBytes", 31_000_000),
        number("stagedFiles", 3),
        number("cachedFiles", 12),
        number("stagingSeconds", 2.4),
        "\"output\":[" + printed + "]");
  }

  private void groups() {
    add(
        "collective",
        text("group", "g1"),
        text("type", TYPES[0]),
        number("size", 16),
        text("operation", "barrier()"),
        "\"arrived\":[0,1,2,3,4,5,6,8,9,10,11,12]",
        "\"missing\":[7]",
        number("waitingSeconds", 28 + round));
    // Waits five rounds of six, mostly for the same member.
    var turn = round % 6;
    var isOver = turn == 5;
    add(
        "collective",
        text("group", "g2"),
        text("type", TYPES[1]),
        number("size", 4),
        text("operation", isOver ? "" : "allReduce"),
        "\"arrived\":" + (isOver ? "[]" : "[0,1]"),
        "\"missing\":" + (isOver ? "[]" : round / 6 == 1 ? "[2]" : "[3]"),
        number("waitingSeconds", isOver ? 0 : 1 + turn));
    if (round == 0) {
      operation("a1", "g2", "allReduce", "ring", 40_960);
      operation("a2", "g2", "allReduce", "ring", 40_960);
      operation("a1", "g2", "broadcast", "scatter-all-gather", 819_200);
      operation("a1", "g3", "scan", "", 0);
    }
  }

  private void operation(
      String node, String group, String operation, String algorithm, long bytes) {
    add(
        "operation",
        text("node", node),
        text("group", group),
        text("type", TYPES[1]),
        number("size", 4),
        text("operation", operation),
        text("algorithm", algorithm),
        number("parts", 20),
        number("bytes", bytes));
  }

  /** Returns the lines of a round with the past of a node. */
  List<String> past() {
    var times = new StringJoiner(",");
    var ones = new StringJoiner(",");
    for (var k = 0; k < 20; k++) {
      times.add(Long.toString(START + 2000L * k));
      ones.add("1");
    }
    add(
        "vitals",
        text("node", name(0)),
        "\"timeMillis\":[" + times + "]",
        "\"cores\":[" + ones + "]",
        "\"served\":[" + ones + "]");
    add("round", number("timeMillis", now()));
    return taken();
  }

  private void add(String kind, String... fields) {
    lines.add("{\"record\":\"" + kind + "\"," + String.join(",", fields) + "}");
  }

  private List<String> taken() {
    var taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  private static String number(String name, double value) {
    return value == Math.rint(value)
        ? "\"%s\":%d".formatted(name, (long) value)
        : String.format(Locale.ROOT, "\"%s\":%.7f", name, value);
  }

  private static String text(String name, String value) {
    var escaped =
        value
            .replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\u001b", "\\u001b");
    return "\"" + name + "\":\"" + escaped + "\"";
  }
}
