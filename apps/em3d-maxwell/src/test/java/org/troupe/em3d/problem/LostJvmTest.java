package org.troupe.em3d.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.model.OutputLine;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.run.ScriptedRun;
import org.troupe.testing.QuickJvm;

/** A run whose JVM is killed ends with the results of an undisturbed run. */
@Timeout(120)
class LostJvmTest {

  @Test
  void theRunGoesOnFromTheLastStateOnWhatIsLeft() {
    List<OutputLine> printed = new CopyOnWriteArrayList<>();
    ActiveObjects.onFailure(failure -> {});
    var options = GridOptions.standard().withOutput(printed::add).withJvmOptions(QuickJvm.OPTIONS);
    try (var grid = Grid.local(3, options)) {
      var doomed = grid.nodes().get(1);
      var problem = MaxwellProblem.of("cube:9", "auto", null);
      var run =
          new ScriptedRun(problem, grid.nodes(), ScriptedRun.eager())
              .at(23, () -> kill(doomed))
              .run();

      assertThat(run.report().segments())
          .extracting(RunReport.Segment::toString)
          .containsExactly(
              "steps 0 to 23 on 3 nodes (3x1x1): lost " + doomed.name(),
              "steps 20 to 40 on 2 nodes (2x1x1): complete");
      assertThat(run.news().getFirst())
          .startsWith("step 23: node '" + doomed.name() + "' is lost: ")
          .contains("SIGKILL");
      assertThat(run.report().energyDriftRelative()).isLessThan(1e-12);
      assertThat(run.checksum()).isEqualTo(run.expectedChecksum());
    } finally {
      ActiveObjects.onFailure(null);
    }
    assertThat(printed).extracting(OutputLine::text).isEmpty();
  }

  private static void kill(Node node) {
    ProcessHandle.of(Long.parseLong(node.attributes().get("pid"))).orElseThrow().destroyForcibly();
  }
}
