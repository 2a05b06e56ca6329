package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.spmd.Spmd;

/** The commands that observe, as processes beside a program with two local JVMs. */
@Timeout(180)
class ObservedRunIT {

  private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static Grid grid;

  /** The only object of its class, in contrast to the clerks of all tests. */
  public static class Registrar {}

  /** Counts, and waits for its fellow members. */
  public static class Clerk {
    public int count() {
      return 1;
    }

    public int meetBut(int missing) {
      var spmd = Spmd.here(Clerk.class);
      if (spmd.rank() != missing) {
        spmd.barrier().join();
      }
      return spmd.rank();
    }

    public int meet() {
      Spmd.here(Clerk.class).barrier().join();
      return 0;
    }
  }

  @BeforeAll
  static void deploy() {
    grid = Grid.local(2, GridOptions.standard().withJvmOptions(QUICK));
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  /** Runs a command on this deployment, and returns what it prints. */
  private static String troupe(String... words) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    line.addAll(1, QUICK);
    line.addAll(List.of(words));
    line.addAll(List.of("--of", RunningGrid.ofThisProgram(grid.run()).orElseThrow().id()));
    var process = new ProcessBuilder(line).start();
    process.getOutputStream().close();
    var errors = text(process.getErrorStream());
    var out = text(process.getInputStream());
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the command ends").isTrue();
      assertThat(process.exitValue()).as(errors.join()).isZero();
      return out.join();
    } finally {
      process.destroyForcibly(); // which drops what nobody has read
    }
  }

  private static CompletableFuture<String> text(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            return e.toString();
          }
        },
        Thread::startVirtualThread); // the common pool may have one thread for both streams
  }

  private static Clerk clerk() {
    return ActiveObjects.on(grid.nodes().first()).create(Clerk.class);
  }

  @Test
  void statusShowsTheMethodsOfTheNodes() throws Exception {
    var clerk = clerk();
    for (var i = 0; i < 40; i++) {
      clerk.count();
    }

    assertThat(troupe("status"))
        .contains("local-1", "local-2")
        .containsPattern("Clerk\\.count\\(\\) +\\S* *40");
  }

  @Test
  void observeChangesTheTierOfAllNodes() throws Exception {
    var clerk = clerk();
    try {
      assertThat(troupe("observe", "times")).contains("the program and its nodes observe 'times'");
      clerk.count();
      assertThat(troupe("top", "--json", "--rounds", "1", "--rows", "nodes").lines())
          .filteredOn(each -> each.startsWith("{\"record\":\"node\""))
          .hasSize(3)
          .allMatch(each -> each.contains("\"observed\":\"times\""));
    } finally {
      troupe("observe", "counts");
    }
  }

  @Test
  void actDoesWhatThePageCan() throws Exception {
    assertThat(troupe("act", "collect", "local-1")).contains("MiB of the heap were in use");
    assertThat(troupe("act", "log-level", "INFO", "--node", "local-2", "--for", "PT1S"))
        .contains("INFO");
    assertThat(troupe("top", "--json", "--once", "--rows", "events"))
        .contains("\"event\":\"collect\"", "\"event\":\"log-level\"");
  }

  @Test
  void objectsPrintsWhatOneObjectDoes() throws Exception {
    var node = grid.nodes().first(); // the one that joined first
    var registrar = ActiveObjects.on(node).create(Registrar.class);
    var name =
        troupe("objects", "--class", "Registrar", "--node", node.name())
            .lines()
            .filter(each -> each.startsWith(node.name() + "/"))
            .map(each -> each.substring(0, each.indexOf(' ')))
            .findFirst()
            .orElseThrow();

    assertThat(troupe("objects", "--object", name))
        .contains(name + ": " + Registrar.class.getName() + " on " + node.name())
        .contains("serves:     1 request at a time", "referred:   by main");
    Reference.reachabilityFence(registrar);
  }

  @Test
  void topPrintsOneScreen() throws Exception {
    assertThat(troupe("top", "--once")).contains("NODE", "local-1", "local-2", "requests/s");
  }

  @Test
  void topShowsTheMissingRankOfAGroup() throws Exception {
    var members = Groups.on(grid.nodes()).spmd(Clerk.class);
    var met = Group.of(members).ask(each -> each.meetBut(1));
    String records;
    do {
      records = troupe("top", "--json", "--rounds", "2", "--rows", "waits,collectives");
    } while (!records.contains("\"operation\":\"barrier()\""));

    assertThat(records)
        .contains("\"arrived\":[0],\"missing\":[1]")
        .contains("\"kind\":\"barrier\"")
        .contains("Clerk.meetBut(ObservedRunIT.java:");
    assertThat(troupe("status")).contains("in barrier() for rank 1 of 2");
    Group.of(members).members().get(1).meet();
    met.awaitAll();
  }

  @Test
  void theStreamHasTheElementAndThePastOfItsNodes() throws Exception {
    assertThat(troupe("top", "--json", "--rounds", "1", "--rows", "jobs"))
        .contains("\"system\":\"local\"")
        .contains("\"state\":\"running\"")
        .contains("\"joined\":2");
    String past;
    do {
      past = troupe("top", "--json", "--rounds", "1", "--rows", "vitals");
    } while (!past.contains("\"node\":\"local-2\""));
    assertThat(past).contains("\"record\":\"vitals\"").contains("\"heapUsedBytes\":[");
  }
}
