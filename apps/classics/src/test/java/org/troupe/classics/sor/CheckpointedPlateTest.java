package org.troupe.classics.sor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Store;

/** The plate goes on from its checkpoints, with the same bits. */
@Timeout(60)
class CheckpointedPlateTest {

  private static final int POINTS = 34;

  @TempDir private Path folder;
  private final List<String> progress = new ArrayList<>();
  private LocalNodes nodes;

  @BeforeEach
  void start() {
    nodes = LocalNodes.start(3);
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private CheckpointedPlate plate(LocalNodes on, int points, int iterations) {
    return new CheckpointedPlate(
        on.nodes(), points, iterations, Store.directory(folder.resolve("s")), progress::add);
  }

  private static double[] expected(int iterations) {
    var plate = new PlateRows(POINTS, 0, POINTS);
    for (var iteration = 0; iteration < iterations; iteration++) {
      plate.relax(1, POINTS - 1, 1);
      plate.relax(1, POINTS - 1, 0);
    }
    return Arrays.copyOfRange(plate.values(), plate.row(1), plate.row(POINTS - 1));
  }

  @Test
  void goesOnWithTheNodesThatAreLeft() {
    var first = plate(nodes, POINTS, 20);
    first.prepare();
    first.run();
    assertThat(progress).isEmpty();
    var second = plate(nodes, POINTS, 53);
    second.prepare();
    nodes.kill(1);

    second.run();

    assertThat(second.result()).isEqualTo(expected(53));
    assertThat(progress)
        .containsExactly(
            "continuing from the checkpoint of iteration 20",
            "node 'node-2' is lost; continuing from iteration 20; nodes: 2");
  }

  @Test
  void goesOnInALaterRunOnOtherNodes() {
    var first = plate(nodes, POINTS, 30);
    first.prepare();
    first.run();
    nodes.close();
    try (var others = LocalNodes.start(1)) {
      var second = plate(others, POINTS, 40);
      second.prepare();
      second.run();

      assertThat(second.result()).isEqualTo(expected(40));
      assertThat(progress).containsExactly("continuing from the checkpoint of iteration 30");
    }
  }

  @Test
  void anotherPlateIsRefused() {
    plate(nodes, POINTS, 30).prepare();
    assertThatThrownBy(() -> plate(nodes, 66, 30).prepare())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is one of a plate of 34 x 34 points, and not of 66");
    var done = plate(nodes, POINTS, 10);
    done.prepare();
    done.run();
    assertThatThrownBy(() -> plate(nodes, POINTS, 9).prepare())
        .hasMessageContaining("is one of iteration 10, and --iterations is 9");
  }
}
