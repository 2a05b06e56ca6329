package org.troupe.dashboard;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.pages.PageAnswer;
import org.troupe.pages.PageException;
import org.troupe.pages.PageFile;
import org.troupe.pages.PageOptions;
import org.troupe.pages.PageRequest;
import org.troupe.pages.PageServer;
import org.troupe.pages.PageSite;

/** The page with the stream of a {@link SampleRun}, served as the dashboard serves it. */
final class SamplePage implements AutoCloseable {

  /** Whether the files of the views have come that the page loads after its first picture. */
  static final String HAS_ALL_VIEWS =
      "['map', 'panels', 'traffic', 'pair', 'calls', 'waits', '../timescale'].every(file => performance.getEntriesByName(new URL('views/' + file + '.js', location.href).href).length)";

  private static final String RUN = "20261127-1";
  private static final long STARTED = 1_795_000_000_000L;
  private static final String ONE_RUN =
      "{\"id\":\"%s\",\"program\":\"acme.solver.Main\",\"startedMillis\":%d,\"isRunning\":%s,\"file\":\"\"}";
  private static final String SETTINGS =
      """
      {"java":"25.0.3+9 in /usr/lib/jvm/jdk-25","system":"Linux 6.1","transport":"ibis","drivers":["shm","tls"],"jvmOptions":["-Xmx1g"],
       "variables":[{"name":"nodes","value":"12","origin":"command line, grid.xml:3:5"}],
       "descriptor":[{"name":"infrastructure.lyon.hosts[0]","value":"host0","origin":"grid.xml:12:5"}],
       "properties":[{"name":"troupe.observe","value":"times","origin":"property of the program"},{"name":"db.password","value":"(hidden)","origin":"property of the program"}]}
      """;

  private static final String OBJECT =
      """
      {"object":"a1/2","type":"acme.solver.Solver","node":"a3","queued":2,"serving":[{"method":"step(double)","caller":"main","seconds":4.5}],
       "queue":[{"method":"exchange(acme.mesh.Halo)","caller":"a2/2","seconds":-1},{"method":"energy()","caller":"main","seconds":-1}],
       "waiting":null,"groups":[{"group":"g1","type":"acme.solver.Solver","rank":3,"size":16}],"names":["first"],"key":"","moves":1,"restarts":0,"options":"",
       "parallelism":1,"threads":"a platform thread, as its requests compute for long","holders":["a2","main"]}
      """;

  private static final String FUTURES =
      """
      {"pending":[{"method":"Solver.step(double)","type":"acme.solver.Solver","object":"a1/2","node":"a3","madeBy":"b1/4","madeOn":"b1","line":"acme.control.Monitor.report(Monitor.java:77)","isAwaited":true,"seconds":75},
       {"method":"Solver.energy()","type":"acme.solver.Solver","object":"a1/5","node":"a1","madeBy":"","madeOn":"main","line":"","isAwaited":false,"seconds":0.5}],
       "owed":[{"future":"Solver.energy() on node 'a1'","node":"main","to":"c2"}],"more":4,"silent":["b2"]}
      """;

  private static final String PAIR =
      """
      {"methods":[{"type":"acme.solver.Solver","method":"exchange(acme.mesh.Halo)","calls":41200},{"type":"acme.io.Collector","method":"add(acme.io.Frame)","calls":7}],
       "moreMethods":2,"moreCalls":9,"unacknowledged":{"messages":12,"slices":3,"bytes":25165824},
       "addresses":{"local":"10.0.0.1:40312","remote":"10.0.0.7:4711","file":""}}
      """;

  private static final List<String> PANELS =
      List.of(
          "{\"record\":\"begin\",\"version\":1,\"intervalSeconds\":1,\"isWhole\":true}",
          WatchCodec.line(
              new WatchRecord.Panel(
                  "heat",
                  List.of(new PanelItem.Fact("step", "20 of 1,000")),
                  List.of(
                      new PanelItem.Curve(
                          "error",
                          new PanelItem.Axis("t", "s"),
                          new PanelItem.Axis("error", "V/m"),
                          List.of(0.0, 1e-9, 2e-9),
                          List.of(2e-3, 1e-3, 5e-4))),
                  List.of(
                      PanelItem.Picture.of(
                          "plate", "step 20", "K", 3, 1, new float[] {-2, Float.NaN, 1}),
                      PanelItem.Picture.of("plate", "plate now", "K", 1, 1, new float[] {1}),
                      PanelItem.Picture.ofParts(
                          "parts", "", 2, 1, new int[] {0, 1}, List.of("a1", "<b>a2</b>"))),
                  List.of("node 'b4' was lost"),
                  List.of("stop"),
                  "",
                  false)),
          "{\"record\":\"panel\",\"panel\":\"damaged\",\"facts\":[],\"curves\":[],\"pictures\":[{\"title\":\"nothing\",\"note\":\"\",\"unit\":\"\",\"width\":0,\"height\":0,\"largest\":0,\"pixels\":\"\",\"labels\":[]}],\"lines\":[],\"buttons\":[],\"failure\":\"\"}",
          WatchCodec.line(
              new WatchRecord.Panel(
                  "broken",
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of(),
                  "java.lang.IllegalStateException: no data",
                  true)),
          "{\"record\":\"round\",\"cursor\":\"panels-1\",\"timeMillis\":1795000090000}");

  private static final String RECORDING =
      "{\"record\":\"recording\",\"takenMillis\":1795000000000,\"reason\":\"the program failed: no <b>mesh\",\"leftOut\":3}";

  private static final List<String> TRACE =
      List.of(
          "{\"record\":\"begin\",\"version\":1,\"timeMillis\":1795000080000,\"seconds\":5}",
          "{\"record\":\"node\",\"node\":\"a1\"}",
          "{\"record\":\"call\",\"node\":\"a1\",\"object\":77,\"type\":\"acme.solver.Solver\",\"method\":\"Solver.step(double)\",\"caller\":4,\"callerType\":\"acme.control.Monitor\",\"callerNode\":\"b1\",\"callId\":9,\"acceptedNanos\":1000000,\"beganNanos\":3000000,\"endedNanos\":2003000000,\"hasFailed\":true,\"isOneWay\":false}",
          "{\"record\":\"wait\",\"node\":\"a1\",\"object\":77,\"type\":\"acme.solver.Solver\",\"awaited\":\"exchange(Halo) on node 'b2'\",\"beganNanos\":500000000,\"endedNanos\":1500000000}",
          "{\"record\":\"end\",\"entries\":2,\"dropped\":3,\"isFull\":false,\"silent\":[]}");

  private static final List<String> PROFILE =
      List.of(
          "{\"record\":\"stack\",\"stack\":\"a1;Solver;acme.solver.Solver.step;acme.solver.Kernel.apply\",\"samples\":90}",
          "{\"record\":\"stack\",\"stack\":\"a1;Solver;acme.solver.Solver.step;acme.solver.Solver.exchange;java.lang.Math.sin\",\"samples\":60}",
          "{\"record\":\"stack\",\"stack\":\"b1;Solver;acme.solver.Solver.step;acme.solver.Kernel.apply\",\"samples\":20}",
          "{\"record\":\"stack\",\"stack\":\"b1;Collector;acme.io.Collector.write\",\"samples\":10}",
          "{\"record\":\"stack\",\"stack\":\"b1;threads;java.lang.Thread.run;acme.io.Poller.poll\",\"samples\":20}",
          "{\"record\":\"end\",\"nodes\":12,\"samples\":203,\"dropped\":3,\"isFull\":false,\"missing\":[\"b2: it did not answer within 20 s\"]}");

  private final List<String> recorded = new ArrayList<>();
  private final List<String> acts = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final PageServer server;
  private volatile List<String> report = List.of(); // instead of the stream, after the end
  private volatile boolean arePollsOpen;
  private volatile String runs = "[" + run(RUN, STARTED, true) + "]";

  /** Opens the page of a run; the stream sends so many rounds at once, and stays open. */
  SamplePage(SampleRun run, int rounds) {
    var past = run.past();
    recorded.addAll(run.begin());
    for (var i = 0; i < rounds; i++) {
      recorded.addAll(run.nextRound());
    }
    var resources =
        PageFile.ofResources(name -> Dashboard.class.getResourceAsStream("page/" + name));
    server =
        PageServer.open(
            PageOptions.standard(),
            PageSite.of(
                    path ->
                        path.equals("recorded.html") ? recorded(resources) : resources.apply(path))
                .looking("api/runs", request -> PageAnswer.json(runs))
                .looking("api/watch", request -> watch(request, past))
                .looking("api/logs", request -> stream(logs()))
                .looking("api/settings", request -> PageAnswer.json(SETTINGS))
                .looking("api/stacks", request -> PageAnswer.json(stacks()))
                .looking(
                    "api/about", request -> PageAnswer.json("{\"requests\":7,\"sentBytes\":12345}"))
                .looking(
                    "api/trace", request -> PageAnswer.lines(sink -> TRACE.forEach(sink::send)))
                .looking(
                    "api/trace.pftrace",
                    request -> PageAnswer.text(200, "began " + request.text("began")))
                .looking(
                    "api/profile", request -> PageAnswer.lines(sink -> PROFILE.forEach(sink::send)))
                .looking("api/futures", request -> PageAnswer.json(FUTURES))
                .looking("api/pair", this::pair)
                .looking("api/object", request -> PageAnswer.json(OBJECT))
                .acting(
                    "api/press",
                    request -> act("press " + request.text("panel") + " " + request.text("button")))
                .acting("api/release", request -> act("release " + request.text("node")))
                .acting(
                    "api/heap-dump",
                    request -> {
                      act("heap-dump " + request.text("node"));
                      return PageAnswer.json(
                          "{\"done\":\"the heap is in /home/me/"
                              + request.text("node")
                              + "-1.hprof on host1, 7 MiB\",\"silent\":[]}");
                    })
                .acting(
                    "api/log-level",
                    request ->
                        act(
                            "log-level "
                                + request.text("node")
                                + " "
                                + request.text("logger")
                                + " "
                                + request.text("level")))
                .acting("api/observe", request -> act("observe " + request.text("tier"))));
  }

  /** Returns the page with the lines of the stream in it. */
  private PageFile recorded(Function<String, PageFile> resources) {
    var page = resources.apply("index.html");
    var data =
        "<script type=\"application/x-ndjson\" id=\"recording\">\n"
            + RECORDING.replace("<", "\\u003c")
            + "\n"
            + recorded.getFirst().replace("<", "\\u003c")
            + "\n"
            + PANELS.get(1).replace("<", "\\u003c")
            + "\n"
            + String.join("\n", recorded.subList(1, recorded.size())).replace("<", "\\u003c")
            + "\n{\"record\":\"log\",\"node\":\"a1\",\"timeMillis\":1795000000000,\"level\":\"info\",\"text\":\"the last line\"}"
            + "\n</script>";
    var html =
        new String(page.bytes(), StandardCharsets.UTF_8).replace("<body>", "<body>\n" + data);
    return new PageFile(page.type(), html.getBytes(StandardCharsets.UTF_8));
  }

  private PageAnswer stream(List<String> lines) {
    return PageAnswer.lines(
        sink -> {
          for (var line : lines) {
            if (!sink.send(line)) {
              return;
            }
          }
          sink.flush();
          try {
            end.await();
          } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("the browser has gone").initCause(e);
          }
        });
  }

  private PageAnswer watch(PageRequest request, List<String> past) {
    if (!request.has("poll") || request.has("rows") || arePollsOpen) {
      return stream(watched(request, past));
    }
    var lines = request.has("cursor") ? List.of(recorded.getLast()) : recorded;
    return PageAnswer.lines(sink -> lines.forEach(sink::send));
  }

  /** Lets requests for single rounds wait for ever, as those for streams. */
  void leavePollsOpen() {
    arePollsOpen = true;
  }

  private List<String> watched(PageRequest request, List<String> past) {
    if (!report.isEmpty()) {
      return report;
    }
    if (request.has("cursor")) {
      return unlessEnded();
    }
    return request.text("rows").equals("panels") ? PANELS : request.has("rows") ? past : recorded;
  }

  private List<String> unlessEnded() {
    if (end.getCount() == 0) {
      throw new PageException(PageException.MISSING, "there is no such run now", "choose another");
    }
    return List.of();
  }

  /** Ends the run: its streams end, and it is not found any more. */
  void endRun() {
    end.countDown();
  }

  /** Ends the run, of which a report is kept. */
  void endRunWithReport() {
    List<String> lines = new ArrayList<>(recorded);
    lines.add(1, RECORDING);
    report = lines;
    end.countDown();
  }

  /** Lists another run that goes on, and two that have ended. */
  void listMoreRuns() {
    var all =
        List.of(
            run("20261126-9", STARTED - 86_400_000, false),
            run(RUN, STARTED, true),
            run("20261127-2", STARTED + 2000, false),
            run("20261127-3", STARTED + 5000, true));
    runs = "[" + String.join(",", all) + "]";
  }

  private static String run(String id, long startedMillis, boolean isRunning) {
    return ONE_RUN.formatted(id, startedMillis, isRunning);
  }

  private PageAnswer pair(PageRequest request) {
    acts.add("pair " + request.text("node") + " " + request.text("peer"));
    return PageAnswer.json(PAIR);
  }

  private PageAnswer act(String what) {
    acts.add(what);
    return PageAnswer.json("{\"done\":\"yes\"}");
  }

  /** Returns the lines of the stream. */
  List<String> recorded() {
    return recorded;
  }

  /** Returns what the page has asked to be done. */
  List<String> acts() {
    return acts;
  }

  String address() {
    return server.address();
  }

  /** Returns the address of the page as a recording, without a token. */
  String addressOfRecording() {
    var address = server.address();
    return address.substring(0, address.indexOf('#')) + "recorded.html";
  }

  private static List<String> logs() {
    return IntStream.range(0, 3000)
        .mapToObj(
            i ->
                "{\"node\":\"a%d\",\"timeMillis\":%d,\"level\":\"%s\",\"text\":\"%s\"}"
                    .formatted(
                        i % 4 + 1,
                        1_795_000_000_000L + 37L * i,
                        i % 50 == 49 ? "error" : i % 20 == 0 ? "warning" : "info",
                        i % 50 == 49
                            ? "step " + i + " failed: <b>no</b> convergence"
                            : "step " + i + " of 10000"))
        .toList();
  }

  private static String stacks() {
    var text =
        IntStream.rangeClosed(1, 3)
            .mapToObj(
                i ->
                    """
                    == node 'a%d' on host%d
                    acme.solver.Solver (number 2): 3 queued

                    28769
                    2026-11-27T09:13:01Z
                    25.0.3

                    #3 "main" WAITING 2026-11-27T09:13:01Z
                        at java.base/jdk.internal.misc.Unsafe.park(Native Method)
                        at org.troupe.deployment.NodeMain.main(NodeMain.java:12)

                    #41 "" virtual WAITING 2026-11-27T09:13:01Z
                        at java.base/java.lang.VirtualThread.park(VirtualThread.java:1)
                        at acme.solver.Solver.exchange(Solver.java:57)
                        at acme.solver.Solver.step(Solver.java:40)

                    """
                        .formatted(i, i))
            .collect(Collectors.joining());
    return "{\"text\":\"" + text.replace("\"", "\\\"").replace("\n", "\\n") + "\"}";
  }

  @Override
  public void close() {
    end.countDown();
    server.close();
  }
}
