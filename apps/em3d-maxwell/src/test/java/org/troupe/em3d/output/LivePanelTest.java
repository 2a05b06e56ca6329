package org.troupe.em3d.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.model.PanelItem.Button;
import org.troupe.deployment.model.PanelItem.Curve;
import org.troupe.deployment.model.PanelItem.Fact;
import org.troupe.deployment.model.PanelItem.Picture;
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

/** A run of two nodes on its panel: what a page is given, and what its buttons do. */
@Timeout(120)
public class LivePanelTest {

  private static final int MANY = 10_000_000;
  private static final int REST = 20;

  private final LocalNodes nodes = LocalNodes.start(2);
  private final Semaphore progressed = new Semaphore(0);
  private LivePanel panel;
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
    panel = new LivePanel(assembler, FieldSlice.parse("z=0.3:Ex"), _ -> progressed.release());
    simulation =
        new Simulation(
            problem,
            nodes.nodes(),
            ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(0.9), "", ""),
            RunOptions.of(MANY, 0.9),
            panel);
    simulation.showTo(assembler);
    panel.steers(simulation);
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
      press("stop");
      run.get(60, TimeUnit.SECONDS);
    }
    nodes.close();
  }

  @Test
  void showsTheRunAndSteersIt() throws Exception {
    var resting = await(items -> isPaused(items) && noteOfSlice(items).equals("step 20"));

    assertThat(facts(resting)).contains(entry("step", "20 of 10,000,000"));
    assertThat(curve(resting, "energy").xs()).isNotEmpty().isSubsetOf(0.0, 10.0, 20.0);
    var slice = picture(resting, "Ex at z = 0.3 m");
    assertThat(slice.width()).isEqualTo(128);
    assertThat(slice.height()).isEqualTo(128);
    assertThat(slice.unit()).isEqualTo("V/m");
    assertThat(slice.largest()).isBetween(0.1, 1.0);
    assertThat(Base64.getDecoder().decode(slice.pixels())).hasSize(128 * 128 * Short.BYTES);
    assertThat(picture(resting, "sub-domains by node").labels())
        .hasSize(2)
        .allSatisfy(label -> assertThat(label).matches(".+: 1 sub-domain, .+ % halo wait"));

    press("resume");
    await(items -> !isPaused(items) && !noteOfSlice(items).equals("step 20"));
    press("pause");
    await(LivePanelTest::isPaused);
    press("stop");
    run.get(60, TimeUnit.SECONDS);

    var report = simulation.report("in-process", Set.of(), List.of());
    assertThat(report.steps()).isBetween(REST + 1, MANY - 1);
    assertThat(report.toTable()).containsPattern("stopped at step [\\d,]+ of 10,000,000");
    assertThat(report.segments().getLast().end()).startsWith("stopped at step ");
    assertThat(facts(panel.items())).contains(entry("state", "stopping"));
  }

  @Test
  void showsTheEndAndItsLastPicture() throws Exception {
    await(items -> noteOfSlice(items).equals("step 20"));
    press("stop");
    run.get(60, TimeUnit.SECONDS);

    var ending = CompletableFuture.runAsync(() -> panel.end("stopped"), Thread::startVirtualThread);
    var last = await(items -> facts(items).get("state").equals("stopped"));

    panel.items(); // asked again, since the answer has arrived
    ending.get(60, TimeUnit.SECONDS);
    assertThat(noteOfSlice(last)).startsWith("step ");
    assertThat(of(Button.class, last)).isEmpty();
  }

  @Test
  void showsTheSpectrumOfTheFirstProbeWhileAPageAsks() throws Exception {
    var items = await(all -> of(Curve.class, all).count() == 2);

    var spectrum = of(Curve.class, items).skip(1).findFirst().orElseThrow();
    assertThat(spectrum.title()).startsWith("spectrum of probe: E");
    assertThat(spectrum.across()).isEqualTo(new PanelItem.Axis("f", "Hz"));
    assertThat(spectrum.up().unit()).isEqualTo("V/m");
  }

  @Test
  void thinsOutTheEnergiesOfALongRun() {
    var energies = new TreeMap<Integer, Double>();
    for (var step = 0; step < 6; step++) {
      energies.put(10 * step, 0.5);
    }

    LivePanel.thinOut(energies);

    assertThat(energies).containsOnlyKeys(0, 20, 40, 50);
  }

  @Test
  void itsSpectrumEndsWhereThatOfThePictureDoes() {
    var samples = new double[500]; // the highest resonance is not all there is to see
    Arrays.setAll(samples, k -> Math.cos(0.3 * k) + 5 * Math.exp(-Math.pow((k - 250) / 1.5, 2)));
    var spectrum = SignalSpectrum.of(samples, 1, 8);

    var frequencies = LivePanel.curve("probe", spectrum).xs();

    var last = frequencies.getLast() * 2 * Math.PI / spectrum.spacing();
    assertThat(frequencies).hasSizeLessThan(1000);
    assertThat(Math.round(last)).isBetween(spectrum.shown() - 2L, spectrum.shown() - 1L);
  }

  private List<PanelItem> await(Predicate<List<PanelItem>> wanted) throws InterruptedException {
    for (; ; ) { // until the test's own time limit
      var items = panel.items();
      if (wanted.test(items)) {
        return items;
      }
      progressed.tryAcquire(
          50, TimeUnit.MILLISECONDS); // what comes after the run makes no progress
    }
  }

  private void press(String name) {
    of(Button.class, panel.items())
        .filter(each -> each.name().equals(name))
        .forEach(each -> each.action().run());
  }

  private static <I extends PanelItem> Stream<I> of(Class<I> kind, List<PanelItem> items) {
    return items.stream().filter(kind::isInstance).map(kind::cast);
  }

  private static Map<String, String> facts(List<PanelItem> items) {
    return of(Fact.class, items).collect(Collectors.toMap(Fact::name, Fact::value));
  }

  private static boolean isPaused(List<PanelItem> items) {
    return facts(items).get("state").equals("paused");
  }

  private static Curve curve(List<PanelItem> items, String title) {
    return of(Curve.class, items)
        .filter(each -> each.title().equals(title))
        .findAny()
        .orElseThrow();
  }

  private static Picture picture(List<PanelItem> items, String title) {
    return of(Picture.class, items)
        .filter(each -> each.title().equals(title))
        .findAny()
        .orElseThrow();
  }

  /** Returns the note of the slice; empty if there is none yet. */
  private static String noteOfSlice(List<PanelItem> items) {
    return of(Picture.class, items)
        .filter(each -> each.title().startsWith("Ex"))
        .map(Picture::note)
        .findAny()
        .orElse("");
  }
}
