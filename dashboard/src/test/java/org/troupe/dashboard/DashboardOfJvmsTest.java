package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.pages.PageException;
import org.troupe.pages.PageOptions;
import org.troupe.testing.QuickJvm;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers to the page about a run of two JVMs. */
@Timeout(120)
class DashboardOfJvmsTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final CountDownLatch PRINTED = new CountDownLatch(1);

  private static Grid grid;
  private static String name; // of a node
  private static Dashboard dashboard;
  private static HttpClient browser;

  /** An active object. */
  public static class Printer {

    public int print(String line) {
      System.out.println(line);
      return line.length();
    }
  }

  /** An active object that computes. */
  public static class Computer {

    private final CountDownLatch isTold = new CountDownLatch(1);

    public boolean waitUntilTold() throws InterruptedException {
      isTold.await();
      return true;
    }

    @Immediate
    public void stop() {
      isTold.countDown();
    }

    public double compute() {
      var end = System.nanoTime() + 100_000_000;
      var sum = 0.0;
      while (System.nanoTime() - end < 0) {
        sum += Math.sin(sum + 1);
      }
      return sum;
    }
  }

  @BeforeAll
  static void startARun() throws Exception {
    grid =
        Grid.local(
            2,
            GridOptions.standard()
                .withOutput(
                    line -> {
                      if (line.text().contains("hello")) {
                        PRINTED.countDown();
                      }
                    })
                .withJvmOptions(List.of("-Dmy.password=xyzzy")));
    name = grid.nodes().first().name();
    var printer = ActiveObjects.on(grid.nodes().first()).create(Printer.class);
    assertThat(printer.print("WARNING: <b>hello</b>")).isEqualTo(21);
    PRINTED.await();
    dashboard = Dashboard.open(PageOptions.standard(), List.of());
    browser = HttpClient.newHttpClient();
  }

  @AfterAll
  static void end() {
    browser.shutdownNow();
    dashboard.close();
    grid.close();
  }

  private static String token(String address, String kind) {
    return URI.create(address).getFragment().replaceFirst(".*\\b" + kind + "=([^&]*).*", "$1");
  }

  private static HttpRequest.Builder request(String path, String token) {
    var address = dashboard.address();
    return HttpRequest.newBuilder(URI.create(address.replaceFirst("#.*", "")).resolve(path))
        .header("Authorization", "Bearer " + token(address, token));
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return browser.send(request(path, "token").build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String path) throws Exception {
    return browser.send(
        request(path, "act").POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString());
  }

  private static String of(String what) {
    return "api/" + what + (what.contains("?") ? "&" : "?") + "run=" + grid.run();
  }

  private static List<JsonNode> records(String lines) {
    return lines.lines().filter(line -> !line.isEmpty()).map(JSON::readTree).toList();
  }

  private static String kind(JsonNode it) {
    return it.path("record").asString("");
  }

  @Test
  void listsTheRuns() throws Exception {
    var runs = JSON.readTree(get("api/runs").body());

    assertThat(runs)
        .anySatisfy(
            run -> {
              assertThat(run.path("id").asString()).isEqualTo(grid.run());
              assertThat(run.path("isRunning").asBoolean()).isTrue();
              assertThat(run.path("startedMillis").asLong()).isPositive();
              assertThat(run.has("program") && run.has("file")).isTrue();
            });
  }

  @Test
  void streamsRoundsUntilThePageLeaves() throws Exception {
    var answer = browser.send(request(of("watch"), "token").build(), BodyHandlers.ofInputStream());
    List<String> kinds = new ArrayList<>();
    try (var in =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      for (var rounds = 0; rounds < 2; ) {
        var kind = kind(JSON.readTree(in.readLine()));
        kinds.add(kind);
        rounds += kind.equals("round") ? 1 : 0;
      }
    }

    assertThat(kinds).startsWith("begin", "node", "node", "node").endsWith("round");
    assertThat(kinds).contains("method", "event");
  }

  @Test
  void answersOneRoundToAPoll() throws Exception {
    var whole = records(get(of("watch?poll")).body());
    var cursor = whole.getLast().path("cursor").asString();

    var rest = records(get(of("watch?poll&rows=nodes&cursor=" + cursor)).body());

    assertThat(whole).extracting(DashboardOfJvmsTest::kind).startsWith("begin").endsWith("round");
    assertThat(rest.getFirst().path("isWhole").asBoolean()).isFalse();
    assertThat(rest)
        .extracting(DashboardOfJvmsTest::kind)
        .containsOnlyOnce("begin", "round")
        .doesNotContain("event", "method");
  }

  @Test
  void passesOnStatusStacksAndJobs() throws Exception {
    var status = JSON.readTree(get(of("status")).body());
    var stacks = JSON.readTree(get(of("stacks?node=" + name)).body()).path("text").asString();

    assertThat(status.path("nodes")).hasSize(2);
    assertThat(stacks).startsWith("== node '" + name + "'").doesNotContain("== this program");
    var jobs = JSON.readTree(get(of("jobs")).body());
    assertThat(jobs.isArray()).isTrue();
    assertThat(jobs.get(0).path("jvmOptions").toString()).isEqualTo("[\"-Dmy.password=(hidden)\"]");
  }

  @Test
  void takesOneProfileAtATime() throws Exception {
    var computer = ActiveObjects.on(grid.nodes().first()).create(Computer.class);
    var answers =
        Stream.generate(() -> request(of("profile?seconds=2"), "token").build())
            .limit(2)
            .map(each -> browser.sendAsync(each, BodyHandlers.ofString()))
            .toList();
    while (!answers.stream().allMatch(Future::isDone)) {
      computer.compute();
    }

    var whole = answers.stream().map(CompletableFuture::join).toList();
    assertThat(whole)
        .extracting(HttpResponse::statusCode)
        .containsExactlyInAnyOrder(200, PageException.CONFLICT);
    for (var each : whole) {
      if (each.statusCode() == 200) {
        var lines = records(each.body());
        assertThat(lines)
            .anySatisfy(
                line ->
                    assertThat(line.path("stack").asString(""))
                        .startsWith(name + ";DashboardOfJvmsTest$Computer;")
                        .contains("Computer.compute"));
        assertThat(kind(lines.getLast())).isEqualTo("end");
        assertThat(lines.getLast().path("nodes").asInt()).isEqualTo(3);
        assertThat(lines.getLast().path("samples").asLong()).isPositive();
      } else {
        assertThat(each.body()).contains("another profile is being taken");
      }
    }
  }

  @Test
  void makesAFileOfTheLastTrace() throws Exception {
    var lines = records(get(of("trace?seconds=1")).body());
    var began = lines.getFirst().path("timeMillis").asString();

    var file = get("api/trace.pftrace?began=" + began);
    assertThat(file.statusCode()).as(file.body()).isEqualTo(200);
    assertThat(file.body()).as("its process").contains("main on ");

    var other = get("api/trace.pftrace?began=1" + began);
    assertThat(other.statusCode()).isEqualTo(404);
    assertThat(other.body()).contains("only the last trace", "record again");
  }

  @Test
  void saysWhatAnObjectDoes() throws Exception {
    var row =
        awaited(it -> kind(it).equals("class") && it.path("type").asString("").endsWith("Printer"));
    assertThat(row.path("node").asString()).isEqualTo(name);

    var none = get(of("object?node=" + name + "&number=4711"));
    assertThat(none.statusCode()).as(none.body()).isEqualTo(404);
    assertThat(none.body()).contains("4711", "remedy");
    assertThat(get(of("object?node=" + name + "&number=x")).statusCode()).isEqualTo(400);
  }

  @Test
  void listsTheFuturesThatHaveNotArrived() throws Exception {
    var computer = ActiveObjects.on(grid.nodes().first()).create(Computer.class);
    var answer = ActiveObjects.ref(computer).ask(Computer::waitUntilTold);
    JsonNode pending;
    do {
      pending = JSON.readTree(get(of("futures")).body()).path("pending");
    } while (pending.isEmpty());

    var it = pending.get(0);
    assertThat(it.path("method").asString()).isEqualTo("Computer.waitUntilTold()");
    assertThat(it.path("node").asString()).isEqualTo(name);
    assertThat(it.path("madeOn").asString()).isEqualTo("main");
    assertThat(it.path("line").asString()).contains("DashboardOfJvmsTest.java");
    assertThat(it.path("seconds").asDouble()).isNotNegative();
    ActiveObjects.ref(computer).tell(Computer::stop);
    answer.join();
    assertThat(get(of("futures?node=nobody")).statusCode()).isEqualTo(404);
  }

  @Test
  void namesTheDriverOfTheLinkBetweenANodeAndTheProgram() throws Exception {
    var ends = List.of(name, "main");
    var pair =
        awaited(
            it ->
                kind(it).equals("pair")
                    && ends.contains(it.path("node").asString())
                    && ends.contains(it.path("peer").asString())
                    && !it.path("driver").asString().isEmpty());

    assertThat(pair.path("driver").asString()).isIn("shm", "uds", "tcp", "tls");
  }

  @Test
  void passesOnOutputWithLevelAndTime() throws Exception {
    var lines = records(get(of("logs?node=" + name)).body());

    assertThat(lines)
        .anySatisfy(
            line -> {
              assertThat(line.path("node").asString()).isEqualTo(name);
              assertThat(line.path("level").asString()).isEqualTo("warning");
              assertThat(line.path("text").asString()).isEqualTo("WARNING: <b>hello</b>");
              assertThat(line.path("timeMillis").asLong()).isPositive();
            });
  }

  @Test
  void showsSettingsWithoutSecrets() throws Exception {
    var body = get(of("settings")).body();
    var settings = JSON.readTree(body);

    assertThat(settings.path("transport").asString()).isEqualTo("ibis");
    assertThat(settings.path("descriptor"))
        .anySatisfy(
            each -> {
              assertThat(each.path("name").asString()).startsWith("infrastructure.local.");
              assertThat(each.path("origin").asString()).contains("local(2)");
            });
    assertThat(body).contains("-Dmy.password=(hidden)").doesNotContain("xyzzy");
  }

  @Test
  void changesTheTierWithTheTokenForActions() throws Exception {
    assertThat(post(of("observe?tier=times&seconds=60")).statusCode()).isEqualTo(200);
    var load =
        awaited(
            it ->
                it.path("node").asString("").equals(name)
                    && it.path("load").path("observed").asString("").equals("times"));
    assertThat(load.path("isSilent").asBoolean()).isFalse();

    var wrong = post(of("observe?tier=loud"));
    assertThat(wrong.statusCode()).isEqualTo(409);
    assertThat(wrong.body()).contains("loud", "trace").contains("\"remedy\":");
    assertThat(post(of("observe?tier=times&seconds=-1")).statusCode()).isEqualTo(400);
  }

  @Test
  void showsAPanelOfTheProgramAndPressesItsButton() throws Exception {
    var pressed = new CountDownLatch(1);
    grid.panel(
        "counter",
        () ->
            List.of(
                new PanelItem.Fact("left", Long.toString(pressed.getCount())),
                new PanelItem.Button("count", pressed::countDown),
                new PanelItem.Button("fail", DashboardOfJvmsTest::fail)));
    grid.panel(
        "broken",
        () -> {
          throw new NoSuchElementException("no data");
        });

    List<JsonNode> panels;
    do {
      panels = records(get(of("watch?poll&rows=panels")).body());
    } while (panels.size() < 4); // a round that was made before

    assertThat(panels)
        .extracting(DashboardOfJvmsTest::kind)
        .containsExactly("begin", "panel", "panel", "round");
    var counter = panels.get(1);
    assertThat(counter.path("panel").asString()).isEqualTo("counter");
    assertThat(counter.path("facts").get(0).path("value").asString()).isEqualTo("1");
    assertThat(counter.path("buttons")).hasSize(2);
    assertThat(panels.get(2).path("failure").asString()).contains("NoSuchElementException");
    assertThat(records(get(of("watch?poll")).body()))
        .extracting(DashboardOfJvmsTest::kind)
        .doesNotContain("panel");

    assertThat(post(of("press?panel=counter&button=count")).statusCode()).isEqualTo(200);
    pressed.await();
    assertThat(post(of("press?panel=counter&button=fly")).body())
        .contains("the panel 'counter' has no button 'fly' now");
    assertThat(post(of("press?panel=x&button=count")).body()).contains("has no panel 'x'");
    assertThat(post(of("press?panel=counter&button=fail")).body())
        .contains("'fail' of the panel 'counter' has failed: java.util.NoSuchElementException");
    awaited(it -> it.path("event").asString("").equals("press"));
  }

  private static void fail() {
    throw new NoSuchElementException("nothing to do");
  }

  private static JsonNode awaited(Predicate<JsonNode> wanted) throws Exception {
    for (; ; ) { // until the test's own time limit
      for (var each : records(get(of("watch?poll")).body())) {
        if (wanted.test(each)) {
          return each;
        }
      }
    }
  }

  @Test
  void saysWhatWatchingCosts() throws Exception {
    get(of("watch?poll"));

    var about = JSON.readTree(get("api/about").body());

    assertThat(about.path("rounds").asLong()).isPositive();
    assertThat(about.path("sentBytes").asLong()).isPositive();
    assertThat(about.path("requests").asLong()).isGreaterThan(1);
    assertThat(about.has("cpuSeconds") && about.has("dropped")).isTrue();
  }

  @Test
  void namesWhatIsNotThere() throws Exception {
    var run = get("api/status?run=none");
    assertThat(run.statusCode()).isEqualTo(404);
    assertThat(run.body()).contains("no run 'none'", "api/runs");

    for (var path : List.of("stacks?node=none", "logs?node=none")) {
      var node = get(of(path));
      assertThat(node.statusCode()).as(path).isEqualTo(404);
      assertThat(node.body()).contains("no node 'none'");
    }
    assertThat(get(of("watch?rows=none")).body()).contains("'none'", "nodes");
    var control = get(of("stacks?node=" + URLEncoder.encode("a\tb\n", StandardCharsets.UTF_8)));
    assertThat(control.statusCode()).isEqualTo(400);
    assertThat(post(of("release?node=none")).body()).contains("no node 'none'");
    assertThat(post(of("release")).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cancel",
        "observe?tier=off",
        "release?node=none",
        "press?panel=p&button=b",
        "request?nodes=1",
        "collect?node=none",
        "log-level?level=OFF",
        "heap-dump?node=none"
      })
  void actsWithTheTokenForThatOnly(String action) throws Exception {
    var looking = request(of(action), "token").POST(BodyPublishers.noBody()).build();
    assertThat(browser.send(looking, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    assertThat(
            browser.send(request(of(action), "act").build(), BodyHandlers.ofString()).statusCode())
        .isEqualTo(405);
  }

  @Test
  void collectsTheGarbageOfANode() throws Exception {
    var answer = post(of("collect?node=" + name));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(JSON.readTree(answer.body()).path("done").asString(""))
        .endsWith(" MiB are after the collection");
    assertThat(
            awaited(it -> it.path("event").asString("").equals("collect"))
                .path("node")
                .asString(""))
        .isEqualTo(name);
  }

  @Test
  void refusesActionsWithTheReason() throws Exception {
    var level = post(of("log-level?logger=org.acme&level=LOUD"));
    assertThat(level.statusCode()).isEqualTo(409);
    assertThat(level.body()).contains("there is no log level 'LOUD'", "nothing was done");
    var none = post(of("request?virtualNode=none&nodes=2"));
    assertThat(none.statusCode()).isEqualTo(409);
    assertThat(none.body())
        .contains("nothing is mapped to virtual node 'none'", "nothing was done");
    assertThat(post(of("request?nodes=0")).statusCode()).isEqualTo(400);
    assertThat(post(of("heap-dump")).statusCode()).isEqualTo(400);
  }

  @Test
  void recordsTheRun() throws Exception {
    var lines =
        RunningGrid.all().stream()
            .filter(each -> isOurs(each))
            .findFirst()
            .orElseThrow()
            .recording();

    assertThat(lines)
        .extracting(line -> kind(JSON.readTree(line)))
        .startsWith("begin", "recording")
        .contains("node", "event", "round", "settings", "stacks", "log");
  }

  private static boolean isOurs(RunningGrid other) {
    try {
      return other.identity().run().equals(grid.run());
    } catch (IOException | RuntimeException e) {
      return false; // another program, which has ended or is of another version
    }
  }

  @Test
  void isServedByAProgramThatAsksForItAndTellsNoTokensWithoutATerminal() throws Exception {
    List<String> printed = new ArrayList<>();
    String address;
    Path file;
    try (var other =
        Grid.local(
            1,
            GridOptions.standard()
                .withDashboard()
                .withJvmOptions(QuickJvm.OPTIONS)
                .withOutput(
                    line -> {
                      synchronized (printed) {
                        printed.add(line.text());
                      }
                    }))) {
      address = other.dashboard().orElseThrow();
      assertThat(address).endsWith("&run=" + other.run());
      synchronized (printed) {
        assertThat(printed).noneMatch(line -> line.contains("token="));
        var begin = "dashboard: its address is in ";
        var line = printed.stream().filter(each -> each.startsWith(begin)).findFirst();
        file = Path.of(line.orElseThrow().substring(begin.length()));
      }
      assertThat(file).hasContent(address);
      assertThat(Files.getPosixFilePermissions(file))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
      var runs =
          HttpRequest.newBuilder(URI.create(address.replaceFirst("#.*", "api/runs")))
              .header("Authorization", "Bearer " + token(address, "token"))
              .build();
      assertThat(browser.send(runs, BodyHandlers.ofString()).body()).contains(other.run());
    }
    assertThat(file).doesNotExist();
    var gone = HttpRequest.newBuilder(URI.create(address.replaceFirst("#.*", ""))).build();
    assertThatThrownBy(() -> browser.send(gone, BodyHandlers.ofString()))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void releasesANode() throws Exception {
    var options = GridOptions.standard().withJvmOptions(QuickJvm.OPTIONS);
    try (var other = Grid.local(2, options)) {
      var leaving = other.nodes().list().getLast();
      var left = new CountDownLatch(1);
      other.nodes().onLeave((node, reason) -> left.countDown());

      var answer = post("api/release?run=" + other.run() + "&node=" + leaving.name());

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      left.await();
      assertThat(other.nodes().list()).hasSize(1);
    }
  }
}
