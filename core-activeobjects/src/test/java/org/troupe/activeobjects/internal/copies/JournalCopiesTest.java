package org.troupe.activeobjects.internal.copies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.LostJournalException;

/** Copies of journals, whose messages arrive in the worst order. */
@Timeout(60)
class JournalCopiesTest {

  private static final String NAME = "j";
  private static final long BIRTH = 7;

  private SimulatedCopies grid;

  private Journal created(int node) {
    return done(() -> grid.node(node).journals.create(NAME, 0));
  }

  private <T> T done(java.util.concurrent.Callable<T> action) {
    var result = grid.begin(action);
    grid.settle();
    return valueOf(result, "the action");
  }

  private static ByteBuffer record(int number) {
    return ByteBuffer.wrap(new byte[] {(byte) number});
  }

  /** Appends a record, and returns when it is stable. */
  private void append(Journal journal, int number) {
    done(
        () -> {
          journal.stable(journal.append(record(number))).join();
          return true;
        });
  }

  private static List<Integer> records(Journal journal) throws Exception {
    List<Integer> all = new ArrayList<>();
    journal.records((number, content) -> all.add((int) content[0]));
    return all;
  }

  private static CopyUpdate whole(long birth, long epoch, int... records) {
    List<byte[]> all = new ArrayList<>();
    for (var each : records) {
      all.add(new byte[] {(byte) each});
    }
    return new CopyUpdate(NAME, birth, epoch, true, 0, null, 1, all);
  }

  private boolean hasCopy(int node) {
    return grid.node(node).table.head(NAME).isPresent();
  }

  private NodeId owner(int node) {
    return grid.node(node).table.head(NAME).orElseThrow().owner();
  }

  private int buddyOf(int owner) {
    return grid.living().stream()
        .filter(each -> each.number != owner && hasCopy(each.number))
        .findFirst()
        .orElseThrow()
        .number;
  }

  @Test
  void aWriterTakesANewerCopyRatherThanTheOneThatItsNodeHasAdopted() throws Exception {
    grid = new SimulatedCopies(3);
    var lost = grid.node(0).id;
    grid.node(1).table.take(lost, whole(BIRTH, 0, 1));
    grid.node(2).table.take(lost, whole(BIRTH, 0, 1));
    grid.kill(0);
    grid.learn(1);
    grid.expire(1);
    grid.deliver(List.of(1, 2));
    grid.deliver(List.of(2, 1));
    Waits.until(() -> owner(1).equals(grid.node(1).id), "the adoption");
    assertThat(owner(1)).as("the node that has adopted it").isEqualTo(grid.node(1).id);
    // The other node does not know of the loss, and takes one more record from the lost one.
    grid.node(2).table.take(lost, new CopyUpdate(NAME, BIRTH, 0, false, 0, null, 2, two()));

    var opened = done(() -> grid.node(1).journals.openExisting(NAME, 1));

    assertThat(records(opened)).containsExactly(1, 2);
    append(opened, 3);
    assertThat(grid.node(2).table.head(NAME).orElseThrow().last()).isEqualTo(3);
  }

  private static List<byte[]> two() {
    return List.of(new byte[] {2});
  }

  @Test
  void aCopyIsNotAdoptedWhileANewerOneIsElsewhere() {
    grid = new SimulatedCopies(3);
    var lost = grid.node(0).id;
    grid.node(1).table.take(lost, whole(BIRTH, 0, 1));
    grid.node(2).table.take(lost, whole(BIRTH, 0, 1, 2));
    grid.kill(0);
    grid.settle();
    grid.expire(1);
    grid.settle();
    assertThat(owner(1)).as("before the newer copy is adopted").isEqualTo(lost);
    grid.expire(2);
    grid.settle();
    assertThat(owner(1)).isEqualTo(grid.node(2).id);
    assertThat(grid.node(1).table.head(NAME).orElseThrow().last()).isEqualTo(2);
  }

  @Test
  void oneOfTwoEqualCopiesIsAdoptedAndTheOtherIsItsBuddy() {
    grid = new SimulatedCopies(4);
    var lost = grid.node(0).id;
    grid.node(1).table.take(lost, whole(BIRTH, 0, 1));
    grid.node(2).table.take(lost, whole(BIRTH, 0, 1));
    grid.kill(0);
    grid.settle();
    for (var round = 0; round < 3; round++) {
      grid.expire(2);
      grid.expire(1);
      grid.settle();
    }
    assertThat(owner(1)).isEqualTo(grid.node(1).id);
    assertThat(grid.living().stream().filter(each -> hasCopy(each.number))).hasSize(2);
  }

  @Test
  void anOwnerThatHasJustJoinedKeepsItsCopyOnANodeThatDoesNotKnowIt() {
    grid = new SimulatedCopies(2);
    grid.kill(1);
    grid.join();
    var journal = grid.begin(() -> grid.node(2).journals.create(NAME, 0));
    var stable = grid.begin(() -> appended(valueOf(journal, "a journal"), 1));
    deliverAll();
    valueOf(stable, "a record");
    grid.learn(0); // that another node is lost
    assertThat(grid.expire(0)).as("the check for orphans").isTrue();
    deliverAll();
    assertThat(owner(0)).isEqualTo(grid.node(2).id);
    var next = grid.begin(() -> appended(valueOf(journal, "a journal"), 2));
    deliverAll();
    assertThat(valueOf(next, "the next record")).isEqualTo(2);
  }

  private static long appended(Journal journal, int number) throws Exception {
    var last = journal.append(record(number));
    journal.stable(last).join();
    return last;
  }

  private void deliverAll() {
    for (var links = grid.busyLinks(); !links.isEmpty(); links = grid.busyLinks()) {
      links.forEach(grid::deliver);
    }
  }

  @Test
  void aDropDeletesOnlyTheCopyThatIsMeant() {
    grid = new SimulatedCopies(3);
    var first = grid.node(0).id;
    var second = grid.node(2).id;
    var table = grid.node(1).table;
    table.take(second, whole(BIRTH, 1, 1));
    table.drop(NAME, BIRTH - 1, 100, first); // an earlier journal of the name
    assertThat(hasCopy(1)).as("after the drop of an earlier journal").isTrue();
    table.drop(NAME, BIRTH, 1, first); // a former owner of the same epoch
    assertThat(hasCopy(1)).as("after the drop of a former owner").isTrue();
    table.drop(NAME, BIRTH, 0, second); // an earlier writer of this node
    assertThat(hasCopy(1)).as("after the drop of an earlier writer").isTrue();
    table.drop(NAME, BIRTH, 1, second);
    assertThat(hasCopy(1)).isFalse();
  }

  @Test
  void aLateUpdateOfADeletedJournalDoesNotReplaceALaterOne() throws Exception {
    grid = new SimulatedCopies(2);
    var journal = created(0);
    append(journal, 1);
    grid.hold(0, 1);
    journal.stable(journal.append(record(2)));
    var deleted =
        grid.begin(
            () -> {
              grid.node(0).journals.delete(NAME);
              return true;
            });
    assertThat(deleted).as("while the buddy has a copy").isNotDone();
    grid.release();
    grid.settle();
    valueOf(deleted, "the deletion");
    assertThat(hasCopy(1)).isFalse();
  }

  @Test
  void aNewJournalReplacesACopyOfADeletedOneWithAHigherEpoch() throws Exception {
    grid = new SimulatedCopies(2);
    grid.node(1).table.take(grid.node(0).id, whole(BIRTH, 9, 1, 2, 3));
    var journal = created(0);
    append(journal, 5);
    assertThat(grid.node(1).table.head(NAME).orElseThrow().last()).isEqualTo(1);
    assertThat(records(journal)).containsExactly(5);
  }

  @Test
  void aNodeThatLeavesWaitsForTheSecondCopyOfWhatItOwns() {
    grid = new SimulatedCopies(3);
    var journal = created(0);
    append(journal, 1);
    var former = buddyOf(0);
    var next = 3 - former;
    grid.kill(former);
    grid.hold(0, next);
    grid.learn(0);
    var left =
        grid.begin(
            () -> {
              grid.node(0).table.leave();
              return true;
            });
    assertThat(left).as("before the next buddy has a copy").isNotDone();
    grid.release();
    grid.settle();
    valueOf(left, "the leave");
    assertThat(grid.node(next).table.head(NAME).orElseThrow().last()).isEqualTo(1);
  }

  @Test
  void nothingMoreIsStableBeforeAFormerBuddyHasDroppedItsCopy() throws Exception {
    grid = new SimulatedCopies(3);
    var journal = created(0);
    append(journal, 1);
    var former = buddyOf(0);
    grid.leaving(former);
    grid.hold(0, former);
    grid.settle();
    var stable = grid.begin(() -> appended(journal, 2));
    grid.settle();
    assertThat(stable).as("while a copy lacks the record").isNotDone();
    grid.release();
    grid.settle();
    valueOf(stable, "the record");
    assertThat(hasCopy(former)).isFalse();
  }

  @Test
  void aBuddyThatIsAboutToLeaveStaysWhileThereIsNoOther() {
    grid = new SimulatedCopies(2);
    var journal = created(0);
    append(journal, 1);
    grid.leaving(1);
    grid.settle();
    append(journal, 2);
    assertThat(grid.node(1).table.head(NAME).orElseThrow().last()).isEqualTo(2);
    grid.join();
    grid.settle();
    assertThat(hasCopy(2)).isTrue();
    assertThat(hasCopy(1)).isFalse();
  }

  @Test
  void aWriterWritesNothingBeforeOlderCopiesAreDropped() throws Exception {
    grid = new SimulatedCopies(4);
    var lost = grid.node(0).id;
    grid.node(1).table.take(lost, whole(BIRTH, 0, 1, 2));
    grid.node(2).table.take(lost, whole(BIRTH, 0, 1));
    grid.kill(0);
    grid.settle();
    var opened = grid.begin(() -> grid.node(3).journals.openExisting(NAME, 1));
    grid.deliver(List.of(3, 1));
    grid.deliver(List.of(1, 3));
    grid.deliver(List.of(3, 2));
    grid.deliver(List.of(2, 3)); // the heads are known
    grid.hold(3, 2);
    grid.settle();
    assertThat(opened).as("while an older copy is there").isNotDone();
    grid.release();
    grid.settle();
    assertThat(records(valueOf(opened, "the journal"))).containsExactly(1, 2);
    assertThat(hasCopy(2)).isFalse();
  }

  @Test
  void aFormerOwnerLetsABuddyDropItsCopyOfWhichTheWriterHasNotHeard() throws Exception {
    grid = new SimulatedCopies(3);
    append(created(0), 1);
    var writer = buddyOf(0);
    var late = 3 - writer;
    grid.leaving(writer);
    grid.leaving(late);
    grid.learnAll(writer); // so its buddy is to be the former owner
    var opened = grid.begin(() -> grid.node(writer).journals.openExisting(NAME, 1));
    grid.deliver(List.of(writer, 0));
    grid.deliver(List.of(0, writer));
    grid.deliver(List.of(writer, late)); // which has no copy yet
    grid.learn(0); // that its buddy is about to leave, so it chooses the other node
    grid.deliver(List.of(0, late));
    assertThat(hasCopy(late)).as("the next buddy has a copy").isTrue();
    grid.deliver(List.of(late, 0)); // so the former owner knows it, too
    grid.deliver(List.of(late, writer));
    var its = grid.node(writer).id;
    Waits.until(() -> owner(writer).equals(its), "the claim of the writer's own copy");
    grid.settle();

    var journal = valueOf(opened, "the journal");
    append(journal, 2);

    assertThat(owner(0)).as("the owner of the former owner's copy").isEqualTo(its);
    assertThat(hasCopy(late)).as("a copy without the last record").isFalse();
    grid.kill(writer);
    grid.kill(0);
    var lost = grid.begin(() -> grid.node(late).journals.openExisting(NAME, 2));
    grid.settle();
    assertThat(failureOf(lost, "the journal")).isInstanceOf(LostJournalException.class);
  }

  @Test
  void aWriterDropsTheSecondCopyOfWhatItsNodeHadAdopted() {
    grid = new SimulatedCopies(4);
    grid.node(1).table.take(grid.node(0).id, whole(BIRTH, 0, 1));
    grid.kill(0);
    grid.settle();
    grid.expire(1);
    grid.settle();
    assertThat(owner(1)).as("the node that has adopted it").isEqualTo(grid.node(1).id);
    var former = buddyOf(1);
    var holder = 5 - former;
    grid.node(1).table.claimed(grid.node(holder).id, whole(BIRTH, 1, 1, 2));
    grid.settle();
    assertThat(hasCopy(former)).as("a copy without the last record").isFalse();
  }

  @Test
  void theDeletionOfAReopenedJournalFindsTheCopyOfANodeThatWasLostWhileItOpenedIt() {
    grid = new SimulatedCopies(4);
    append(created(0), 1);
    var lost = buddyOf(0);
    var other = lost == 3 ? 2 : 3;
    grid.leaving(other); // so it is not the next buddy
    grid.settle();
    var birth = grid.node(0).table.head(NAME).orElseThrow().birth();
    grid.node(other).table.take(grid.node(lost).id, whole(birth, 1, 1));
    grid.kill(lost);
    grid.settle();
    done(() -> grid.node(0).journals.openExisting(NAME, 2));
    done(
        () -> {
          grid.node(0).journals.delete(NAME);
          return true;
        });
    assertThat(hasCopy(other)).isFalse();
  }

  @Test
  void aJournalThatIsPassedOnWhileAllAreAskedIsFound() throws Exception {
    var first = new NodeId("first", 1);
    var second = new NodeId("second", 2);
    var asked = new AtomicInteger();
    var gone =
        CopiedJournals.lost(
            Set.of(NAME, "other"),
            () ->
                asked.getAndIncrement() == 0
                    ? Map.of(
                        first,
                        CompletableFuture.completedFuture(List.of()),
                        second,
                        CompletableFuture.failedFuture(new NodeLostException("it is gone")))
                    : Map.of(first, CompletableFuture.completedFuture(List.of(NAME, "unrelated"))));
    assertThat(gone).containsOnlyKeys("other");
    assertThat(gone.get("other"))
        .contains("all copies of it were lost", "'other'", "needs a store on disk");
  }

  @Test
  void aJournalOnNodesOfWhichThisOneHasNotHeardIsFound() throws Exception {
    grid = new SimulatedCopies(2);
    grid.join();
    grid.join();
    grid.leaving(0);
    grid.leaving(1);
    grid.learnAll(2); // so it has its buddy on the other node that has joined
    var journal = grid.begin(() -> grid.node(2).journals.create(NAME, 0));
    var stable = grid.begin(() -> appended(valueOf(journal, "a journal"), 1));
    deliverAll();
    valueOf(stable, "a record");
    var opened = grid.begin(() -> grid.node(0).journals.openExisting(NAME, 1));
    deliverAll();
    assertThat(opened).as("before it has heard of these nodes").isNotDone();
    grid.settle();
    assertThat(records(valueOf(opened, "the journal"))).containsExactly(1);
  }

  @Test
  void aCopyOnItsWayFromANodeThatWasLostIsFound() throws Exception {
    grid = new SimulatedCopies(4);
    grid.leaving(0); // so it gets no copy
    grid.settle();
    grid.node(2).table.take(grid.node(3).id, whole(BIRTH, 0, 1));
    grid.kill(3);
    grid.settle();
    grid.expire(2);
    for (var other : List.of(0, 1)) {
      grid.deliver(List.of(2, other));
      grid.deliver(List.of(other, 2));
    }
    Waits.until(() -> owner(2).equals(grid.node(2).id), "the adoption");
    Waits.until(() -> grid.busyLinks().contains(List.of(2, 1)), "the copy on its way");
    grid.kill(2);
    grid.learn(0);
    var opened = grid.begin(() -> grid.node(0).journals.openExisting(NAME, 1));
    for (var round = 0; round < 2; round++) {
      grid.deliver(List.of(0, 1));
      grid.deliver(List.of(1, 0)); // in the second round there is no answer yet
    }
    assertThat(opened).as("while the other node does not know of the loss").isNotDone();
    grid.deliver(List.of(2, 1));
    grid.settle();
    assertThat(records(valueOf(opened, "the journal"))).containsExactly(1);
  }

  @Test
  void aFormerOwnerAnswersWhenTheCopiesOfItsBuddyAreDropped() {
    for (var way = 0; way < 3; way++) {
      grid = new SimulatedCopies(3);
      append(created(0), 1);
      var former = grid.node(0).id;
      var birth = grid.node(0).table.head(NAME).orElseThrow().birth();
      var buddy = buddyOf(0);
      var next = grid.node(3 - buddy);
      grid.hold(0, buddy);
      CompletableFuture<?> answer =
          switch (way) {
            case 0 -> next.claim(former, NAME, 1);
            case 1 -> next.update(former, whole(birth, 1, 1));
            default -> next.drop(former, NAME, birth, 1, next.id);
          };
      grid.settle();
      assertThat(answer).as("way %d, while the buddy has a copy", way).isNotDone();
      grid.release();
      grid.settle();
      assertThat(answer).as("way %d", way).isCompleted();
      assertThat(hasCopy(buddy)).as("way %d", way).isFalse();
    }
  }

  @Test
  void theDeletionFindsACopyOnANodeOfWhichThisOneHasNotHeard() {
    grid = new SimulatedCopies(2);
    append(created(0), 1);
    done(() -> grid.node(0).journals.openExisting(NAME, 1));
    grid.join();
    var birth = grid.node(0).table.head(NAME).orElseThrow().birth();
    grid.node(2).table.take(grid.node(1).id, whole(birth, 0, 1));
    done(
        () -> {
          grid.node(0).journals.delete(NAME);
          return true;
        });
    assertThat(hasCopy(2)).isFalse();
  }

  @Test
  void theLossOfAllCopiesIsReportedWithTheRemedy() {
    grid = new SimulatedCopies(3);
    var opened = grid.begin(() -> grid.node(0).journals.openExisting(NAME, 1));
    grid.settle();
    assertThat(failureOf(opened, "the journal"))
        .isInstanceOf(LostJournalException.class)
        .hasMessageContaining("all copies of it were lost")
        .hasMessageContaining("Store.directory(..)");
  }
}
