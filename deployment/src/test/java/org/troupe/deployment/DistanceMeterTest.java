package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.model.Distance;
import org.troupe.program.Quick;

/** Resources of nodes and distances between clusters, as programs see them. */
@Timeout(180)
class DistanceMeterTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static Path descriptor(Path folder) throws Exception {
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="workers"/></virtualNodes>
          <mapping>
            <map virtualNode="workers" to="here"/><map virtualNode="workers" to="there"/>
          </mapping>
          <infrastructure>
            <cluster id="east"/>
            <jvm id="small"><option>-Xmx64m</option></jvm>
            <local id="here" jvm="small"/>
            <local id="there" jvm="small" cluster="east"/>
          </infrastructure>
        </troupe>
        """);
  }

  @Test
  void areMeasuredBothWaysAndKeptUntilTheNodesChange(@TempDir Path folder) throws Exception {
    try (var grid = Grid.deploy(descriptor(folder), Quick.GRID)) {
      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      assertThat(nodes)
          .allSatisfy(
              node -> {
                assertThat(node.processors().getAsInt()).isPositive();
                assertThat(node.heapBytes().getAsLong()).isBetween(48L << 20, 64L << 20);
                assertThat(node.memoryBytes().getAsLong()).isGreaterThan(64L << 20);
              });

      var distances = grid.distances();

      assertThat(distances)
          .extracting(Distance::from, Distance::to)
          .containsExactlyInAnyOrder(tuple("here", "east"), tuple("east", "here"));
      assertThat(distances)
          .allSatisfy(
              each -> {
                assertThat(each.roundTrip()).isPositive();
                assertThat(each.bytesPerSecond()).isPositive().isFinite();
              });
      assertThat(grid.distances()).as("kept").isEqualTo(distances);
      assertThat(grid.knownDistances()).isEqualTo(distances);

      var left = nodes.list().stream().filter(node -> node.cluster().equals("east")).findFirst();
      grid.nodes("workers").release(left.orElseThrow()).get(90, TimeUnit.SECONDS);

      assertThat(grid.distances()).as("one cluster is left").isEmpty();
    }
  }
}
