package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.await;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** An object lives for what only its work, a queue, a stage or an interrupted call refers to. */
@Timeout(120)
class HiddenReferencesTest {

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private static Subject subject(int node, String name) {
    return ActiveObjects.on(grid.get(node)).create(Subject.class, name);
  }

  private static Hermit hermit(int node, String name) {
    return ActiveObjects.on(grid.get(node)).create(Hermit.class, name);
  }

  @Test
  void requestsOfAnObjectWhoseStubWasDroppedAreServed() {
    for (var node = 0; node < 2; node++) {
      var name = "forgotten on " + node;
      workAndForget(node, name);
      settle(grid);
      Cell.gate(name).countDown();
      until(() -> Hermit.done(name) == 10, "all requests having been served");
    }
  }

  private static void workAndForget(int node, String name) {
    var hermit = hermit(node, name);
    hermit.waitAt(name);
    for (var i = 0; i < 10; i++) {
      hermit.work();
    }
  }

  @Test
  void anObjectThatNothingButAStageNeedsLives() {
    var other = subject(1, "");
    workAfter(other, "stage");
    await(Cell.gate("at stage"), "the call is served");
    settle(grid);
    Cell.gate("stage").countDown();
    until(() -> Hermit.done("stage") == 1, "the stage and its call having run");
  }

  private static void workAfter(Subject other, String name) {
    hermit(0, name).workAfter(other, name);
  }

  @Test
  void anObjectThatNothingButItsOwnThreadRefersToLives() {
    hermit(0, "own thread").workByThread("own thread");
    settle(grid);
    Cell.gate("own thread").countDown();
    until(() -> Hermit.done("own thread") == 1, "the call having been served");
  }

  @Test
  void anObjectThatGaveItselfAwayInItsConstructorLives() {
    var keeper = subject(1, "");
    ActiveObjects.on(grid.get(0)).create(Hermit.class, "early", keeper, false);
    ActiveObjects.on(grid.get(0)).create(Hermit.class, "early", keeper, true);
    settle(grid);
    assertThat(valueOf(ActiveObjects.ref(keeper).ask(Subject::namesOfKeptHermits), "the names"))
        .isEqualTo("early early");
  }

  @Test
  void argumentsOfACallThatWasGivenUpLive() {
    var busy = subject(1, "");
    busy.waitLater("timed out");
    giveUp(busy, "timed out");
    settle(grid);
    Cell.gate("timed out").countDown();
    assertThat(busy.nameOfKept()).isEqualTo("timed out");
  }

  private static void giveUp(Subject busy, String name) {
    var argument = subject(0, name);
    var late = ActiveObjects.ref(busy).within(Duration.ofMillis(1)).stub();
    busy.keepLater(argument);
    assertThatThrownBy(() -> late.keep(argument)).isInstanceOf(CallTimeoutException.class);
  }

  @Test
  void theCallerOfACallThatWasGivenUpLives() {
    var busy = subject(1, "");
    hermit(0, "given up").callAndGiveUp(busy, "given up");
    settle(grid);
    Cell.gate("given up").countDown();
    settle(grid);
    assertThat(valueOf(ActiveObjects.ref(busy).ask(Subject::namesOfKeptHermits), "the names"))
        .isEqualTo("given up");
  }

  @Test
  void anObjectThatMovedBeforeAnyNodeKnewItLives() {
    var keeper = subject(2, "");
    moveAndGive(keeper, "moved unknown");
    settle(grid);
    assertThat(keeper.nameOfKept()).isEqualTo("moved unknown");
  }

  private static void moveAndGive(Subject keeper, String name) {
    var subject = ActiveObjects.here().create(Subject.class, name);
    valueOf(ActiveObjects.ref(subject).move(grid.get(1).id()), "the move");
    settle(grid);
    keeper.keep(subject);
  }

  @Test
  void referencesOfAnObjectThatMovesLive() {
    var keeper = subject(1, "");
    fill(keeper, "travels along");
    valueOf(ActiveObjects.ref(keeper).move(grid.get(2).id()), "the move");
    settle(grid);
    assertThat(keeper.nameOfKept()).isEqualTo("travels along");
  }

  private static void fill(Subject keeper, String name) {
    keeper.keep(subject(0, name));
  }

  @Test
  void queuedRequestsThatMoveHoldTheirArguments() {
    var keeper = subject(1, "");
    keeper.waitLater("queued while moving");
    fillLater(keeper, "queued while moving");
    var move = ActiveObjects.ref(keeper).move(grid.get(2).id());
    settle(grid);
    Cell.gate("queued while moving").countDown();
    valueOf(move, "the move");
    settle(grid);
    assertThat(keeper.nameOfKept()).isEqualTo("queued while moving");
  }

  private static void fillLater(Subject keeper, String name) {
    keeper.keepLater(subject(0, name));
  }

  @Test
  void argumentsOfTheConstructorLiveForRestarts() {
    var hermit = makeRestarted("for restarts");
    settle(grid);
    assertThatThrownBy(hermit::fail).hasMessageContaining("told");
    settle(grid);
    assertThat(isGone("for restarts")).isFalse();
    assertThat(hermit.nameOfKept()).isEqualTo("for restarts");
  }

  private static Hermit makeRestarted(String name) {
    return ActiveObjects.on(grid.get(1))
        .with(Options.STANDARD.withRestart(Restart.here()))
        .create(Hermit.class, name, subject(0, name));
  }

  @Test
  void aMemberOfTheSameJvmMayPassAReferenceOn() {
    var keeper = subject(1, "");
    var local = ActiveObjects.here().create(Subject.class, "of this JVM");
    var middle = subject(0, "");
    middle.keep(local);
    local = null;
    middle.passOnLater(keeper);
    settle(grid);
    assertThat(keeper.nameOfKept()).isEqualTo("of this JVM");
  }

  @Test
  void theCallerOfAOneWayCallThatMovesWithItsObjectLives() {
    var keeper = subject(1, "");
    keeper.waitLater("before the move");
    letKeepLater("caller of moved", keeper);
    var asked = new CountDownLatch(1);
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.ASKED) {
            asked.countDown();
          }
          if (step == MoveStep.GRANTED_HERE) { // the image is there, and the queue is not served
            await(Cell.gate("granted"), "the permission to go on");
          }
        });
    try {
      var move = ActiveObjects.ref(keeper).move(grid.get(2).id());
      await(asked, "the beginning of the move");
      Cell.gate("before the move").countDown();
      settle(grid);
      settle(grid);
      Cell.gate("granted").countDown();
      valueOf(move, "the move");
    } finally {
      MoveStep.follow(null);
    }
    assertThat(keeper.nameOfKeptRef()).isEqualTo("caller of moved");
  }

  private static void letKeepLater(String name, Subject keeper) {
    subject(0, name).callKeepCallerLater(keeper);
  }
}
