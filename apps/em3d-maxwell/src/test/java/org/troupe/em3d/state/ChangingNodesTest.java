package org.troupe.em3d.state;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.problem.MeasuredTest;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.run.ScriptedRun;
import org.troupe.em3d.run.SubDomainSolver;
import org.troupe.testing.LogRecords;

/** A run on nodes that join and leave ends with the results of an undisturbed run. */
@Timeout(120)
public class ChangingNodesTest {

  private static final MaxwellProblem PROBLEM = MaxwellProblem.of("cube:6", "auto", null);

  private static LocalNodes nodes; // the archives below use it, which are created by reflection
  private static final AtomicInteger HITS = new AtomicInteger();

  @BeforeEach
  void startNodes(LogRecords records) {
    records.allow(
        WARNING, "cannot go on", "is gone"); // sub-domains whose calls to a lost node fail
    ActiveObjects.onFailure(failure -> {}); // calls to the lost, by the hundred
    nodes = LocalNodes.start(2);
    HITS.set(0);
  }

  @AfterEach
  void endNodes() {
    nodes.close();
    ActiveObjects.onFailure(null);
  }

  /** Kills a node, and has it noticed at once rather than at the next heartbeat. */
  private static void kill(int index) {
    nodes.kill(index);
    ActiveObjects.on(nodes.get(index)).createAsync(Prod.class).exceptionally(lost -> null);
  }

  /** The request that the lost node does not answer. */
  public static class Prod {
    public Prod() {}
  }

  private static ScriptedRun run() {
    return run(ScriptedRun.eager());
  }

  private static ScriptedRun run(RunOptions options) {
    return new ScriptedRun(PROBLEM, nodes.nodes(), options);
  }

  private static ScriptedRun run(Class<? extends StateArchive> archive) {
    return new ScriptedRun(PROBLEM, nodes.nodes(), ScriptedRun.eager(), archive, "", "");
  }

  private static void assertUndisturbed(ScriptedRun run, String... segments) {
    assertThat(run.report().segments())
        .extracting(RunReport.Segment::toString)
        .containsExactly(segments);
    assertThat(run.checksum()).isEqualTo(run.expectedChecksum());
    var energies = run.report().energies();
    assertThat(energies).extracting(RunPosition.Sample::step).containsExactly(0, 10, 20, 30, 39);
    assertThat(energies)
        .allSatisfy(
            each ->
                assertThat(each.energy())
                    .isCloseTo(
                        energies.getFirst().energy(),
                        within(1e-13 * energies.getFirst().energy())));
  }

  // Joining

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 20, 39})
  void aNodeThatJoinsGetsItsShareAtThatVeryStep(int step) {
    var run = run().at(step, nodes::join).run();

    assertUndisturbed(
        run,
        "steps 0 to " + step + " on 2 nodes (2x1x1): yielded to more nodes",
        "steps " + step + " to 40 on 3 nodes (3x1x1): complete");
  }

  @Test
  void manyMayJoinOneAfterTheOther() {
    var run = run().at(5, nodes::join).at(15, nodes::join).at(15, nodes::join).run();

    assertThat(run.report().segments())
        .extracting(RunReport.Segment::nodes)
        .containsExactly(2, 3, 4, 5);
  }

  @Test
  void aNodeWithoutUseForTheDivisionIsLeftAlone() {
    var fixed = MaxwellProblem.of("cube:6", "2x1x1", null);
    var run =
        new ScriptedRun(fixed, nodes.nodes(), ScriptedRun.eager())
            .inVainAt(13, nodes::join)
            .inVainAt(17, () -> kill(2))
            .run();

    assertUndisturbed(run, "steps 0 to 40 on 2 nodes (2x1x1): complete");
  }

  @Test
  void nodesAreNotTakenInIfThatDoesNotPayOrIsNotWanted() {
    var tooLate = run(ScriptedRun.eager().withWorthSteps(20)).inVainAt(0, nodes::join).run();
    var unwanted =
        run(ScriptedRun.eager().withWorthSteps(RunOptions.NEVER)).inVainAt(0, nodes::join).run();

    assertUndisturbed(tooLate, "steps 0 to 40 on 2 nodes (2x1x1): complete");
    assertUndisturbed(unwanted, "steps 0 to 40 on 3 nodes (3x1x1): complete");
  }

  @Test
  void linearFieldsSurviveTheSame() {
    var linear = MaxwellProblem.of("cube:6", "auto", null).withOrder(PolynomialOrder.LINEAR);
    var run =
        new ScriptedRun(linear, nodes.nodes(), ScriptedRun.eager())
            .at(7, nodes::join)
            .at(25, () -> kill(0))
            .run();

    assertUndisturbed(
        run,
        "steps 0 to 7 on 2 nodes (2x1x1): yielded to more nodes",
        "steps 7 to 25 on 3 nodes (3x1x1): lost node-1",
        "steps 20 to 40 on 2 nodes (2x1x1): complete");
  }

  @Test
  void aMeshFromAFileIsDividedAnewToo() {
    var mesh = MaxwellProblem.of(Meshes.file("sphere.msh").toString(), "auto", null);
    var run =
        new ScriptedRun(mesh, nodes.nodes(), ScriptedRun.eager())
            .at(7, nodes::join)
            .at(25, () -> kill(0))
            .run();

    assertUndisturbed(
        run,
        "steps 0 to 7 on 2 nodes: yielded to more nodes",
        "steps 7 to 25 on 3 nodes: lost node-1",
        "steps 20 to 40 on 2 nodes: complete");
  }

  // Leaving and losing

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 39})
  void aNodeThatAnnouncesThatItLeavesCostsNoStep(int step) {
    var run = run().at(step, () -> nodes.nodes().release(nodes.get(1))).run();

    assertUndisturbed(
        run,
        "steps 0 to " + step + " on 2 nodes (2x1x1): yielded as node-2 leaves",
        "steps " + step + " to 40 on 1 node (1x1x1): complete");
    assertThat(nodes.nodes().list()).containsExactly(nodes.get(0));
  }

  @Test
  void aNodeThatIsLostWhileAnotherLeavesIsNotWaitedFor() {
    nodes.join();
    var run =
        run()
            .at(
                17,
                () -> {
                  kill(0);
                  nodes.nodes().release(nodes.get(1));
                })
            .run();

    assertThat(run.report().segments())
        .last()
        .hasToString("steps 10 to 40 on 1 node (1x1x1): complete");
    assertThat(run.checksum()).isEqualTo(run.expectedChecksum());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 20, 39})
  void aLostNodeSetsTheRunBackToTheLastState(int step) {
    var run = run().at(step, () -> kill(1)).run();

    assertUndisturbed(
        run,
        "steps 0 to " + step + " on 2 nodes (2x1x1): lost node-2",
        "steps " + step / 10 * 10 + " to 40 on 1 node (1x1x1): complete");
    assertThat(run.news().getFirst())
        .startsWith("step " + step + ": node 'node-2' is lost: ")
        .endsWith(
            "; the last state is " + (step < 10 ? "the beginning" : "of step " + step / 10 * 10));
  }

  @Test
  void aNodeThatLeavesInGoodOrderIsALossToo() {
    var run = run().at(13, () -> nodes.leave(0)).run();

    assertUndisturbed(
        run,
        "steps 0 to 13 on 2 nodes (2x1x1): lost node-1",
        "steps 10 to 40 on 1 node (1x1x1): complete");
    assertThat(run.news().getFirst()).contains("it has left the grid");
  }

  @Test
  void severalLossesAreEachMadeGood() {
    nodes.join();
    nodes.join();
    var run = run().at(12, () -> kill(0)).at(27, () -> kill(2)).at(38, () -> kill(3)).run();

    assertUndisturbed(
        run,
        "steps 0 to 12 on 4 nodes (2x2x1): lost node-1",
        "steps 10 to 27 on 3 nodes (3x1x1): lost node-3",
        "steps 20 to 38 on 2 nodes (2x1x1): lost node-4",
        "steps 30 to 40 on 1 node (1x1x1): complete");
  }

  @Test
  void severalAtTheSameTimeToo() {
    nodes.join();
    var run =
        run()
            .at(
                23,
                () -> {
                  kill(0);
                  kill(1);
                })
            .run();

    assertThat(run.report().segments().getLast().nodes()).isEqualTo(1);
    assertThat(run.checksum()).isEqualTo(run.expectedChecksum());
  }

  @Test
  void aNodeMayJoinWhileAnotherIsLost() {
    var run =
        run()
            .at(
                23,
                () -> {
                  kill(0);
                  nodes.join();
                })
            .run();

    assertThat(run.report().segments().getLast().nodes()).isEqualTo(2);
    assertThat(run.checksum()).isEqualTo(run.expectedChecksum());
  }

  @Test
  void whatIsMeasuredGoesOnToTheLastBit(@TempDir Path folder) throws IOException {
    var task = MeasuredTest.task(folder);
    var run =
        new ScriptedRun(task.problem(), nodes.nodes(), ScriptedRun.eager())
            .at(7, nodes::join)
            .at(23, () -> kill(0))
            .run();

    assertThat(run.report().segments()).hasSize(3);
    assertThat(run.series())
        .containsExactlyElementsOf(MeasuredTest.undisturbed(task.problem(), ScriptedRun.STEPS));
  }

  // Waiting for a replacement

  @Test
  void aReplacementIsWaitedFor() {
    var run =
        run(ScriptedRun.eager().withEnough(2, Duration.ofMinutes(1)))
            .at(13, () -> kill(1))
            .onWaiting(nodes::join)
            .run();

    assertUndisturbed(
        run,
        "steps 0 to 13 on 2 nodes (2x1x1): lost node-2",
        "steps 10 to 40 on 2 nodes (2x1x1): complete");
  }

  @Test
  void whereNoneComesTheErrorSaysWhereTheStateIs(@TempDir Path folder) {
    var run =
        new ScriptedRun(
                PROBLEM,
                nodes.nodes(),
                ScriptedRun.eager().withEnough(2, Duration.ZERO),
                StateArchive.class,
                folder,
                "")
            .at(13, () -> kill(1));

    assertThatThrownBy(run::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only 1 of the 2 nodes needed")
        .hasMessageContaining("node 'node-2': ")
        .hasMessageEndingWith(
            "the last state, of step 10, is in %s; go on with --restart %s --checkpoint %s"
                .formatted(folder, folder, folder));
    assertThat(RunCheckpoint.readHeader(folder).position().step()).isEqualTo(10);
  }

  // Losing at an awkward moment

  /** A node is lost while the sub-domains of the first segment are being placed. */
  static class LosingAtStart extends StateArchive {
    public LosingAtStart(RunCheckpoint.Run run, String folder, String restart) {
      super(run, folder, restart);
    }

    @Override
    public RunPosition last() {
      if (HITS.getAndIncrement() == 0) {
        kill(1);
      }
      return super.last();
    }
  }

  @Test
  void aLossDuringTheStart() {
    var run = run(LosingAtStart.class).run();

    if (run.report().segments().size() == 1) { // the loss was known before nodes were chosen
      assertUndisturbed(run, "steps 0 to 40 on 1 node (1x1x1): complete");
      return;
    }
    assertUndisturbed(
        run,
        "steps 0 to 0 on 2 nodes (2x1x1): lost node-2",
        "steps 0 to 40 on 1 node (1x1x1): complete");
  }

  /** A node is lost when the state of step 20 is being saved. */
  static class LosingWhileSaving extends StateArchive {
    public LosingWhileSaving(RunCheckpoint.Run run, String folder, String restart) {
      super(run, folder, restart);
    }

    @Override
    public void save(StateSource all, RunPosition position) {
      if (position.step() == 20 && HITS.getAndIncrement() == 0) {
        kill(1);
      }
      super.save(all, position);
    }
  }

  @Test
  void aLossDuringSavingSpoilsOnlyTheNewState() {
    var run = run(LosingWhileSaving.class).run();

    assertUndisturbed(
        run,
        "steps 0 to 20 on 2 nodes (2x1x1): lost node-2",
        "steps 10 to 40 on 1 node (1x1x1): complete");
  }

  /** A node is lost when the first sub-domain fetches the fields to go on from. */
  static class LosingWhileDividing extends StateArchive {
    public LosingWhileDividing(RunCheckpoint.Run run, String folder, String restart) {
      super(run, folder, restart);
    }

    @Override
    public FieldBlock piece(int step, int[] cells) {
      if (HITS.getAndIncrement() == 0) {
        kill(0);
      }
      return super.piece(step, cells);
    }
  }

  @Test
  void aLossDuringTheReDivision() {
    var run = run(LosingWhileDividing.class).at(13, nodes::join).run();

    assertUndisturbed(
        run,
        "steps 0 to 13 on 2 nodes (2x1x1): yielded to more nodes",
        "steps 13 to 13 on 3 nodes (3x1x1): lost node-1",
        "steps 13 to 40 on 2 nodes (2x1x1): complete");
  }

  // Going on in another process

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aStateInAFileIsGoneOnFromOnAnyNumberOfNodes(int count, @TempDir Path folder) {
    new ScriptedRun(
            PROBLEM,
            nodes.nodes(),
            new RunOptions(
                23, ScriptedRun.CFL, 1, Duration.ZERO, 10, 0, true, 1, SubDomainSolver.class),
            StateArchive.class,
            folder,
            "")
        .run();
    nodes.close();

    nodes = LocalNodes.start(count);
    var run =
        new ScriptedRun(
                PROBLEM, nodes.nodes(), ScriptedRun.eager(), StateArchive.class, folder, folder)
            .run();

    assertThat(run.report().segments()).extracting(RunReport.Segment::from).isEqualTo(List.of(23));
    assertThat(run.checksum()).isEqualTo(run.expectedChecksum());
    assertThat(run.report().energies())
        .extracting(RunPosition.Sample::step)
        .containsExactly(0, 10, 20, 30, 39);
    assertThat(RunCheckpoint.readHeader(folder).position().step()).isEqualTo(40);
  }
}
