package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.MemberOutcome;
import org.troupe.groups.spmd.MemberLostException;
import org.troupe.program.Quick;
import org.troupe.program.Stepper;

/** Members of an SPMD group in several processes, which continue when one of them is killed. */
@Timeout(120)
class GroupsInStepOfJvmsTest {

  private static final Duration BOUND = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void goInStepUntilOneIsKilledAndTheOthersGoOn(String transport) throws Exception {
    var options = Quick.GRID.withTransport(transport).withSilence(Duration.ofSeconds(5));
    try (var grid = Grid.local(3, options)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60));
      var group = Group.of(Groups.on(nodes).spmd(Stepper.class));

      assertThat(group.ask(Stepper::together).toList())
          .containsExactly(
              "b1x[][0, 1, 2][0to0, 1to0, 2to0]0121 3.0 to 0",
              "b1y[][0, 1, 2][0to1, 1to1, 2to1]0123 3.0 to 1",
              "b1z[0, 1, 2][0, 1, 2][0to2, 1to2, 2to2]0126 3.0 to 2");

      for (var round = 0; round < 20; round++) {
        group.tell(Stepper::step).get(BOUND.toSeconds(), TimeUnit.SECONDS);
      }
      assertThat(group.ask(Stepper::notes).toList())
          .containsOnly(
              Collections.nCopies(20, List.of("border", "border", "next")).stream()
                  .flatMap(List::stream)
                  .toList());

      var doomed = nodeOf(group.get(2), nodes);
      var left = group.select(0, 1);
      var waiting = left.ask(Stepper::count); // for member 2, which has not been called
      Processes.kill(doomed);
      waiting.awaitAll(BOUND);
      assertThat(waiting.outcomes())
          .allSatisfy(
              each ->
                  assertThat(each)
                      .isInstanceOfSatisfying(
                          MemberOutcome.Failure.class,
                          failed ->
                              assertThat(failed.exception())
                                  .isInstanceOf(MemberLostException.class)
                                  .hasMessageContaining(
                                      "member 2 on node '" + doomed.name() + "' of 3 is lost")));

      var survived = left.ask(Stepper::countSurvivors);
      survived.awaitAll(BOUND);
      assertThat(survived.toList()).containsExactly(2, 2);
      assertThat(left.ask(Stepper::count).toList()).containsExactly(2, 2);
      group.terminate().get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static Node nodeOf(Object member, Nodes nodes) {
    return nodes.list().stream()
        .filter(each -> each.id().equals(ActiveObjects.ref(member).node()))
        .findFirst()
        .orElseThrow();
  }
}
