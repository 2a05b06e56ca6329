package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;
import org.troupe.program.Checkpointer;
import org.troupe.program.Quick;
import org.troupe.program.Walker;

/** Groups of several processes go on from checkpoints after some, or all, have been killed. */
@Timeout(120)
class CheckpointsOfJvmsTest {

  private static final long BOUND_SECONDS = 60;
  private static final int STEPS = 12;

  @TempDir private Path folder;
  private final List<Process> programs = new ArrayList<>();

  @AfterEach
  void endPrograms() {
    programs.forEach(Process::destroyForcibly);
  }

  private Store store() {
    return Store.directory(folder.resolve("store"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void aGroupGoesOnWithoutANodeThatWasKilled(String transport) throws Exception {
    var options = Quick.GRID.withTransport(transport).withSilence(Duration.ofSeconds(5));
    try (var grid = Grid.local(3, options)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60));
      var group =
          Group.of(Groups.on(nodes).placed(Placement.roundRobin(5)).<Walker>spmd(Walker.class));
      group.ask(Walker::begin).toList();
      group.ask(each -> each.walk(4)).toList();
      group.checkpoint(store()).get(BOUND_SECONDS, TimeUnit.SECONDS);
      group.ask(each -> each.walk(3)).toList();
      Processes.kill(nodes.get(1));
      assertThatThrownBy(
              () -> group.tell(each -> each.walk(3)).get(BOUND_SECONDS, TimeUnit.SECONDS))
          .hasMessageContaining("is lost");
      group.terminate();

      var again = Group.of(Groups.on(nodes).restore(Walker.class, store()));
      assertThat(again.ask(Walker::steps).toList()).containsOnly(4);
      assertThat(again.ask(Walker::node).stream().distinct()).hasSize(2);
      again.ask(each -> each.walk(6)).toList();

      assertThat(again.ask(Walker::value).toList())
          .isEqualTo(Arrays.stream(Walker.expected(5, 10)).boxed().toList());
      again.checkpoint(store()).get(BOUND_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Starts the program, which prints its progress. */
  private Process start(int nodes) throws IOException {
    var command =
        Quick.command(
            List.of("-Duser.home=" + folder), // a killed program leaves its record there
            Checkpointer.class,
            folder.resolve("store").toString(),
            Integer.toString(nodes),
            Integer.toString(STEPS));
    var program = new ProcessBuilder(command).redirectErrorStream(true).start();
    programs.add(program);
    return program;
  }

  @Test
  void aGroupGoesOnInAnotherProgramAfterAllProcessesWereKilled() throws Exception {
    List<String> lines = new ArrayList<>();
    for (var kill = 1; kill <= 2; kill++) {
      var program = start(kill == 1 ? 3 : 2);
      var killAt = "done " + 4 * kill;
      long[] nodes = {};
      try (var output = program.inputReader()) {
        for (String line; (line = output.readLine()) != null && !line.equals(killAt); ) {
          lines.add(line);
          if (line.startsWith("pids ")) {
            nodes = Arrays.stream(line.split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
          }
        }
        program.destroyForcibly(); // SIGKILL
        for (var pid : nodes) {
          Processes.signal("KILL", pid);
        }
      }
      assertThat(nodes).as(lines.toString()).isNotEmpty();
      for (var pid : nodes) {
        Processes.assertGone(pid);
      }
    }
    var last = start(1);
    try (var output = last.inputReader()) {
      output.lines().forEach(lines::add);
    }

    assertThat(last.waitFor()).as(lines.toString()).isZero();
    assertThat(lines.getLast()).isEqualTo(Checkpointer.lastLine(STEPS));
    assertThat(lines).filteredOn(each -> each.equals("begun")).hasSize(1);
    var restored = lines.stream().filter(each -> each.startsWith("restored ")).toList();
    assertThat(restored).hasSize(2);
    for (var each : restored) { // all members are of one generation
      assertThat(each).matches("restored \\[(\\d+), \\1, \\1, \\1]");
    }
  }
}
