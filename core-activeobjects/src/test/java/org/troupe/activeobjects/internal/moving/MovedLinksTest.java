package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Links between objects that move. */
@Timeout(60)
class MovedLinksTest {

  private InProcessGrid grid;

  private LogRecords records;

  @BeforeEach
  void start(LogRecords records) {
    this.records = records;
    grid = InProcessGrid.start(4);
  }

  @AfterEach
  void end() {
    MoveStep.follow(null);
    grid.close();
  }

  /** An object that can be linked to others. */
  public static class Part {
    private final List<String> notes = new ArrayList<>();

    public int note(String text) {
      notes.add(text);
      return notes.size();
    }

    public void link(Part one, Part other) {
      ActiveObjects.ref(one).linkTo(ActiveObjects.ref(other)).join();
    }

    public void fail() {
      throw new OutOfMemoryError("a failure of the test");
    }
  }

  private Part part(int node) {
    return ActiveObjects.on(grid.get(node)).create(Part.class);
  }

  private void fail(Part object) throws InterruptedException {
    object.fail();
    records.expect(Level.WARNING, "Part.fail() threw java.lang.OutOfMemoryError");
  }

  private void move(Part object, int node) {
    valueOf(ActiveObjects.ref(object).move(grid.get(node).id()), "the move");
  }

  private static void link(Part one, Part other) {
    valueOf(ActiveObjects.ref(one).linkTo(ActiveObjects.ref(other)), "the link");
  }

  private void kill(int... nodes) {
    for (var node : nodes) {
      grid.kill(node);
    }
    for (var node : nodes) {
      var dead = grid.get(node).id();
      IntStream.range(0, 4)
          .filter(i -> IntStream.of(nodes).noneMatch(killed -> killed == i))
          .mapToObj(grid::member)
          .forEach(each -> Waits.until(() -> each.moving().isGone(dead), "the death of " + dead));
      Waits.until(() -> grid.coordinator().moving().isGone(dead), "the death of " + dead);
    }
  }

  private static void assertEndsWithTheOther(Part object) {
    var end = valueOf(ActiveObjects.ref(object).end(), "the end");
    assertThat(end.how()).as(end.toString()).isEqualTo(End.How.FAILED);
    assertThat(end.why()).startsWith("an object that it was linked to has ended: ");
  }

  private static void assertServes(Part object) {
    assertThat(object.note("still here")).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLinkGoesAlongWithTheObjectThatMoves(boolean isFollower) throws InterruptedException {
    var moved = part(0);
    var other = part(2);
    link(moved, other);

    move(moved, 1);
    assertServes(moved);
    fail(isFollower ? other : moved);

    assertEndsWithTheOther(isFollower ? moved : other);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anObjectThatHasMovedIsLinked(boolean isFollower) throws InterruptedException {
    var moved = part(0);
    var other = part(2);
    move(moved, 1);
    part(3).link(moved, other); // from a node that does not know of the move

    fail(isFollower ? other : moved);

    assertEndsWithTheOther(isFollower ? moved : other);
  }

  @Test
  void aLinkOutlivesTheNodesThatTheObjectHasLeft() throws InterruptedException {
    var moved = part(0);
    var other = part(3);
    link(moved, other);
    move(moved, 1);
    move(moved, 2);
    assertServes(moved);

    kill(0, 1);
    fail(other);

    assertEndsWithTheOther(moved);
  }

  @Test
  void anObjectIsLinkedWhoseFirstNodeIsGone() throws InterruptedException {
    var moved = part(0);
    var other = part(2);
    var linker = part(3);
    move(moved, 1);
    assertServes(moved);
    kill(0);

    linker.link(moved, other);
    fail(other);

    assertEndsWithTheOther(moved);
  }

  @Test
  void aLinkGoesAlongThatIsMadeBeforeTheFormerNodeKnowsThatTheObjectHasLeft()
      throws InterruptedException {
    var moved = part(0);
    var other = part(2);
    var linker = part(0);
    var isGranted = new CountDownLatch(1);
    var isLinked = new CountDownLatch(1);
    var former = grid.get(0).id();
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.GRANTED_AWAY && node.equals(former)) {
            isGranted.countDown();
            Waits.await(isLinked, "the link");
          }
        });
    var move = ActiveObjects.ref(moved).move(grid.get(1).id());
    Waits.await(isGranted, "the grant");

    linker.link(moved, other);
    linker.note("the link holds");
    isLinked.countDown();
    valueOf(move, "the move");
    fail(other);

    assertEndsWithTheOther(moved);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anObjectEndsWithOneToWhichItWasLinkedAfterItsImageWasMade(int birthplace)
      throws InterruptedException {
    var moved = part(0);
    var other = part(birthplace);
    var hasImage = new CountDownLatch(1);
    var hasEnded = new CountDownLatch(1);
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.READY) {
            hasImage.countDown();
            Waits.await(hasEnded, "the end of the other");
          }
        });
    var move = ActiveObjects.ref(moved).move(grid.get(1).id());
    Waits.await(hasImage, "the image");
    part(0).link(moved, other);
    fail(other);
    var body = grid.member(0).node().objects().body(Reference.require(moved).target().number());
    Waits.until(() -> body.departures().isEndDeferred(), "the end of the other");
    hasEnded.countDown();
    valueOf(move, "the move");

    assertEndsWithTheOther(moved);
  }

  @Test
  void objectsEndWithOneThatEndsWhenItMovesHome() throws InterruptedException {
    var other = part(1);
    move(other, 2);
    var linked = IntStream.range(0, 4).mapToObj(this::part).toList();
    linked.forEach(each -> link(each, other));
    var hasImage = new CountDownLatch(1);
    var isCalled = new CountDownLatch(1);
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.READY) {
            hasImage.countDown();
            Waits.await(isCalled, "the call");
          }
        });
    var move = ActiveObjects.ref(other).move(grid.get(1).id());
    Waits.await(hasImage, "the image");
    var failing = ActiveObjects.ref(other).tell(Part::fail);
    isCalled.countDown();
    valueOf(move, "the move");
    records.expect(Level.WARNING, "Part.fail() threw java.lang.OutOfMemoryError");
    failing.handle((_, failure) -> failure).join();

    linked.forEach(MovedLinksTest::assertEndsWithTheOther);
  }

  @Test
  void anObjectIsLinkedToOneThatHasEndedOnItsNode() throws InterruptedException {
    var failed = part(1);
    fail(failed);
    valueOf(ActiveObjects.ref(failed).end(), "the end");
    var follower = part(1);
    link(follower, failed);
    assertEndsWithTheOther(follower);
  }

  @Test
  void linksHoldThatAreMadeWhileObjectsMove() throws InterruptedException {
    var moved = IntStream.range(0, 40).mapToObj(i -> part(0)).toList();
    var other = part(3);
    var moves =
        CompletableFuture.runAsync(
            () -> {
              for (var round = 1; round <= 6; round++) {
                var to = grid.get(round % 3).id();
                moved.stream()
                    .map(each -> ActiveObjects.ref(each).move(to))
                    .toList()
                    .forEach(each -> valueOf(each, "a move"));
              }
            },
            Thread::startVirtualThread);
    moved.forEach(each -> link(each, other));
    valueOf(moves, "all moves");

    fail(other);

    moved.forEach(MovedLinksTest::assertEndsWithTheOther);
  }

  @Test
  void aLinkWaitsForANodeThatDoesNotKnowYetThatTheObjectHasCome() throws Exception {
    var moved = part(0);
    var other = part(3);
    var host = grid.get(1).id();
    var hasGone = new CompletableFuture<Void>();
    var isHere = new CompletableFuture<Void>();
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.GRANTED_HERE && node.equals(host)) {
            hasGone.complete(null);
            isHere.join();
          }
        });
    var move = ActiveObjects.ref(moved).move(host);
    valueOf(hasGone, "the grant");
    var identity = grid.coordinator().node().moved().identityOf(Reference.require(moved).target());
    Waits.until(() -> hostKnownAtHome(identity).equals(host), "the news of the former host");

    var link = ActiveObjects.ref(moved).linkTo(ActiveObjects.ref(other));
    try {
      Waits.until(() -> isAsked(grid.member(1), identity), "a request that waits for the grant");
      assertThat(link).isNotDone();
    } finally {
      isHere.complete(null);
    }
    valueOf(link, "the link");
    valueOf(move, "the move");
    fail(other);

    assertEndsWithTheOther(moved);
  }

  private NodeId hostKnownAtHome(ObjectIdentity identity) {
    var place = grid.member(0).node().moved().place(identity.birth(), identity.number());
    return place == null ? identity.birth() : place.node();
  }

  private static boolean isAsked(GridMembership member, ObjectIdentity identity) {
    var decision = member.node().moved().decision(identity);
    return decision != null && decision.getNumberOfDependents() > 0;
  }

  @Test
  void objectsOfOneNodeStayLinkedWhenOneMovesThereAndBack() throws InterruptedException {
    var moved = part(0);
    var other = part(0);
    link(moved, other);
    move(moved, 1);
    move(moved, 0);
    move(other, 2);

    fail(other);

    assertEndsWithTheOther(moved);
  }

  @Test
  void anObjectThatIsLostWithItsNewNodeEndsTheOther() {
    var moved = part(0);
    var other = part(2);
    link(moved, other);
    move(moved, 1);
    assertServes(moved);

    kill(1);

    assertEndsWithTheOther(other);
  }

  @Test
  void aTerminationAfterMovesEndsNothingElse() {
    var moved = part(0);
    var other = part(2);
    link(moved, other);
    move(moved, 1);
    move(other, 3);

    valueOf(ActiveObjects.ref(moved).terminate(), "the end");

    assertServes(other);
  }
}
