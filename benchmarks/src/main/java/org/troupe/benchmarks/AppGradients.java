package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.troupe.benchmarks.AppList.App;

/** Conjugate gradients against the same in C with MPI. For one thread. */
final class AppGradients implements AutoCloseable {

  private static final String SOURCES = "cg-c/";
  private static final List<String> FILES = List.of("Makefile", "matrix.h", "matrix.c", "cg.c");
  private static final Pattern SECONDS = Pattern.compile("seconds ([.0-9]+)");

  private static final Goal NEAR = Goal.ratio(AT_MOST, 1.1);
  private static final String UNIT = "s";
  private static final String PEER = "-c";

  /**
   * A problem in one decomposition.
   *
   * @param turns in each run, of which the median counts; in the first one our JVMs are cold
   */
  private record Case(String problem, String decomposition, int jvms, int turns) {
    String row() {
      return "app-cg-%s-%s-%d-jvm".formatted(problem.toLowerCase(Locale.ROOT), decomposition, jvms);
    }
  }

  private final App app; // null: it is not there
  private final List<Case> cases = new ArrayList<>();
  private final Samples samples = new Samples();
  private final Set<Case> failed = new HashSet<>();
  private Optional<String> hindrance = Optional.empty();
  private Made peer; // null: there is none

  AppGradients(List<App> apps, Effort effort) {
    app = apps.stream().filter(each -> each.name().equals("cg")).findFirst().orElse(null);
    for (var decomposition : List.of("rows", "blocks")) {
      for (var jvms : List.of(1, 2)) {
        cases.add(new Case("A", decomposition, jvms, 3));
        if (effort.longRounds() > 1) {
          cases.add(new Case("B", decomposition, jvms, 1)); // half a minute: nothing is cold
        }
      }
    }
  }

  /** Builds the peer. */
  void open() throws IOException, InterruptedException {
    hindrance =
        Made.hindrance(List.of("mpicc", "mpirun", "make"), "gcc and libopenmpi-dev and make");
    if (app != null && hindrance.isEmpty()) {
      peer = Made.of(SOURCES, FILES);
    }
  }

  /** Lets both have a turn; what fails costs its row, and no others. */
  void run() throws InterruptedException {
    if (peer == null) {
      return;
    }
    for (var each : cases) {
      try {
        System.err.println("  " + each.row()); // it takes minutes
        run(each);
      } catch (IOException e) {
        System.err.println(e.getMessage());
        failed.add(each);
      }
    }
  }

  private void run(Case each) throws IOException, InterruptedException {
    if (failed.contains(each)) {
      return;
    }
    var options = List.<Object>of("--class", each.problem, "--decomposition", each.decomposition);
    List<Object> all = new ArrayList<>(options);
    all.addAll(List.of("--jvms", each.jvms, "--rounds", each.turns));
    var ours = AppRun.of(app, Pinning.NONE, all.toArray());
    var said = peer.run(each.jvms, "cg", List.of(each.problem, each.decomposition, each.turns));
    samples.add(each.row(), ours.figure("seconds"));
    samples.add(each.row() + PEER, Made.figure("seconds", SECONDS, said));
  }

  List<Row> rows() {
    return app == null ? List.of() : cases.stream().map(this::row).toList();
  }

  private Row row(Case of) {
    if (hindrance.isPresent() || failed.contains(of)) {
      return Row.unmeasured(of.row(), UNIT, NEAR, hindrance.orElse("its run failed"));
    }
    return new Row(of.row(), UNIT, samples.of(of.row()), samples.of(of.row() + PEER), NEAR);
  }

  @Override
  public void close() {
    if (peer != null) {
      peer.close();
    }
  }
}
