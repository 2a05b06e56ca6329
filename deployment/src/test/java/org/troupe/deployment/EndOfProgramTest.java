package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.program.Driver;
import org.troupe.program.Quick;

/** No node of a grid survives the end of its program, whatever ends it. */
@Timeout(120)
class EndOfProgramTest {

  @TempDir private Path home;
  private Process program;
  private BufferedReader output;
  private final List<String> lines = new ArrayList<>();

  @AfterEach
  void endProgram() {
    if (program != null) {
      program.destroyForcibly();
    }
  }

  private List<String> command(String... options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Quick.JVM);
    command.add("-Duser.home=" + home); // a killed program leaves its record there
    command.addAll(List.of(options));
    return command;
  }

  /** Starts a program and returns the process ids of its nodes. */
  private long[] start(List<String> command) throws IOException {
    program = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = program.inputReader();
    return Arrays.stream(await("pids ").split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
  }

  private long[] start(String how) throws IOException {
    return start(Quick.command(List.of("-Duser.home=" + home), Driver.class, how));
  }

  private String await(String beginning) throws IOException {
    for (String line; (line = output.readLine()) != null; ) {
      lines.add(line);
      if (line.startsWith(beginning)) {
        return line;
      }
    }
    throw new AssertionError("no line begins with '" + beginning + "' in " + lines);
  }

  private int assertNothingLeft(long[] nodes) throws Exception {
    assertThat(nodes).hasSize(2);
    output.lines().forEach(lines::add);
    assertThat(program.waitFor(Processes.SECONDS, TimeUnit.SECONDS)).isTrue();
    for (var pid : nodes) {
      Processes.assertGone(pid);
    }
    return program.exitValue();
  }

  @Test
  void aBadModeOfCollectionFailsTheDeploymentWithTheModesThereAre() throws Exception {
    var options = List.of("-Duser.home=" + home, "-Dtroupe.collect=always");
    var command = Quick.command(options, Driver.class, "close");
    program = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = program.inputReader();
    var error = await("Exception in thread");
    assertThat(error)
        .contains("DeploymentException: this JVM cannot join a grid: troupe.collect is 'always'")
        .contains("write listed, cycles or off");
  }

  @Test
  void closingTheGridEndsItsNodes() throws Exception {
    assertThat(assertNothingLeft(start("close"))).isZero();
    assertThat(lines).hasSize(1); // it prints nothing else
  }

  @Test
  void theEndOfMainEndsThemOnceTheyHaveServedWhatWasSent() throws Exception {
    assertThat(assertNothingLeft(start("return"))).isZero();
    assertThat(lines).hasSize(2).anyMatch(line -> line.endsWith("] served at the end"));
  }

  @Test
  void exitKeepsItsCode() throws Exception {
    assertThat(assertNothingLeft(start("exit"))).isEqualTo(7);
    assertThat(lines).hasSize(1);
  }

  @Test
  void anExceptionOutOfMainEndsThem() throws Exception {
    assertThat(assertNothingLeft(start("throw"))).isEqualTo(1);
    assertThat(lines).anyMatch(line -> line.contains("thrown out of main"));
  }

  @Test
  void interruptIsAsForALocalProgram() throws Exception {
    Processes.assumeInterruptsAreHeard();
    var nodes = start("wait");
    for (var pid : nodes) {
      Processes.signal("INT", pid); // a terminal sends the signal to all processes
    }
    Processes.signal("INT", program.pid());

    assertThat(assertNothingLeft(nodes)).isEqualTo(130);
    assertThat(lines).hasSize(1);
  }

  @Test
  void interruptEndsAProgramThatWaitsForACall() throws Exception {
    Processes.assumeInterruptsAreHeard();
    var nodes = start("call");
    await("[local-");
    Processes.signal("INT", program.pid());

    assertThat(assertNothingLeft(nodes)).isEqualTo(130);
  }

  @Test
  void killingTheProgramLeavesNoNode() throws Exception {
    var nodes = start("wait");
    Processes.signal("KILL", program.pid());

    assertThat(assertNothingLeft(nodes)).isEqualTo(137);
  }

  /** Longer than the silence that nodes allow each other. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledIfSystemProperty(
      named = "troupe.long",
      matches = "true",
      disabledReason = "takes half a minute; run with -Dtroupe.long=true")
  void aProgramThatIsStoppedFindsItsNodesAgain() throws Exception {
    var nodes = start("count");

    Processes.signal("STOP", program.pid());
    Thread.sleep(25_000);
    Processes.signal("CONT", program.pid());
    program.outputWriter().append('1').close();

    assertThat(await("counted ")).isEqualTo("counted 2");
    assertThat(assertNothingLeft(nodes)).isZero();
  }

  @Test
  void aProgramOnTheModulePathHasNodesToo() throws Exception {
    var modules = new ArrayList<String>();
    var others = new ArrayList<String>();
    for (var entry : System.getProperty("java.class.path").split(":")) {
      (entry.endsWith("test-classes") ? others : modules).add(entry);
    }
    var nodes =
        start(
            command(
                "-p",
                String.join(":", modules),
                "--add-modules",
                "org.troupe.deployment,org.troupe.transport.ibis",
                "--enable-native-access=org.troupe.links",
                "-cp",
                String.join(":", others),
                Driver.class.getName(),
                "close"));

    assertThat(assertNothingLeft(nodes)).isZero();
  }
}
