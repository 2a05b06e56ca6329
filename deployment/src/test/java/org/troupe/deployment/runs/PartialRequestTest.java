package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.DeploymentException;
import org.troupe.deployment.Grid;
import org.troupe.program.Quick;

/** A request of more nodes that not all elements can fulfil. */
@Timeout(60)
class PartialRequestTest {

  private static final Duration PATIENCE = Duration.ofSeconds(50);

  @TempDir private Path folder;

  private Path descriptor() throws IOException {
    Files.createDirectory(folder.resolve("there"));
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="all"/><virtualNode name="lost"/></virtualNodes>
          <mapping><map virtualNode="all" to="good"/><map virtualNode="all" to="bad"/><map virtualNode="lost" to="bad"/></mapping>
          <infrastructure>
            <local id="good" jvms="1"/>
            <local id="bad" jvms="1" workingDirectory="%s"/>
          </infrastructure>
        </troupe>
        """
            .formatted(folder.resolve("there")));
  }

  @Test
  void namesWhatWasStartedAndWhatNot() throws Exception {
    try (var grid = Grid.deploy(descriptor(), Quick.GRID)) {
      grid.nodes("all").await(Nodes.all(), PATIENCE);
      Files.delete(folder.resolve("there"));
      var ours = RunningGrid.ofThisProgram(grid.run()).orElseThrow();

      assertThat(ours.act(new RunAction.Request("all", 2)).done())
          .startsWith("only 1 of 2 more nodes of 'all' will join when started: good-2; others")
          .contains("were not started", "node 'bad-2'", "cannot be started");
      assertThat(grid.nodes("all").await(Nodes.atLeast(3), PATIENCE).list()).hasSize(3);
      assertThatThrownBy(() -> ours.act(new RunAction.Request("lost", 1)))
          .isInstanceOf(RefusedRequestException.class)
          .hasMessageStartingWith("no node was started: ")
          .hasMessageContaining("node 'bad-3'");
      assertThatThrownBy(() -> grid.nodes("all").request(2))
          .isInstanceOf(DeploymentException.class)
          .hasMessageContaining("node 'bad-4'")
          .hasMessageContaining("these nodes are being started nevertheless: good-3");
    }
  }
}
