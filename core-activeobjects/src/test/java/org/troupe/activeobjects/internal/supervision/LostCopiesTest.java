package org.troupe.activeobjects.internal.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.testing.LogRecords;

/**
 * An object in the memory of nodes whose copies are all lost is given up at once, and not before
 * that is certain.
 */
@Timeout(60)
class LostCopiesTest {

  private static final String JOURNAL = "object-1";
  private static final String WHY = "all copies of it were lost";

  private final List<NodeDescription> members =
      new ArrayList<>(List.of(member(1), member(2), member(3)));
  private final List<CompletableFuture<Map<String, String>>> asked = new ArrayList<>();
  private final List<Runnable> scheduled = new ArrayList<>();
  private final Map<NodeId, CompletableFuture<Supervisor.Made>> ordered = new HashMap<>();
  private final Supervisor supervisor =
      new Supervisor(new Object(), new PlaceDirectory<>(), new Members(), Duration.ofMinutes(1));
  private final ObjectIdentity identity = new ObjectIdentity(members.get(0).id(), "", 1);

  /** Members whose answers are given by the test. */
  private final class Members implements Supervisor.Grid {
    @Override
    public List<NodeDescription> members() {
      return members;
    }

    @Override
    public CompletableFuture<Integer> objects(NodeDescription member) {
      return CompletableFuture.completedFuture(0);
    }

    @Override
    public CompletableFuture<Supervisor.Made> embody(
        NodeDescription member, Supervisor.Order order) {
      return ordered.computeIfAbsent(member.id(), each -> new CompletableFuture<>());
    }

    @Override
    public CompletableFuture<Map<String, String>> lostCopies(Set<String> journals) {
      assertThat(journals).containsExactly(JOURNAL);
      var answer = new CompletableFuture<Map<String, String>>();
      asked.add(answer);
      return answer;
    }

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void schedule(Runnable action, long nanos) {
      if (nanos < Duration.ofMinutes(1).toNanos()) { // it does not wait for a node that long
        scheduled.add(action);
      }
    }
  }

  @BeforeEach
  void register(LogRecords records) {
    records.allow(Level.WARNING, WHY);
    supervisor.register(identity, members.get(0), supervised());
  }

  private static Supervised supervised() {
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(Store.copies(2)))
            .withRestart(Restart.elsewhere().times(100, Duration.ofMinutes(1)));
    return new Supervised(
        "Worker",
        options,
        new Origin.Stored(options, JOURNAL, ""),
        RestartBudget.History.NONE,
        Map.of());
  }

  private static NodeDescription member(int number) {
    return new NodeDescription(
        new NodeId("n" + number, number), "", List.of("v" + number), "h", Map.of());
  }

  private List<NodeId> lose(int number, long change) {
    members.removeIf(each -> each.id().incarnation() == number);
    var others = members.stream().map(NodeDescription::id).toList();
    supervisor.lost(change, member(number), "killed", Optional.empty(), others);
    return others;
  }

  private void acknowledge(List<NodeId> others, long change) {
    others.forEach(each -> supervisor.acknowledged(each, change));
  }

  private void answer(int number, boolean isLost) {
    asked.get(number).complete(isLost ? Map.of(JOURNAL, WHY + "; use a store on disk") : Map.of());
  }

  private void requireGivenUp() {
    var end = supervisor.standing(identity).end().orElseThrow();
    assertThat(end.how()).isEqualTo(End.How.LOST);
    assertThat(end.why()).contains("was lost with node 'n1' (killed)", WHY, "use a store on disk");
    assertThat(supervisor.settled(identity)).isDone();
  }

  private void endPauses() {
    var due = List.copyOf(scheduled);
    scheduled.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void theObjectIsGivenUpAtOnceAndIsNotReportedAsRestarted(LogRecords records) {
    var before = restarts(records);
    var others = lose(1, 1);
    var waiting = supervisor.settled(identity);
    assertThat(waiting).isNotDone();
    assertThat(asked).as("before all have acknowledged the loss").isEmpty();
    acknowledge(others, 1);
    answer(0, true);
    requireGivenUp();
    assertThat(waiting).isDone();
    assertThat(scheduled).isEmpty();
    assertThat(restarts(records)).isEqualTo(before);
  }

  private static long restarts(LogRecords records) {
    return records.texts(Level.WARNING).stream()
        .filter(
            each ->
                each.contains(
                    "1 object is lost with node 'n1' and restarted on another node: a Worker"))
        .count();
  }

  @Test
  void aGridThatEndsAnnouncesNoLossAndRestartsNothing() {
    var object = supervised();
    supervisor.close();
    supervisor.register(identity, members.get(0), object); // by a node that does not know of it yet
    acknowledge(lose(1, 1), 1);
    assertThat(asked).isEmpty();
    assertThat(scheduled).isEmpty();
    assertThat(supervisor.unsettled()).isEmpty();
  }

  @Test
  void theObjectIsReportedAsRestartedWhenACopyIsFound(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    var before = restarts(records);
    acknowledge(lose(1, 1), 1);
    assertThat(restarts(records)).as("before a copy is found").isEqualTo(before);
    answer(0, false);
    assertThat(restarts(records)).isEqualTo(before + 1);
    assertThat(scheduled).as("its pause").hasSize(1);
  }

  @Test
  void anObjectThatWaitsForANodeIsGivenUpWhenTheLastNodeWithACopyIsLost(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    acknowledge(lose(1, 1), 1);
    answer(0, false);
    endPauses();
    assertThat(supervisor.unsettled()).as("it has no node").containsExactly(identity);
    acknowledge(lose(2, 2), 2);
    answer(1, true);
    requireGivenUp();
  }

  @Test
  void nothingIsDecidedWhileAnotherLossIsNotAcknowledged(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    var first = lose(1, 1);
    var second = lose(2, 2); // it may have sent its copy to a node that does not know of its end
    acknowledge(first, 1);
    answer(0, true);
    assertThat(supervisor.unsettled()).as("not given up").containsExactly(identity);
    acknowledge(second, 2);
    answer(1, false);
    assertThat(scheduled).as("its pause").hasSize(1);
  }

  @Test
  void theAcknowledgementOfAnotherLossIsNotThatOfTheObjectsOwn(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    var first = lose(1, 1);
    var second = lose(2, 2);
    supervisor.acknowledged(members.getFirst().id(), 2);
    acknowledge(second, 2);
    answer(0, false);
    assertThat(scheduled).as("before its own loss is acknowledged").isEmpty();
    acknowledge(first, 1);
    answer(1, false);
    assertThat(scheduled).as("its pause").hasSize(1);
  }

  @Test
  void aFailedQuestionLeavesTheDecisionToTheNextNode(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    acknowledge(lose(1, 1), 1);
    asked.getFirst().completeExceptionally(new IllegalStateException("no answer"));
    assertThat(scheduled).as("its pause").hasSize(1);
  }
}
