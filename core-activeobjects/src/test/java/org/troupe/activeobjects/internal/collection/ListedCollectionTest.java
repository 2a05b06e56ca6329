package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.troupe.activeobjects.Waits.await;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** An object lives as long as any node can call it, and is collected when none can. */
@Timeout(120)
class ListedCollectionTest {

  private static final int REFERENCES = Integer.getInteger("troupe.references", 20_000);

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private static Subject on(int node, String name) {
    return ActiveObjects.on(grid.get(node)).create(Subject.class, name);
  }

  private static void assertCollected(String name) {
    assertThat(eventually(grid, () -> isGone(name))).as(name + " is collected").isTrue();
  }

  private static void assertAlive(String name) {
    settle(grid);
    assertThat(isGone(name)).as(name + " is collected").isFalse();
  }

  @Test
  void anObjectThatNoNodeRefersToAnyMoreIsCollected() {
    makeAndDrop("made from another node");
    assertCollected("made from another node");
  }

  private static void makeAndDrop(String name) {
    assertThat(on(0, name).name()).isEqualTo(name);
  }

  @Test
  void anObjectLivesWhileAStubOnAnotherNodeRefersToIt() {
    var subject = on(0, "stubbed");
    assertAlive("stubbed");
    assertThat(subject.name()).isEqualTo("stubbed");
  }

  @Test
  void anObjectOutlivesTheGiverOfItsReference() {
    var first = on(1, "");
    var second = on(2, "");
    give("passed on", first);
    first.passOn(second);
    assertAlive("passed on");
    assertThat(second.nameOfKept()).isEqualTo("passed on");
    second.drop();
    assertCollected("passed on");
  }

  private static void give(String name, Subject keeper) {
    keeper.keep(on(0, name));
  }

  @Test
  void anObjectLivesWhileItsReferencesAreOnTheirWay() {
    var first = on(1, "");
    var second = on(2, "");
    for (var i = 0; i < 20; i++) {
      var name = "under way " + i;
      give(name, first);
      first.passOnLater(second);
      settle(grid);
      assertThat(second.nameOfKept()).isEqualTo(name);
      second.drop();
    }
  }

  @Test
  void anObjectThatMadeAnotherGivesItAway() {
    var maker = on(0, "");
    var keeper = on(1, "");
    keeper.keep(maker.make("made there"));
    assertAlive("made there");
    assertThat(keeper.nameOfKept()).isEqualTo("made there");
    keeper.drop();
    assertCollected("made there");
  }

  @Test
  void anObjectOfThisNodeIsCollectedAfterItsReferenceCameHome() {
    var mirror = on(0, "");
    reflect(mirror, "came home");
    assertCollected("came home");
  }

  private static void reflect(Subject mirror, String name) {
    var own = ActiveObjects.here().create(Subject.class, name);
    var back = (Subject) mirror.same(own);
    assertThat(back).isEqualTo(own);
    settle(grid);
    assertThat(back.name()).as("held by this JVM").isEqualTo(name);
    assertThat(((Subject) mirror.same(back)).name()).as("exported again").isEqualTo(name);
  }

  @Test
  void anObjectLivesInValuesFuturesAndFailures() {
    var keeper = on(1, "");
    give("in results", keeper);
    var value = keeper.box();
    var explicit = ActiveObjects.ref(keeper).ask(Subject::box);
    var promise = keeper.promise();
    keeper.fulfil();
    var failure = catchThrowable(keeper::fail);
    keeper.drop();
    assertAlive("in results");
    assertThat(value.content().name()).isEqualTo("in results");
    assertThat(valueOf(explicit, "the box").content().name()).isEqualTo("in results");
    assertThat(valueOf(promise, "the promise").content().name()).isEqualTo("in results");
    assertThat(((Subject.Bearer) failure).content().name()).isEqualTo("in results");
  }

  @Test
  void anObjectLivesInAResultThatIsNotOpened() {
    var keeper = on(1, "");
    give("unopened", keeper);
    var unopened = ActiveObjects.ref(keeper).ask(Subject::box);
    keeper.drop();
    assertAlive("unopened");
    assertThat(valueOf(unopened, "the box").content().name()).isEqualTo("unopened");
  }

  @Test
  void anObjectLivesInAForwardedFuture() {
    var keeper = on(1, "");
    var other = on(2, "");
    give("in a future", keeper);
    var promise = keeper.promise();
    other.keep(promise);
    keeper.fulfil();
    keeper.drop();
    promise = null;
    settle(grid);
    assertThat(isGone("in a future")).isFalse();
    other.drop();
    assertCollected("in a future");
  }

  @Test
  void anObjectLivesInContainersAndExplicitReferences() {
    var keeper = on(1, "");
    keepExplicit(keeper, "explicit");
    assertAlive("explicit");
    assertThat(keeper.nameOfKeptRef()).isEqualTo("explicit");
    keeper.drop();
    assertCollected("explicit");

    keeper.keep(Map.of("list", List.of(on(0, "contained"))));
    assertAlive("contained");
    keeper.drop();
    assertCollected("contained");
  }

  private static void keepExplicit(Subject keeper, String name) {
    keeper.keep(ActiveObjects.ref(on(0, name)));
  }

  @Test
  void aRegisteredObjectIsNeverCollected() {
    register("registered");
    assertAlive("registered");
    assertThat(grid.get(0).lookup("registered", Subject.class).name()).isEqualTo("registered");
  }

  private static void register(String name) {
    ActiveObjects.register(grid.get(0), name, on(0, name));
  }

  @Test
  void aCallUnderWayHoldsItsTarget() {
    holdByCall("called");
    assertCollected("called");
  }

  private static void holdByCall(String name) {
    var answer = callAndDrop(name);
    await(Cell.gate("at " + name), "the call is served");
    assertAlive(name);
    Cell.gate(name).countDown();
    assertThat(valueOf(answer, "the answer")).isEqualTo(name);
  }

  private static CompletableFuture<String> callAndDrop(String name) {
    return ActiveObjects.ref(on(0, name)).ask(it -> it.waitAt(name));
  }

  @Test
  void aResultThatIsAwaitedHoldsWhoGivesIt() {
    holdByPromise("promising");
    assertCollected("promising");
  }

  private static void holdByPromise(String name) {
    var promise = on(0, name).promise();
    assertAlive(name);
    assertThat(promise).isNotDone();
    promise.cancel(false);
  }

  @Test
  void theCallerOfACallIsKeptByItsReceiver() {
    var keeper = on(1, "");
    letKeep("caller", keeper);
    assertAlive("caller");
    assertThat(keeper.nameOfKeptRef()).isEqualTo("caller");
    keeper.drop();
    assertCollected("caller");
  }

  private static void letKeep(String name, Subject keeper) {
    on(0, name).callKeepCaller(keeper);
  }

  @Test
  void theCallerOfAOneWayCallLivesUntilItIsServedAndIsKeptByItsReceiver() {
    var keeper = on(1, "");
    keeper.waitLater("one-way");
    letKeepLater("one-way caller", keeper);
    assertAlive("one-way caller");
    Cell.gate("one-way").countDown();
    assertThat(keeper.nameOfKeptRef()).isEqualTo("one-way caller");
    assertAlive("one-way caller");
    keeper.drop();
    assertCollected("one-way caller");
  }

  private static void letKeepLater(String name, Subject keeper) {
    on(0, name).callKeepCallerLater(keeper);
  }

  @Test
  void aMemberOfAGroupIsCollectedOnlyAfterTheGroup() {
    join("member");
    assertAlive("member");
    Subject.endAllMemberships();
    assertCollected("member");
  }

  private static void join(String name) {
    on(0, name).becomeMember();
  }

  @Test
  void theEndOfACollectedObjectSaysSo() {
    var end = endOf("watched");
    assertCollected("watched");
    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.COLLECTED);
  }

  private static CompletableFuture<End> endOf(String name) {
    return ActiveObjects.ref(on(0, name)).end();
  }

  @Test
  void anObjectThatHasMovedLives() {
    var moved = on(0, "moved");
    valueOf(ActiveObjects.ref(moved).move(grid.get(1).id()), "the move");
    settle(grid);
    assertThat(moved.name()).isEqualTo("moved");
  }

  @Test
  void referencesGivenAndDroppedLeaveNothingBehind() {
    var keeper = on(1, "");
    var subject = on(0, "given often");
    for (var i = 0; i < REFERENCES; i++) {
      keeper.same(subject);
      if (i % 1_000 == 0) {
        keeper.keep(on(0, "short-lived"));
        keeper.drop();
      }
    }
    assertThat(subject.name()).isEqualTo("given often");
    var objects = grid.member(1).node().objects();
    assertThat(eventually(grid, () -> objects.remoteObjects().size() == 0))
        .as("references of the node that gave all back")
        .isTrue();
    assertCollected("short-lived");
  }

  @Test
  void manyObjectsAreCollected() {
    var before = grid.member(0).node().objects().bodies().size();
    makeMany(2_000);
    var objects = grid.member(0).node().objects();
    assertThat(eventually(grid, () -> objects.bodies().size() <= before))
        .as("the node holds no more than before")
        .isTrue();
  }

  private static void makeMany(int count) {
    List<Subject> all = new ArrayList<>();
    for (var i = 0; i < count; i++) {
      all.add(on(0, ""));
    }
    assertThat(all.getLast().name()).isEmpty();
  }
}
