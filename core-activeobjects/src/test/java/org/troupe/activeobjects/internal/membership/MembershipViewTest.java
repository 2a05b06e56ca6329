package org.troupe.activeobjects.internal.membership;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.activeobjects.hosting.NodeContact;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/** Tests the views of a grid; its clock advances only when a test advances it. */
@Timeout(60)
class MembershipViewTest {

  private static final Duration ENOUGH = Duration.ofSeconds(20);
  private static final Duration NO_TIME = Duration.ofNanos(1);

  private final AtomicLong clock = new AtomicLong();
  private final FaultyTransport transport = new FaultyTransport();
  private final List<GridMembership> memberships = new ArrayList<>();
  private final List<GridMembership> extras = new ArrayList<>();
  private InProcessGrid grid;
  private GridMembership stopped; // sends no heartbeats; null: every node sends them

  @BeforeEach
  void start() {
    grid =
        InProcessGrid.start(
            3,
            transport,
            (node, settings, way) -> {
              var membership = new GridMembership(node, settings, way, clock::get);
              memberships.add(membership);
              return membership;
            });
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    extras.forEach(
        membership -> {
          membership.close();
          membership.node().objects().close();
        });
    grid.close();
  }

  private Cell cellOn(int node) {
    return ActiveObjects.on(grid.get(node)).create(Cell.class);
  }

  /** Opens a membership of a further node, which has not joined yet. */
  private GridMembership openExtra(String name) throws IOException {
    var settings = InProcessGrid.settings(name, List.of("local", "late"), transport);
    var membership =
        new GridMembership(new NodeRuntime(name).memberships(), settings, transport, clock::get);
    extras.add(membership);
    return membership;
  }

  private static List<String> names(Nodes nodes) {
    return nodes.list().stream().map(Node::name).toList();
  }

  /** Advances the clock, with heartbeats and no other messages. */
  private void pass(Duration time) {
    var step = TimeUnit.SECONDS.toNanos(2);
    for (var passed = 0L; passed < time.toNanos(); passed += step) {
      clock.addAndGet(step);
      memberships.stream()
          .filter(membership -> membership != stopped)
          .forEach(GridMembership::beat);
      for (var membership : memberships) {
        for (var peer : membership.node().peers().all()) {
          var mirror = mirror(membership, peer);
          if (mirror != null && peer.isLinked()) {
            until(
                () -> mirror.isLost() || peer.isLost() || mirror.silentNanos() <= step,
                "a heartbeat from " + membership.node().id() + " to " + peer.id());
          }
        }
      }
    }
  }

  /** Returns the peer by which the other node represents this one; null if they are cut off. */
  private Peer mirror(GridMembership membership, Peer peer) {
    return memberships.stream()
        .filter(other -> other.node().id().equals(peer.id()))
        .filter(
            other -> transport.passes(memberships.indexOf(membership), memberships.indexOf(other)))
        .map(other -> other.node().peers().known(membership.node().id()))
        .filter(Objects::nonNull) // the greeting may not have arrived yet
        .findFirst()
        .orElse(null);
  }

  @Test
  void isEqualOnAllNodes() throws Exception {
    for (var membership : memberships) {
      membership.nodes("local").await(Nodes.atLeast(3), ENOUGH);
      assertThat(names(membership.nodes("local"))).containsExactly("node-1", "node-2", "node-3");
    }
  }

  @Test
  void showsALateJoinerAllMembers() throws Exception {
    grid.kill(1);
    memberships.getFirst().ended("node-2", "killed");
    var late = openExtra("late");

    late.join(grid.coordinator().contact(), ENOUGH);

    assertThat(names(late.nodes("local"))).containsExactly("node-1", "node-3", "late");
    memberships.get(1).nodes("late").await(Nodes.atLeast(1), ENOUGH);
    assertThat(names(memberships.get(1).nodes("late"))).containsExactly("late");
  }

  @Test
  void showsConcurrentJoinsToAllInOneOrder() throws Exception {
    var joining = new ArrayList<CompletableFuture<GridMembership>>();
    for (var i = 1; i <= 20; i++) {
      var late = openExtra("late-" + i);
      joining.add(
          onPlatformThread(
              () -> {
                late.join(grid.coordinator().contact(), ENOUGH);
                return late;
              }));
    }
    joining.forEach(each -> valueOf(each, "a node joining"));

    var all = new ArrayList<>(memberships);
    all.addAll(extras);
    for (var membership : all) {
      membership.nodes("local").await(Nodes.atLeast(23), ENOUGH);
      assertThat(names(membership.nodes("local"))).isEqualTo(names(grid.nodes()));
    }
  }

  @Test
  void reportsTheDeathOfANodeWithoutAPeer() throws Exception {
    var first = memberships.get(1);
    var third = first.nodes("local").await(Nodes.atLeast(3), ENOUGH).get(2);
    assertThat(first.node().peers().known(third.id())).isNull();
    assertThat(third.isAlive()).isTrue();

    memberships.getFirst().ended("node-3", "killed");

    until(() -> !third.isAlive(), "the death being known");
    assertThatThrownBy(() -> ActiveObjects.on(third).create(Cell.class))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("killed");
  }

  @Test
  void notifiesTheLauncherOfJoinsIndependentlyOfListeners() throws Exception {
    var held = new CompletableFuture<Void>();
    grid.nodes().onJoin(node -> held.join());
    var joined = new ConcurrentLinkedQueue<String>();
    memberships.getFirst().onJoin(node -> joined.add(node.name()));

    openExtra("late").join(grid.coordinator().contact(), ENOUGH);

    until(() -> joined.contains("late"), "the launcher hearing of it");
    held.complete(null);
  }

  @Test
  void notifiesAWitnessHowTheSuspectEnded() {
    var one = cellOn(0);
    var three = cellOn(2);
    one.setOther(three);
    assertThat(one.sumOfOther()).isZero();
    ActiveObjects.ref(three).ask(c -> c.waitAndGive("held", 1));
    assertThat(three.sumAtOnce()).isEqualTo(42); // an earlier call has arrived then, too
    var stuck = ActiveObjects.ref(one).ask(Cell::sumOfOther);
    var third = grid.get(2).id();
    memberships.getFirst().ended("node-2", "killed");

    memberships.getFirst().ended("node-3", "killed, too"); // a change that waits for a batch
    memberships.get(1).suspect(third, "it is silent");

    assertThat(failureOf(stuck, "a call to the suspect")).hasMessageContaining("killed, too");
  }

  @Test
  void refusesASecondNodeOfOneName() throws Exception {
    var second = openExtra("node-1");

    assertThatThrownBy(() -> second.join(grid.coordinator().contact(), ENOUGH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("refused")
        .hasMessageContaining("a node 'node-1' already");
    assertThat(names(grid.nodes())).hasSize(3);
  }

  @Test
  void reportsThatNoCoordinatorAnswers() throws Exception {
    var lonely = openExtra("lonely");
    var nobody = new NodeContact(grid.get(0).id(), "nowhere").toString();

    var joining =
        onPlatformThread(
            () -> {
              lonely.join(nobody, ENOUGH);
              return null;
            });

    assertThat(failureOf(joining, "the joining"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot join the grid at nowhere")
        .hasMessageContaining("no endpoint listens at nowhere");
  }

  @Test
  void detectsThatAMemberLeft() {
    var reasons = new ConcurrentLinkedQueue<String>();
    grid.nodes().onLeave((node, reason) -> reasons.add(node.name() + ": " + reason));
    var cell = cellOn(0);

    memberships.get(1).close();

    until(() -> names(memberships.get(3).nodes("local")).size() == 2, "node-3 hearing of it");
    until(() -> !reasons.isEmpty(), "the listener hearing of it");
    assertThat(reasons).containsExactly("node-1: it has left the grid");
    assertThat(failureOf(ActiveObjects.ref(cell).ask(Cell::sum), "a call to the one who left"))
        .isInstanceOf(NodeLostException.class);
  }

  @Test
  void changesInOneOrderForAll() throws Exception {
    List<ConcurrentLinkedQueue<String>> seen = new ArrayList<>();
    for (var membership : memberships) {
      var mine = new ConcurrentLinkedQueue<String>();
      seen.add(mine);
      membership.nodes("").await(Nodes.atLeast(3), ENOUGH);
      membership.nodes("").onJoin(node -> mine.add("+" + node.name()));
      membership.nodes("").onLeave((node, reason) -> mine.add("-" + node.name()));
      until(() -> mine.size() == 3, "the present members being told");
    }
    List<CompletableFuture<Void>> joining = new ArrayList<>();
    for (var i = 0; i < 8; i++) {
      var membership = openExtra("late-" + i);
      joining.add(
          onPlatformThread(
              () -> {
                membership.join(grid.coordinator().contact(), ENOUGH);
                membership.close();
                return null;
              }));
    }
    joining.forEach(each -> valueOf(each, "a joiner"));

    until(
        () ->
            seen.stream()
                .allMatch(each -> each.stream().filter(t -> t.contains("late")).count() == 16),
        "everybody seeing all come and go");
    assertThat(seen.stream().map(List::copyOf).distinct()).as("what the listeners saw").hasSize(1);
  }

  @Test
  void survivesTimesWithoutMessages() {
    cellOn(0).add(1);

    pass(Duration.ofMinutes(2));

    assertThat(names(grid.nodes())).hasSize(3);
  }

  @Test
  void losesAMemberThatIsSilent() {
    var cell = cellOn(1);
    var sum = ActiveObjects.ref(cell).ask(c -> c.waitAndGive("silent", 1));
    pass(Duration.ofSeconds(4));

    transport.silence(2);
    pass(Duration.ofSeconds(14));

    assertThat(failureOf(sum, "the call to the silent"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("node 'node-2' is gone: it has not been heard for 1")
        .hasMessageContaining("Cell.waitAndGive");
    until(() -> names(memberships.get(1).nodes("local")).size() == 2, "node-1 hearing of it");
    assertThat(names(grid.nodes())).containsExactly("node-1", "node-3");
  }

  @Test
  void losesOneOfTwoThatCannotReachEachOther() {
    var one = cellOn(0);
    var two = cellOn(1);
    one.setOther(two);
    two.setOther(one);
    assertThat(one.sumOfOther()).isZero();
    assertThat(two.sumOfOther()).isZero();
    transport.cut(1, 2);
    var stuckOne = ActiveObjects.ref(one).ask(Cell::sumOfOther);
    var stuckTwo = ActiveObjects.ref(two).ask(Cell::sumOfOther);

    until(
        () -> {
          pass(Duration.ofSeconds(2));
          return names(grid.nodes()).size() == 2;
        },
        "one of them being declared dead");

    assertThat(failureOf(stuckOne, "the call of the one")).isInstanceOf(NodeLostException.class);
    assertThat(failureOf(stuckTwo, "the call of the other")).isInstanceOf(NodeLostException.class);
    pass(Duration.ofSeconds(30));
    assertThat(names(grid.nodes())).as("the survivors").hasSize(2).contains("node-3");
  }

  @Test
  void endsWithACoordinatorThatIsStoppedForTooLong() {
    var one = cellOn(0);
    one.setOther(cellOn(1));
    pass(Duration.ofSeconds(10));
    var ended = new CompletableFuture<String>();
    memberships.get(1).onEnd(ended::complete);
    stopped = memberships.getFirst();

    transport.silence(0);
    pass(Duration.ofSeconds(110));
    assertThat(ended).isNotDone();
    pass(Duration.ofSeconds(20));

    assertThat(valueOf(ended, "the end of node-1"))
        .contains("the coordinator is lost: it has not been heard for 12")
        .endsWith("; a node waits 120 s for a program that is stopped");
    until(
        () -> memberships.get(1).node().peers().all().stream().allMatch(Peer::isLost),
        "node-1 waiting for nobody");
  }

  @Test
  void endsSoonWithASilentCoordinatorThatRuns() {
    cellOn(0).add(1);
    var ended = new CompletableFuture<String>();
    memberships.get(1).onEnd(ended::complete);
    stopped = memberships.getFirst(); // otherwise it would declare the others dead

    transport.silence(0);
    pass(Duration.ofSeconds(4));
    transport.reset();
    memberships.get(1).beat();
    var coordinator = memberships.get(1).node().peers().known(stopped.node().id());
    until(coordinator::hasConnectedSilently, "another connection to the coordinator");
    pass(Duration.ofSeconds(14));

    assertThat(valueOf(ended, "the end of node-1"))
        .contains("the coordinator is lost: it has not been heard for 1");
  }

  @Test
  void endsAtOnceWithACoordinatorThatHasEnded() {
    cellOn(0).add(1);
    var ended = new CompletableFuture<String>();
    memberships.get(1).onEnd(ended::complete);

    memberships.getFirst().vanish();
    memberships.get(1).beat();

    assertThat(valueOf(ended, "the end of node-1"))
        .contains("the coordinator is lost: it cannot be reached");
  }

  @Test
  void outlivesACoordinatorThatIsStoppedForAMinute(LogRecords records) throws Exception {
    cellOn(0).add(1);
    pass(Duration.ofSeconds(10));
    var ended = new ConcurrentLinkedQueue<String>();
    memberships.subList(1, 4).forEach(membership -> membership.onEnd(ended::add));
    stopped = memberships.getFirst();
    stopped.heartbeat().runOnTime();

    transport.silence(0);
    pass(Duration.ofSeconds(60));
    transport.unsilence(0);
    stopped.heartbeat().runOnTime();
    stopped = null;
    pass(Duration.ofSeconds(30));

    assertThat(names(grid.nodes())).hasSize(3);
    assertThat(ended).isEmpty();
    assertThat(memberships.get(1).node().peers().all()).noneMatch(Peer::isLost);
    records.expect(WARNING, "node 'main' stood still for 58.0 s");
  }

  @Test
  void saysOfNodesThatEndedMeanwhileThatItStoodStillItself(LogRecords records) throws Exception {
    var reasons = new ConcurrentLinkedQueue<String>();
    grid.nodes().onLeave((node, reason) -> reasons.add(reason));
    var coordinator = memberships.getFirst();
    clock.addAndGet(Duration.ofSeconds(2).toNanos());
    coordinator.heartbeat().runOnTime();
    clock.addAndGet(Duration.ofSeconds(62).toNanos());
    coordinator.heartbeat().runOnTime();
    coordinator.ended("node-1", ExitReport.of("exit code 3"));
    clock.addAndGet(Duration.ofSeconds(152).toNanos());

    coordinator.ended(
        "node-2", ExitReport.of("exit code 75")); // reported before the pause is known
    coordinator.heartbeat().runOnTime();
    coordinator.ended("node-3", ExitReport.of("exit code 75"));

    until(() -> reasons.size() == 3, "all being heard of");
    records.expect(WARNING, "node 'main' stood still for 60.0 s");
    records.expect(WARNING, "node 'main' stood still for 150.0 s");
    assertThat(reasons)
        .containsExactly(
            "exit code 3",
            "exit code 75; this program itself stood still for 150 s, as if it had been stopped, or"
                + " its machine suspended: nodes wait 120 s for it",
            "exit code 75; this program itself stood still for 150 s, as if it had been stopped, or"
                + " its machine suspended: nodes wait 120 s for it");
  }

  @Test
  void endsMembers() {
    var reasons = new ConcurrentLinkedQueue<String>();
    memberships.subList(1, 4).forEach(membership -> membership.onEnd(reasons::add));

    valueOf(grid.coordinator().endAll("that is all"), "all having noted it");

    until(() -> reasons.size() == 3, "all ending");
    assertThat(reasons).containsOnly("that is all");
  }

  @Test
  void isAwaitedWithinBounds() throws Exception {
    var nodes = grid.nodes();

    assertThat(nodes.await(Nodes.atLeast(3), NO_TIME)).isSameAs(nodes);
    assertThatThrownBy(() -> nodes.await(Nodes.atLeast(4), NO_TIME))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("only 3 of the 4 nodes needed");
    assertThatThrownBy(() -> nodes.get(3)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isAwaitedUntilAllHaveJoined() throws Exception {
    grid.coordinator().expect("late", List.of("late"), () -> "");
    var nodes = grid.coordinator().nodes("late");
    var awaiting = onPlatformThread(() -> nodes.await(Nodes.all(), ENOUGH));

    openExtra("late").join(grid.coordinator().contact(), ENOUGH);

    assertThat(names(valueOf(awaiting, "the one who waits"))).containsExactly("late");
  }

  @Test
  void listsWhatIsMissingAfterATimeout() {
    for (var name : List.of("late", "later", "last")) {
      grid.coordinator()
          .expect(name, List.of("late"), () -> "queued for 35 s, PENDING (Resources)");
    }
    var nodes = grid.coordinator().nodes("late");

    assertThatThrownBy(() -> nodes.await(Nodes.all(), Duration.ZERO))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("only 0 of the 3 nodes needed of virtual node 'late'")
        .hasMessageEndingWith("\n  - node 'late' and 2 more: queued for 35 s, PENDING (Resources)");
  }

  @Test
  void isNotAwaitedIfItCannotCome() {
    grid.coordinator().expect("late", List.of("late"), () -> "");
    var nodes = grid.coordinator().nodes("late");
    var awaiting = onPlatformThread(() -> nodes.await(Nodes.all(), ENOUGH));

    grid.coordinator().ended("late", "exit code 3");

    assertThat(failureOf(awaiting, "the one who waits"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only 0 of the 1 node needed of virtual node 'late'")
        .hasMessageContaining("node 'late': exit code 3");
  }

  @Test
  void saysWhatToDoIfMoreAreAwaitedThanWereAskedFor() {
    grid.coordinator().expect("late", List.of("late"), () -> "");
    grid.coordinator().ended("late", "exit code 3");
    var nodes = grid.coordinator().nodes("late");

    assertThatThrownBy(() -> nodes.await(Nodes.atLeast(9), ENOUGH))
        .isInstanceOf(NodesMissingException.class)
        .hasMessageContaining(
            "and no more can come; await fewer, or get more: by a descriptor with more JVMs");
  }

  @Test
  void haveNoneAtANegativeIndex() {
    assertThatThrownBy(() -> grid.coordinator().nodes("late").get(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no node at -1; the first one is at 0");
    assertThatThrownBy(() -> grid.coordinator().nodes("late").get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "virtual node 'late' has 0 nodes now, so there is none at 0; nodes.await(atLeast(1),"
                + " timeout) waits for it");
  }
}
