package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.copies.JournalCopies;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Objects that are kept in the memory of their node and of another one, their buddy. */
@Timeout(120)
class CopiedObjectsTest {

  private static volatile CountDownLatch arrived;
  private static volatile CountDownLatch gate;

  private final Set<Integer> killed = new HashSet<>();
  private InProcessGrid grid;

  /** Counts. */
  public static class Counter {
    private int sum;
    private byte[] ballast = {};

    public int add(int number) {
      sum += number;
      return sum;
    }

    public int addWhenOpen(int number) {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return add(number);
    }

    public int load(byte[] more) {
      ballast = more;
      return ballast.length;
    }

    @Immediate // so that it is not logged: it differs each time
    public String place() {
      return ActiveObjects.node().name();
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    gate.countDown();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private static Options calls() {
    return Options.STANDARD.withKeep(Keep.calls(Store.copies(2)));
  }

  private Ref<Counter> counter(int node, Options options) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).with(options).create(Counter.class));
  }

  private static int add(Ref<Counter> counter, int number) {
    return valueOf(counter.ask(it -> it.add(number)), "a sum");
  }

  private JournalCopies copies(int node) {
    return grid.member(node).memberships().copies().table();
  }

  /**
   * Returns the nodes that have a journal. A copy that was under way to a node when it was killed
   * may still arrive there, and does not count.
   */
  private List<Integer> holders() {
    return IntStream.range(0, grid.list().size())
        .filter(each -> !killed.contains(each) && !copies(each).names().isEmpty())
        .boxed()
        .toList();
  }

  private int nodeOf(Ref<Counter> counter) {
    var place = valueOf(counter.ask(Counter::place), "its place");
    return grid.list().stream().map(each -> each.name()).toList().indexOf(place);
  }

  private int buddyOf(Ref<Counter> counter) {
    var node = nodeOf(counter);
    awaitTwo();
    return holders().stream().filter(each -> each != node).findFirst().orElseThrow();
  }

  /** Waits until two living nodes have the journal. */
  private void awaitTwo() {
    Waits.until(() -> holders().size() == 2, "two copies; there are " + holders());
  }

  private void kill(int node) {
    grid.kill(node);
    killed.add(node);
  }

  @Test
  void theBuddyHasWhatWasAnswered() {
    var counter = counter(0, calls());
    assertThat(add(counter, 5)).isEqualTo(5);
    assertThat(holders()).hasSize(2).contains(0);
    var name = copies(0).names().getFirst();
    assertThat(copies(buddyOf(counter)).head(name).orElseThrow())
        .isEqualByComparingTo(copies(0).head(name).orElseThrow());
  }

  @Test
  void anObjectGoesOnFromItsBuddyWhenItsNodeIsLost() {
    var counter = counter(0, calls());
    assertThat(add(counter, 5)).isEqualTo(5);
    kill(0);
    assertThat(add(counter, 2)).isEqualTo(7);
    assertThat(counter.end()).isNotDone();
  }

  @Test
  void anObjectWithOnlyItsStateKeptGoesOnFromItsCheckpoint() {
    var counter = counter(0, Options.STANDARD.withKeep(Keep.state(Store.copies(2))));
    add(counter, 5);
    valueOf(counter.checkpoint().thenApply(done -> true), "a checkpoint");
    kill(0);
    awaitTwo();
    assertThat(add(counter, 2)).isEqualTo(7);
  }

  @Test
  void everyLossAfterTheOtherIsSurvived() {
    var counter = counter(0, calls());
    for (var round = 1; round <= 6; round++) {
      add(counter, 1);
      grid.join();
      awaitTwo();
      var lost = round % 2 == 0 ? nodeOf(counter) : buddyOf(counter);
      kill(lost);
      assertThat(add(counter, 1)).as("round " + round).isEqualTo(2 * round);
      awaitTwo();
    }
  }

  @Test
  void aCallUnderWayIsAnsweredAfterTheLossOfBothOneAfterTheOther() {
    var counter = counter(0, calls());
    add(counter, 5);
    var answer = counter.ask(it -> it.addWhenOpen(2));
    Waits.await(arrived, "the call");
    kill(buddyOf(0));
    awaitTwo();
    arrived = new CountDownLatch(1);
    kill(0);
    gate.countDown();
    assertThat(valueOf(answer, "the answer")).isEqualTo(7);
  }

  private int buddyOf(int node) {
    awaitTwo();
    return holders().stream().filter(each -> each != node).findFirst().orElseThrow();
  }

  @Test
  void anObjectIsLostWithBothOfItsNodes(LogRecords records) {
    records.allow(Level.WARNING, "no node has its journal");
    var counter = counter(0, calls());
    add(counter, 5);
    var buddy = buddyOf(counter);
    var restarts = restarts(records);
    // Both are gone before the grid knows of the first.
    grid.member(buddy).vanish();
    grid.member(0).vanish();
    grid.coordinator().check(grid.member(0).node().id());
    grid.coordinator().check(grid.member(buddy).node().id());

    var end = valueOf(counter.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.LOST);
    assertThat(end.why())
        .contains("was lost with node 'node-1'")
        .contains("all copies of it were lost", "both nodes with a copy were lost")
        .contains("needs a store on disk, such as Store.directory(..)");
    assertThat(failureOf(counter.ask(it -> it.add(1)), "a call"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("all copies of it were lost");
    assertThat(restarts(records)).as("reports that it is restarted").isEqualTo(restarts);
  }

  private static long restarts(LogRecords records) {
    return records.texts(Level.WARNING).stream()
        .filter(each -> each.contains("restarted on another node"))
        .count();
  }

  @Test
  void aSecondNodeIsNeededForANewObject() {
    grid.close();
    grid = InProcessGrid.start(1);
    assertThatThrownBy(() -> counter(0, calls()))
        .hasStackTraceContaining("was not created: Store.copies(2) needs a second node")
        .hasStackTraceContaining("start another node, or use Store.directory(..)");
    assertThat(holders()).isEmpty();
  }

  @Test
  void anObjectAloneServesOnAndTheNextNodeIsItsBuddy() {
    var counter = counter(0, calls());
    add(counter, 1);
    kill(1);
    kill(2);
    assertThat(add(counter, 2)).isEqualTo(3);
    grid.join();
    awaitTwo();
    kill(0);
    assertThat(add(counter, 3)).isEqualTo(6);
  }

  @Test
  void theCopiesOfATerminatedObjectVanish() {
    var counter = counter(0, calls());
    add(counter, 1);
    counter.terminate();
    valueOf(counter.end(), "the end");
    Waits.until(() -> holders().isEmpty(), "no copies");
  }

  @Test
  void aNodeThatLeavesTakesNoCopyAlong() {
    var counter = counter(0, calls());
    add(counter, 1);
    grid.leave(buddyOf(counter));
    awaitTwo();
    grid.leave(0);
    assertThat(add(counter, 2)).isEqualTo(3);
  }

  @Test
  void theLogOnTheBuddyIsCutByImages() {
    var counter = counter(0, calls());
    for (var i = 0; i < 5; i++) {
      valueOf(counter.ask(it -> it.load(new byte[600_000])), "a load");
    }
    valueOf(counter.checkpoint(), "a checkpoint");
    var name = copies(0).names().getFirst();
    assertThat(copies(buddyOf(counter)).bytes(name)).isBetween(600_000L, 700_000L);
  }

  @Test
  void anObjectMovesWithItsCopies() {
    var counter = counter(0, Options.STANDARD.withKeep(Keep.state(Store.copies(2))));
    add(counter, 5);
    valueOf(counter.move(grid.get(1).id()).thenApply(done -> true), "the move");
    assertThat(nodeOf(counter)).isEqualTo(1);
    awaitTwo();
    kill(1);
    awaitTwo();
    assertThat(add(counter, 2)).isEqualTo(7);
  }

  @Test
  void aNamedObjectIsFoundAfterALoss() {
    var named = ActiveObjects.on(grid.get(0)).with(calls()).named("17", Counter.class);
    assertThat(named.add(5)).isEqualTo(5);
    kill(nodeOf(ActiveObjects.ref(named)));
    assertThat(named.add(2)).isEqualTo(7);
  }

  @Test
  void nothingIsResumedFromCopies() {
    assertThatThrownBy(() -> InProcessGrid.resume(Store.copies(2), 2))
        .hasRootCauseInstanceOf(IOException.class)
        .hasStackTraceContaining("keep the objects in Store.directory(..) to resume them");
  }

  @Test
  void onlyTwoCopiesArePossible() {
    assertThatThrownBy(() -> Store.copies(3)).hasMessageContaining("give 2");
  }

  @Test
  void theObjectIsRestartedElsewhereWhateverItsPolicy() {
    assertThat(calls().withRestart(Restart.never()).restart().scope())
        .isEqualTo(Restart.Scope.ELSEWHERE);
  }
}
