package org.troupe.deployment;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.Nodes;
import org.troupe.program.Quick;
import org.troupe.testing.LogRecords;

/** A failed start is reported in one message, and nothing is left running. */
@Timeout(120)
class FailedStartTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeft() {
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  private Path descriptor(String infrastructure) throws IOException {
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="solvers"/></virtualNodes>
          <mapping><map virtualNode="solvers" to="here"/></mapping>
          <infrastructure>
            %s
          </infrastructure>
        </troupe>
        """
            .formatted(infrastructure));
  }

  @Test
  void everythingThatIsMissingIsNamedAtOnce() throws IOException {
    var file =
        descriptor(
            "<local id='here' jvm='j' workingDirectory='gone'/>"
                + "<jvm id='j' javaHome='nojava'><classPath>no.jar</classPath>"
                + "<classPath>nolib/*</classPath></jvm>");

    assertThatThrownBy(() -> Grid.deploy(file))
        .isInstanceOfSatisfying(DeploymentException.class, e -> assertThat(e.problems()).hasSize(4))
        .hasMessageContaining(file + ":5:")
        .hasMessageContaining("there is no program '" + folder.resolve("nojava/bin/java") + "'")
        .hasMessageContaining("classPath entry '" + folder.resolve("no.jar") + "' is not there")
        .hasMessageContaining("nolib/*' is not there")
        .hasMessageContaining("working directory '" + folder.resolve("gone") + "' is not there");
  }

  @Test
  void aRejectedOptionFailsTheWaitAtOnceWithTheJvmsOwnWords() throws IOException {
    var file =
        descriptor(
            "<local id='here' jvms='2' jvm='j'/><jvm id='j'><option>-XX:+NoSuchOption</option></jvm>");
    var options = GridOptions.standard().withOutput(line -> {});
    try (var grid = Grid.deploy(file, options)) {
      assertThatThrownBy(() -> grid.nodes("solvers").await(Nodes.atLeast(2), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("node 'here-")
          .hasMessageContaining("exit code 1 before it joined (" + file + ":5:")
          .hasMessageContaining("Unrecognized VM option 'NoSuchOption'");
    }
  }

  @Test
  void aPropertyThatCannotBeReadIsAProblemThatSaysWhatToWrite() {
    var options = Quick.GRID; // before the property: the first use may start a grid for its cache
    System.setProperty("troupe.restart.wait", "xyz");
    try {
      assertThatThrownBy(() -> Grid.local(1, options))
          .isInstanceOf(DeploymentException.class)
          .hasMessageContaining(
              "troupe.restart.wait is 'xyz'; write a positive duration such as PT30S");
    } finally {
      System.clearProperty("troupe.restart.wait");
    }
  }

  @Test
  void allPropertiesWithWrongValuesAreNamedAtOnce() {
    System.setProperty("troupe.strict", "maybe");
    System.setProperty("troupe.groups.patience", "x");
    try {
      assertThatThrownBy(() -> Grid.local(1))
          .isInstanceOf(DeploymentException.class)
          .hasMessage(
              "troupe.groups.patience is 'x'; write a whole number from 1 on\n"
                  + "troupe.strict is 'maybe'; write true or false");
    } finally {
      System.clearProperty("troupe.strict");
      System.clearProperty("troupe.groups.patience");
    }
  }

  @Test
  void aMisspeltPropertyIsWarnedOfOnceWithTheRightName(LogRecords records) throws Exception {
    System.setProperty("troupe.strct", "true");
    try {
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThatThrownBy(() -> Grid.local(1, GridOptions.standard().withTransport("pigeon")))
            .isInstanceOf(DeploymentException.class);
      }
    } finally {
      System.clearProperty("troupe.strct");
    }
    records.expect(
        WARNING, "'troupe.strct' is no property of Troupe", "did you mean 'troupe.strict'?");
    assertThat(records.texts(WARNING)).filteredOn(each -> each.contains("troupe.strct")).hasSize(1);
  }

  @Test
  void anUnknownTransportIsAnErrorThatListsThoseThereAre() {
    assertThatThrownBy(() -> Grid.local(1, GridOptions.standard().withTransport("pigeon")))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("there is no transport 'pigeon'")
        .hasMessageContaining("ibis")
        .hasMessageContaining("rmi");
  }

  @Test
  void aProgramThatIsNoJavaSaysWhatItPrinted() throws IOException {
    var bin = Files.createDirectories(folder.resolve("odd/bin"));
    var java = Files.writeString(bin.resolve("java"), "#!/bin/sh\necho no licence >&2\nexit 3\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    var file = descriptor("<local id='here' jvm='j'/><jvm id='j' javaHome='odd'/>");
    var options = GridOptions.standard().withOutput(line -> {});
    try (var grid = Grid.deploy(file, options)) {
      assertThatThrownBy(() -> grid.nodes().await(Nodes.all(), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("exit code 3 before it joined")
          .hasMessageContaining("no licence");
    }
  }

  @Test
  void aFileThatIsNoProgramCannotBeStarted() throws IOException {
    var bin = Files.createDirectories(folder.resolve("odd/bin"));
    var java = Files.writeString(bin.resolve("java"), "#!/no/such/interpreter\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    var file = descriptor("<local id='here' jvm='j'/><jvm id='j' javaHome='odd'/>");

    assertThatThrownBy(() -> Grid.deploy(file))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining(file + ":5:")
        .hasMessageContaining("node 'here-1' on localhost cannot be started");
  }

  @Test
  void aNodeThatHasNotCalledHomeIsNamedWithItsHost() throws IOException {
    var bin = Files.createDirectories(folder.resolve("idle/bin"));
    var java = Files.writeString(bin.resolve("java"), "#!/bin/sh\nexec cat\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    var file = descriptor("<local id='here' jvm='j'/><jvm id='j' javaHome='idle'/>");
    var options = GridOptions.standard().withOutput(line -> {});
    try (var grid = Grid.deploy(file, options)) {
      assertThatThrownBy(() -> grid.nodes().await(Nodes.all(), Duration.ofMillis(100)))
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("node 'here-1': starting for ")
          .hasMessageContaining(": its JVM (" + file + ":5:")
          .hasMessageContaining(") runs on localhost");
    }
  }
}
