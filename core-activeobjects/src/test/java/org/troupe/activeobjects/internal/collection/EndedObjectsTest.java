package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Route;

/** All nodes forget an object that has moved and ended, when nothing of them refers to it. */
@Timeout(300)
class EndedObjectsTest extends TravellersGrid {

  private static final int MANY = Integer.getInteger("troupe.moves", 200);

  /** Returns how many moved objects each node knows, the coordinator first. */
  private List<Integer> known() {
    return Stream.concat(
            Stream.of(grid.coordinator()), IntStream.range(0, 4).mapToObj(grid::member))
        .map(each -> each.node().moved())
        .map(MovedObjects::size)
        .toList();
  }

  private void assertForgotten() {
    assertThat(eventually(grid, () -> known().stream().allMatch(each -> each == 0)))
        .as("moved objects of the nodes, of which " + known() + " are known, are forgotten")
        .isTrue();
  }

  @Test
  void allNodesForgetAnObjectThatWasTerminated() {
    moveAndTerminate("terminated", 1, 2);
    assertForgotten();
  }

  @Test
  void allNodesForgetAnObjectThatWasTerminatedAtHome() {
    moveAndTerminate("terminated at home", 1, BIRTH, 2, BIRTH);
    assertForgotten();
  }

  private ObjectIdentity moveAndTerminate(String name, int... route) {
    var traveller = traveller(name);
    move(traveller, route);
    hosts.get(3).keep(traveller.stub()); // calls it
    valueOf(traveller.terminate(), "the end");
    hosts.get(3).drop(name);
    return identity(traveller);
  }

  private ObjectIdentity identity(Ref<Traveller> traveller) {
    var number = Reference.require(traveller.stub()).target().number();
    return new ObjectIdentity(grid.get(BIRTH).id(), "", number);
  }

  @Test
  void aFormerHostForgetsAnObjectAgainOfWhoseMoveItHearsLate() {
    var object = moveAndTerminate("late news", 1, 2);
    assertForgotten();
    var host = grid.get(1).id();
    var late = new Message.Relocated(object, Route.OF_CALLERS, host, "", 1);
    var sender = Objects.requireNonNull(grid.member(BIRTH).node().peers().known(host));
    sender.outbox().send(0, late, null);
    until(() -> grid.member(1).node().moved().size() == 1, "the late news");
    assertForgotten();
  }

  @Test
  void theEndIsKnownIfTheNodeOfTheBirthDiesAfterIt() {
    var traveller = traveller("end after birthplace");
    hosts.get(3).keep(traveller.stub()); // where it was born
    move(traveller, 1);
    valueOf(traveller.terminate(), "the end");
    kill(BIRTH);
    hosts.get(3).awaitEnd("end after birthplace");
    assertThat(hosts.get(3).howEnded("end after birthplace")).isEqualTo(End.How.TERMINATED);
  }

  @Test
  void theEndIsKnownIfTheNodeDiesThatHasReportedItToTheCoordinatorOnly() {
    var traveller = traveller("end before death");
    hosts.get(BIRTH).keep(traveller.stub());
    move(traveller, 1);
    var end = End.of(End.How.TERMINATED, "the traveller has been terminated");
    valueOf(grid.member(1).moving().forget(identity(traveller), end), "the report");
    kill(1);
    assertThat(failureOf(traveller.ask(Traveller::stops), "a call by the coordinator"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageStartingWith(end.why());
    var home = ActiveObjects.ref(hosts.get(BIRTH));
    assertThat(failureOf(home.ask(it -> it.stopsOf("end before death")), "a call from its birth"))
        .isInstanceOf(ObjectTerminatedException.class);
    assertThat(valueOf(traveller.end(), "the end")).isEqualTo(end);
  }

  @Test
  void aNodeForgetsAnImageWhoseFormerNodeDiesBeforeTheGrant() {
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.READY) {
            Faults.happen(() -> grid.kill(BIRTH));
          }
        });
    try {
      var moving = traveller("lost with its node").move(grid.get(1).id());
      assertThat(failureOf(moving, "the move")).isInstanceOf(NodeLostException.class);
    } finally {
      MoveStep.follow(null);
    }
    assertThat(eventually(grid, () -> grid.member(1).node().moved().size() == 0)).isTrue();
  }

  @Test
  void allNodesForgetAnObjectThatWasCollected() {
    moveAndDrop("collected", 1, 2);
    assertForgotten();
  }

  private void moveAndDrop(String name, int... route) {
    move(traveller(name), route);
  }

  @Test
  void aNodeThatRefersToAnEndedObjectLearnsOfTheEnd() {
    var traveller = traveller("referred to");
    move(traveller, 1, 2);
    hosts.get(3).keep(traveller.stub());
    valueOf(traveller.terminate(), "the end");
    settle(grid);
    assertThat(failureOf(traveller.ask(Traveller::stops), "a call after the end"))
        .isInstanceOf(ObjectTerminatedException.class);
    assertThat(valueOf(traveller.end(), "the end, asked for later").how())
        .isEqualTo(End.How.TERMINATED);
    hosts.get(3).awaitEnd("referred to");
    assertThat(hosts.get(3).howEnded("referred to")).isEqualTo(End.How.TERMINATED);
  }

  @Test
  void aNodeThatHasForgottenAnObjectCanBeGivenAReferenceToItAgain() {
    var traveller = traveller("given again");
    move(traveller, 1, 2);
    hosts.get(3).keep(traveller.stub());
    hosts.get(3).drop("given again");
    valueOf(traveller.terminate(), "the end");
    settle(grid);
    assertThat(failureOf(ask(traveller, 3), "a call by a node that had forgotten it"))
        .isInstanceOf(ObjectTerminatedException.class);
  }

  /** Lets a host call a traveller, by a reference that it gets. */
  private CompletableFuture<Integer> ask(Ref<Traveller> traveller, int host) {
    return ActiveObjects.ref(hosts.get(host)).ask(it -> it.keep(traveller.stub()));
  }

  @Test
  void aNodeForgetsALostObjectThatItHasOnlyCalled() {
    var traveller = traveller("lost");
    move(traveller, 1);
    hosts.get(3).keep(traveller.stub());
    hosts.get(3).drop("lost");
    grid.kill(1);
    assertThat(eventually(grid, () -> grid.member(3).node().moved().size() == 0)).isTrue();
    assertThat(failureOf(ask(traveller, 3), "a call by a node that has forgotten the object"))
        .isInstanceOf(NodeLostException.class);
  }

  @Test
  void noNodeKnowsAnObjectThatWasMovedToWhereItWasBorn() {
    var traveller = traveller("at home");
    move(traveller, BIRTH);
    traveller.ask(Traveller::stops).join();
    assertThat(known()).allMatch(each -> each == 0);
  }

  @Test
  void anObjectThatLivesStaysKnown() {
    var traveller = traveller("living");
    move(traveller, 1, 2);
    hosts.get(3).keep(traveller.stub());
    hosts.get(3).drop("living");
    settle(grid);
    settle(grid);
    assertThat(known().subList(1, 5)).as("what the nodes know").allMatch(each -> each == 1);
    hosts.get(3).keep(traveller.stub());
    assertThat(hosts.get(3).stopsOf("living")).isEqualTo(2);
  }

  @Test
  void manyEndedObjectsAreForgotten() {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (var i = 0; i < MANY; i++) {
      ends.add(moveAndEnd("one of many " + i, 1 + i % 3));
    }
    ends.forEach(each -> valueOf(each, "the end"));
    ends.clear();
    assertForgotten();
  }

  private CompletableFuture<?> moveAndEnd(String name, int to) {
    var traveller = traveller(name);
    move(traveller, to);
    assertThat(traveller.ask(Traveller::stops).join()).isEqualTo(1);
    return traveller.terminate();
  }
}
