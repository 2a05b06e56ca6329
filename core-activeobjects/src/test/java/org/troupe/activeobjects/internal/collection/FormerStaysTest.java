package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** What nodes keep of an object that moves between them does not grow with its moves. */
@Timeout(300)
class FormerStaysTest {

  private static final int MOVES = Integer.getInteger("troupe.moves", 100);
  private static final int NODES = 3; // the object moves between the first two
  private static final int MOST_STAYS = 2; // the body of the birth, and the last one
  private static final int MOST_OPEN = 4; // calls between two nodes, in both directions

  private InProcessGrid grid;
  private List<Witness> witnesses;

  /** How the copies of references to an object are counted. */
  enum Kind {
    COUNTED(Options.STANDARD),
    BOUNDED(Options.STANDARD.withQueueBound(10)),
    RESTARTED(Options.STANDARD.withRestart(Restart.here())),
    RESTARTED_ELSEWHERE(Options.STANDARD.withRestart(Restart.elsewhere()));

    private final Options options;

    Kind(Options options) {
      this.options = options;
    }
  }

  /** An object that counts its calls, and shows itself to witnesses. */
  public static class Commuter {
    private int calls;

    public int call() {
      calls++;
      return calls;
    }

    public void showTo(Witness witness) {
      witness.keep(ActiveObjects.self(Commuter.class).stub());
    }

    public int introduceTo(Witness witness) {
      return witness.keepCaller();
    }
  }

  /** Keeps the references that it is given. */
  public static class Witness {
    private final List<Commuter> kept = new ArrayList<>();

    public int keep(Commuter commuter) {
      kept.add(commuter);
      return kept.size();
    }

    public int keepCaller() {
      return keep((Commuter) ActiveObjects.caller().stub());
    }

    /** Calls by each reference; returns the results. */
    public List<Integer> callAll() {
      return kept.stream().map(Commuter::call).toList();
    }

    public int drop() {
      kept.clear();
      return 0;
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(NODES);
    witnesses =
        IntStream.range(0, NODES)
            .mapToObj(i -> ActiveObjects.on(grid.get(i)).create(Witness.class))
            .toList();
  }

  @AfterEach
  void end() {
    MoveStep.follow(null);
    grid.close();
  }

  private Ref<Commuter> commuter(Kind kind) {
    var made = ActiveObjects.on(grid.get(0)).with(kind.options).create(Commuter.class);
    return ActiveObjects.ref(made);
  }

  /** Lets an object move to the second node and back. */
  private void commute(Ref<Commuter> commuter, int times) {
    for (var i = 0; i < times; i++) {
      move(commuter, 1);
      move(commuter, 0);
    }
  }

  private void move(Ref<Commuter> commuter, int to) {
    valueOf(commuter.move(grid.get(to).id()), "the move to " + to);
  }

  private int stays(int node) {
    return grid.member(node).node().moved().stays();
  }

  private int open(int node, int other) {
    var peer = grid.member(node).node().peers().known(grid.get(other).id());
    return peer == null ? 0 : peer.openCount();
  }

  private int bodies(int node) {
    return grid.member(node).node().objects().exports().size();
  }

  /** Returns what two nodes keep. */
  private String kept() {
    return "stays %d and %d, open %d and %d, bodies %d and %d"
        .formatted(stays(0), stays(1), open(0, 1), open(1, 0), bodies(0), bodies(1));
  }

  private void assertLittleIsKept(int mostBodies) {
    var isLittle =
        eventually(
            grid,
            () ->
                stays(0) <= MOST_STAYS
                    && stays(1) <= MOST_STAYS
                    && open(0, 1) <= MOST_OPEN
                    && open(1, 0) <= MOST_OPEN
                    && bodies(0) <= mostBodies
                    && bodies(1) <= mostBodies);
    assertThat(isLittle).as(kept()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void theNodesForgetEarlierStays(Kind kind) {
    var commuter = commuter(kind);
    commute(commuter, MOVES / 2);
    assertThat(commuter.stub().call()).isEqualTo(1);
    assertLittleIsKept(5); // the service of the node, the witness, and up to three of the object
    move(commuter, 1);
    assertThat(commuter.stub().call()).isEqualTo(2);
    assertLittleIsKept(5);

    valueOf(commuter.terminate(), "the end");
    assertThat(eventually(grid, () -> stays(0) + stays(1) == 0 || kind != Kind.COUNTED))
        .as(kept())
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"RESTARTED", "RESTARTED_ELSEWHERE"})
  void theNodesForgetEarlierStaysOfAKeptObject(Kind kind, @TempDir Path folder) {
    var options = kind.options.withKeep(Keep.calls(Store.directory(folder)));
    var commuter =
        ActiveObjects.ref(
            ActiveObjects.on(grid.get(0)).with(options).named("kept", Commuter.class));
    commute(commuter, 10);
    assertThat(commuter.stub().call()).isEqualTo(1);

    assertLittleIsKept(5);
  }

  @ParameterizedTest
  @EnumSource
  void aBodyServesAsLongAsSomethingRefersToIt(Kind kind) {
    var commuter = commuter(kind);
    for (var i = 0; i < 5; i++) {
      commute(commuter, 1);
      commuter.stub().showTo(witnesses.getFirst());
    }
    commute(commuter, 3);
    assertThat(witnesses.getFirst().callAll()).containsExactly(1, 2, 3, 4, 5);
    commute(commuter, 1);
    move(commuter, 1);
    assertThat(witnesses.getFirst().callAll()).containsExactly(6, 7, 8, 9, 10);

    witnesses.getFirst().drop();
    commute(commuter, 1);
    assertLittleIsKept(5);
    assertThat(commuter.stub().call()).isEqualTo(11);
  }

  @ParameterizedTest
  @EnumSource
  void anObjectThatIsKeptByItsCalleesIsCalledAfterItsStaysAreForgotten(Kind kind) {
    var commuter = commuter(kind);
    for (var i = 0; i < 5; i++) {
      commute(commuter, 1);
      commuter.stub().introduceTo(witnesses.get(2));
      move(commuter, 1);
      commuter.stub().introduceTo(witnesses.get(2));
      move(commuter, 0);
    }
    assertLittleIsKept(5);
    assertThat(witnesses.get(2).callAll()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void aSenderThatKnowsOnlyAForgottenStayReachesTheObject() {
    var commuter = commuter(Kind.COUNTED);
    commute(commuter, 1);
    move(commuter, 1);
    witnesses.get(2).keep(commuter.stub());
    assertThat(witnesses.get(2).callAll()).containsExactly(1);

    commute(commuter, 5);
    assertLittleIsKept(5);
    assertThat(witnesses.get(2).callAll())
        .as("a call to the birthplace's guest")
        .containsExactly(2);
    move(commuter, 1);
    assertThat(witnesses.get(2).callAll()).containsExactly(3);
  }

  @ParameterizedTest
  @EnumSource
  void theFormerNodesLearnOfTheEndOfAnObjectThatHasOftenReturned(Kind kind) throws Exception {
    var commuter = commuter(kind);
    var endAtBirth = commuter.end();
    commute(commuter, 3);
    move(commuter, 2);
    move(commuter, 1);
    move(commuter, 2);
    assertLittleIsKept(5);
    grid.kill(1);
    valueOf(commuter.terminate(), "the end after the death of a former node");
    assertThat(valueOf(endAtBirth, "the end, asked for before").how())
        .isEqualTo(End.How.TERMINATED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLinkLeavesNothingBehindForMovesOf(boolean isFollower) {
    var linked = commuter(Kind.COUNTED);
    move(linked, 2);
    var commuter = commuter(Kind.COUNTED);
    move(commuter, 1);
    var first = isFollower ? commuter : linked;
    valueOf(first.linkTo(isFollower ? linked : commuter), "the link");
    commute(commuter, MOVES / 4);
    var isLittle = eventually(grid, () -> openTo(2) <= 2 * MOST_OPEN);
    assertThat(isLittle).as("%d calls open to and from node 2", openTo(2)).isTrue();
    assertThat(commuter.stub().call()).isEqualTo(1);
  }

  private int openTo(int node) {
    return IntStream.range(0, node).map(i -> open(i, node) + open(node, i)).sum();
  }

  @ParameterizedTest
  @EnumSource
  void aNodeKeepsNoBodyOfAnImageThatHasComeForNothing(Kind kind) {
    var before = bodies(1);
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.READY) {
            throw new IllegalStateException("a fault of the test");
          }
        });
    var commuter = commuter(kind);
    for (var i = 0; i < 10; i++) {
      assertThat(failureOf(commuter.move(grid.get(1).id()), "the move"))
          .isInstanceOf(MoveException.class);
    }
    assertThat(eventually(grid, () -> bodies(1) <= before)).as(kept()).isTrue();
    assertThat(commuter.stub().call()).isEqualTo(1);
  }
}
