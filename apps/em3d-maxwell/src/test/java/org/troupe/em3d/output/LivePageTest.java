package org.troupe.em3d.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.display.OutputSpec;
import org.troupe.em3d.maxwell.SignalSpectrum;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.problem.ProblemSetup;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.StateArchive;
import org.troupe.em3d.views.FieldSlice;
import org.troupe.testing.Browser;

/** A run of two nodes on its page: what a browser is given, and what its buttons do. */
@Timeout(120)
public class LivePageTest {

  private static final int MANY = 10_000_000;
  private static final int REST = 20;

  private final HttpClient client = HttpClient.newHttpClient();
  private final LocalNodes nodes = LocalNodes.start(2);
  private LivePage page;
  private Simulation simulation;
  private CompletableFuture<Void> run;

  @BeforeEach
  void startARunThatRests() throws IOException {
    var problem = withProbe("cube:9");
    FrameAssembler assembler =
        ActiveObjects.here()
            .create(
                FrameAssembler.class,
                new OutputSpec(0, List.of(), FieldSlice.parse("z=0.3:Ex")),
                "");
    page = new LivePage(assembler, FieldSlice.parse("z=0.3:Ex"), progress -> {});
    simulation =
        new Simulation(
            problem,
            nodes.nodes(),
            ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(0.9), "", ""),
            RunOptions.of(MANY, 0.9),
            page);
    simulation.showTo(assembler);
    page.steers(simulation);
    simulation.pauseAt(REST);
    run = CompletableFuture.runAsync(simulation::run, task -> Thread.ofPlatform().start(task));
  }

  public static MaxwellProblem withProbe(String mesh) {
    var usual = MaxwellProblem.of(mesh, "2x1x1", 1);
    return MaxwellProblem.of(
        mesh,
        usual.whole(),
        new ProblemSetup(
            "",
            0,
            usual.physics(),
            usual.start(),
            List.of(
                new FieldMonitor.Probe("probe", 1, new Vector3(0.5, 0.5, 0.5), new int[] {400})),
            List.of(),
            List.of(),
            List.of()),
        "2x1x1",
        1,
        MeshPartitioner.AUTO);
  }

  @AfterEach
  void end() throws Exception {
    if (!run.isDone()) {
      post("command?do=stop", "act");
      run.get(60, TimeUnit.SECONDS);
    }
    page.close();
    client.close();
    nodes.close();
  }

  @Test
  void isForThoseWhoKnowItsAddress() throws Exception {
    var origin = URI.create(page.address().replaceFirst("#.*", ""));

    assertThat(origin.getHost()).isEqualTo("127.0.0.1");
    for (var stranger : List.of("state", "state?token=AAAAAAAAAAAAAAAAAAAAAA", "frame", "parts")) {
      var answer = send(HttpRequest.newBuilder(origin.resolve(stranger)).build());
      assertThat(answer.statusCode()).as(stranger).isEqualTo(401);
    }
    assertThat(post("command?do=stop", "token").statusCode()).isEqualTo(403);
    assertThat(get("").body()).contains("<title>em3d</title>").doesNotContain("http://");
    assertThat(get("live.js").body()).contains("sessionStorage");
    assertThat(get("live.html").statusCode()).isEqualTo(404);
    assertThat(get("command?do=stop").statusCode()).isEqualTo(405);
    assertThat(post("command?do=dance", "act").statusCode()).isEqualTo(400);
  }

  @Test
  void waitsForNoRequestForEver() throws Exception {
    try (var impatient =
        new LivePage(null, FieldSlice.parse("z=0.3:Ex"), progress -> {}, Duration.ofMillis(100))) {
      var address = URI.create(impatient.address());

      assertThat(answer(address, "GET / HTTP/1.1\r\nHost: 127")).isEmpty();
    }
  }

  private static String answer(URI address, String request) throws IOException {
    try (var socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void showsTheRunAndSteersIt() throws Exception {
    var resting =
        awaitState(text -> text.contains("\"paused\"") && text.contains("\"frame\": " + REST));
    var parts = get("parts").body();
    var frame = frame();

    assertThat(resting)
        .contains("\"slice\": \"Ex in V/m at z = 0.3 m\"", "\"isOver\": false")
        .contains("\"step\": 20, \"lastStep\": 10000000")
        .containsPattern("\"energies\": \\[(\\[(0|10), 1\\.\\d+E-12](, )?)+]")
        .containsPattern("\"nodes\": \\[\"[^\"]+\", \"[^\"]+\"]");
    assertThat(parts).contains("\"width\": 128, \"height\": 128").contains("0", "1");
    assertThat(frame.getInt()).isEqualTo(REST);
    assertThat(frame.getInt()).isEqualTo(128);
    assertThat(frame.getInt()).isEqualTo(128);
    assertThat(frame.getFloat()).isBetween(0.1f, 1f);
    assertThat(frame.remaining()).isEqualTo(128 * 128 * Float.BYTES);

    post("command?do=resume", "act");
    awaitState(text -> text.contains("\"running\"") && !text.contains("\"frame\": " + REST));
    post("command?do=pause", "act");
    awaitState(text -> text.contains("\"paused\""));
    post("command?do=stop", "act");
    run.get(60, TimeUnit.SECONDS);

    var report = simulation.report("in-process", Set.of(), List.of());
    assertThat(report.steps()).isBetween(REST + 1, MANY - 1);
    assertThat(report.toTable()).containsPattern("stopped at step [\\d,]+ of 10,000,000");
    assertThat(report.segments().getLast().end()).startsWith("stopped at step ");
    assertThat(get("state").body()).contains("\"phase\": \"stopping\"");
    CompletableFuture.runAsync(() -> page.end("stopped"), task -> Thread.ofPlatform().start(task));
    awaitState(text -> text.contains("\"stopped\"") && text.contains("\"isOver\": true"));
  }

  @Test
  void worksInABrowser() throws Exception {
    var work = Path.of("target", "browser-" + ProcessHandle.current().pid());
    try (var browser = Browser.openOrSkip(work)) {
      browser.show(page.address().replaceFirst("#.*", ""));
      assertThat(browser.await("text('phase').includes('token')", "text('phase')"))
          .contains("the request has no token; open the address that was printed");
      var fragment = page.address().replaceFirst(".*#", "#");
      browser.await("true", "location.hash = '" + fragment + "'");

      assertThat(browser.await("document.body.dataset.frame === '20'", "text('step')"))
          .isEqualTo("step 20 of 10000000");
      assertThat(browser.await("text('phase') === 'paused'", "text('nodes')"))
          .contains("1 sub-domain", "% halo wait");
      assertThat(browser.await("true", "colours('slice') > 20 && colours('parts') === 2"))
          .isEqualTo("true");
      assertThat(
              browser.await("!document.getElementById('spectrum').hidden", "text('spectrumTitle')"))
          .startsWith("spectrum of probe: E");
      browser.await("true", "document.getElementById('resume').click()");
      browser.await("document.body.dataset.frame > 20", "0");
      browser.await("true", "document.getElementById('stop').click()");
      run.get(60, TimeUnit.SECONDS);
    }
    assertThat(simulation.report("in-process", Set.of(), List.of()).steps()).isLessThan(MANY);
  }

  @Test
  void thinsOutTheEnergiesOfALongRun() {
    var energies = new TreeMap<Integer, Double>();
    for (var step = 0; step < 6; step++) {
      energies.put(10 * step, 0.5);
    }

    LivePage.thinOut(energies);

    assertThat(energies).containsOnlyKeys(0, 20, 40, 50);
  }

  @Test
  void itsSpectrumEndsWhereThatOfThePictureDoes() {
    var samples = new double[500]; // the highest resonance is not all there is to see
    Arrays.setAll(samples, k -> Math.cos(0.3 * k) + 5 * Math.exp(-Math.pow((k - 250) / 1.5, 2)));
    var spectrum = SignalSpectrum.of(samples, 1, 8);

    var points = LivePage.points(spectrum);

    var last = points.getLast().getFirst() * 2 * Math.PI / spectrum.spacing();
    assertThat(points).hasSizeLessThan(1000);
    assertThat(Math.round(last)).isBetween(spectrum.shown() - 2L, spectrum.shown() - 1L);
  }

  private String awaitState(Predicate<String> wanted) throws Exception {
    for (; ; ) { // until the test's own time limit
      var state = get("state?since=-1").body();
      if (wanted.test(state)) {
        return state;
      }
    }
  }

  private ByteBuffer frame() throws Exception {
    var bytes = client.send(request("frame", "token").build(), BodyHandlers.ofByteArray()).body();
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private HttpRequest.Builder request(String what, String token) {
    var address = URI.create(page.address());
    var bearer = address.getFragment().replaceFirst(".*\\b" + token + "=([^&]*).*", "$1");
    return HttpRequest.newBuilder(address.resolve("/" + what))
        .header("Authorization", "Bearer " + bearer);
  }

  private HttpResponse<String> get(String what) throws Exception {
    return send(request(what, "token").build());
  }

  private HttpResponse<String> post(String what, String token) throws Exception {
    return send(request(what, token).POST(BodyPublishers.noBody()).build());
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }
}
