package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.program.Quick;

/** What other processes of the user ask a grid of JVMs to do. */
@Timeout(60)
class RunActionsTest {

  private static final String NODE = "local-1";

  @TempDir private static Path home;

  private static Grid grid;

  /** Logs its argument. */
  public static class Chronicler {

    public boolean log(String text) {
      System.getLogger("org.acme.chronicle").log(Level.DEBUG, text);
      return true;
    }
  }

  @BeforeAll
  static void deploy() {
    var options = Stream.concat(Quick.JVM.stream(), Stream.of("-Duser.home=" + home)).toList();
    grid = Grid.local(1, Quick.GRID.withJvmOptions(options));
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private static RunningGrid ours() throws IOException {
    return RunningGrid.ofThisProgram(grid.run()).orElseThrow();
  }

  private static ActionResult act(RunAction action) throws IOException {
    return ours().act(action);
  }

  /** Waits for an event of the stream. */
  private static WatchRecord.Event event(String kind, String node, String text) throws IOException {
    List<WatchRecord.Event> found = new ArrayList<>();
    ours()
        .watch(
            Duration.ofSeconds(1),
            "events",
            "",
            line -> {
              WatchCodec.record(line)
                  .filter(WatchRecord.Event.class::isInstance)
                  .map(WatchRecord.Event.class::cast)
                  .filter(its -> its.event().equals(kind) && its.node().equals(node))
                  .filter(its -> its.text().contains(text))
                  .ifPresent(found::add);
              return found.isEmpty();
            });
    return found.getFirst();
  }

  @ParameterizedTest
  @MethodSource
  void garbageIsCollectedOnANodeAndInTheProgram(String node) throws IOException {
    var result = act(new RunAction.CollectGarbage(node));

    assertThat(result.silent()).isEmpty();
    assertThat(result.done())
        .matches("\\d+ MiB of the heap were in use, and \\d+ MiB are after the collection");
    assertThat(event("collect", node, result.done()).text())
        .endsWith(", by a request of this user to the control socket");
  }

  static Stream<String> garbageIsCollectedOnANodeAndInTheProgram() {
    return Stream.of(NODE, ActiveObjects.node().name());
  }

  @Test
  void aLoggerOfAllJvmsLogsMoreForSomeTime() throws Exception {
    var chronicler = ActiveObjects.on(grid.nodes().first()).create(Chronicler.class);

    var result = act(new RunAction.SetLogLevel("", "org.acme.chronicle", "debug", 600));
    chronicler.log("now it is said");

    assertThat(result)
        .isEqualTo(ActionResult.of("'org.acme.chronicle' logs from DEBUG on for 600 s"));
    List<String> said = new ArrayList<>();
    ours()
        .lines(
            NODE,
            true,
            line -> {
              said.add(line);
              return !line.contains("now it is said");
            });
    assertThat(said.getLast()).contains("\"node\":\"" + NODE + "\"");
    event("log-level", "", result.done());
  }

  @Test
  void aHeapDumpIsAFileThatOnlyItsOwnerCanRead() throws Exception {
    var result = act(new RunAction.DumpHeap(NODE));

    var file = home.resolve(".local/state/troupe/dumps/" + grid.run() + "/local-1-1.hprof");
    assertThat(result.done()).startsWith("the heap is in " + file + " on ").endsWith(" MiB");
    assertThat(file).isNotEmptyFile();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
    event("heap-dump", NODE, file.toString());
  }

  @Test
  void moreNodesJoin() throws Exception {
    var before = grid.nodes().list().size();

    var result = act(new RunAction.Request("default", 1));

    assertThat(result.done()).isEqualTo("1 more node of 'default' will join when started");
    grid.nodes().await(Nodes.atLeast(before + 1), Duration.ofSeconds(50));
    event("request", "", "1 more node of 'default', by a request of this user");
  }

  static Stream<Arguments> whatIsNotPossible() {
    return Stream.of(
        arguments(new RunAction.Release("a9"), "there is no node 'a9'; there are local-1"),
        arguments(new RunAction.Release(""), "no node is named; add its name"),
        arguments(
            new RunAction.Release(ActiveObjects.node().name()),
            "'%s' is the program itself; cancel the run to end it"
                .formatted(ActiveObjects.node().name())),
        arguments(
            new RunAction.Request("default", 0),
            "0 is no number of nodes to request; ask for 1 to 1000"),
        arguments(
            new RunAction.Request("none", 1),
            "nothing is mapped to virtual node 'none', so it gets no more nodes"),
        arguments(
            new RunAction.SetLogLevel(NODE, "org.acme", "LOUD", 600),
            "there is no log level 'LOUD'; choose from ALL, TRACE, DEBUG, INFO, WARNING, ERROR, OFF"),
        arguments(
            new RunAction.SetLogLevel(NODE, "org.acme", "DEBUG", 0),
            "a log level cannot last 0 s; give 1 to 86400"),
        arguments(new RunAction.DumpHeap("a9"), "there is no node 'a9'"),
        arguments(
            new RunAction.Observe("all", 0), "there is no tier of observation 'all'; choose from"));
  }

  @ParameterizedTest
  @MethodSource
  void whatIsNotPossible(RunAction action, String why) {
    assertThatThrownBy(() -> act(action))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageStartingWith(why);
  }
}
