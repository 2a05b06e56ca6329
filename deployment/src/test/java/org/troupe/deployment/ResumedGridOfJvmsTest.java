package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
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
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.program.Bank;
import org.troupe.program.Quick;

/** A grid goes on with the objects of one whose processes were all killed. */
@Timeout(180)
class ResumedGridOfJvmsTest {

  private static final int DEPOSITS = 200;

  @TempDir private Path folder;
  private Process program;

  @AfterEach
  void endProgram() {
    if (program != null) {
      program.destroyForcibly();
    }
  }

  private Path bank() {
    return folder.resolve("bank");
  }

  /** Starts the program; returns the processes of its nodes. */
  private long[] start(BufferedReader[] output) throws IOException {
    var options = List.of("-Duser.home=" + folder); // a killed program leaves its record there
    var command = Quick.command(options, Bank.class, bank().toString());
    program = new ProcessBuilder(command).redirectErrorStream(true).start();
    output[0] = program.inputReader();
    var pids = await(output[0], "pids ");
    return Arrays.stream(pids.split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
  }

  private static String await(BufferedReader output, String beginning) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line; (line = output.readLine()) != null; ) {
      lines.add(line);
      if (line.startsWith(beginning)) {
        return line;
      }
    }
    throw new AssertionError("no line begins with '" + beginning + "' in " + lines);
  }

  @Test
  void whatWasAnsweredIsThere() throws Exception {
    var output = new BufferedReader[1];
    var nodes = start(output);
    await(output[0], "balance " + DEPOSITS);
    assertThatThrownBy(() -> Grid.local(1, Quick.GRID.resuming(Store.directory(bank()))))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("is used by the run");

    Processes.signal("KILL", program.pid());
    for (var pid : nodes) {
      Processes.signal("KILL", pid);
    }
    var answered =
        output[0]
            .lines()
            .filter(line -> line.matches("balance \\d+"))
            .mapToLong(line -> Long.parseLong(line.substring(8)))
            .max()
            .orElse(DEPOSITS);
    assertThat(program.waitFor(Processes.SECONDS, TimeUnit.SECONDS)).isTrue();
    for (var pid : nodes) {
      Processes.assertGone(pid);
    }

    try (var grid = Grid.local(3, Quick.GRID.resuming(Store.directory(bank())))) {
      var all = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60));
      var bank = ActiveObjects.on(all);
      var giro = bank.find("giro", Bank.Account.class).orElseThrow();
      assertThat(giro.balance()).isBetween(answered, answered + 1);
      assertThat(giro.balanceOfOther()).isEqualTo(1_000);
      var savings = bank.with(Bank.imaged(bank())).named("savings", Bank.Account.class);
      assertThat(savings.balanceOfOther()).isEqualTo(giro.balance());
      savings.add(1);
    }

    try (var grid = Grid.local(1, Quick.GRID.resuming(Store.directory(bank())))) {
      var bank = ActiveObjects.on(grid.nodes());
      var savings = bank.find("savings", Bank.Account.class).orElseThrow();
      assertThat(savings.balance()).isEqualTo(1_001);
      assertThat(savings.balanceOfOther()).isBetween(answered, answered + 1);
    }
  }

  @Test
  void aStoreThatIsNotThereIsAnError() {
    assertThatThrownBy(() -> Grid.local(1, Quick.GRID.resuming(Store.directory(bank()))))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("the grid cannot go on with a store: there is no store in " + bank());
  }
}
