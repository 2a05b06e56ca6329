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
import org.troupe.activeobjects.hosting.NodeContact;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/** Time passes only when a test says so. */
@Timeout(60)
class MembershipViewTest {

  private static final Duration ENOUGH = Duration.ofSeconds(20);
  private static final Duration NO_TIME = Duration.ofNanos(1);

  private final AtomicLong clock = new AtomicLong();
  private final FaultyTransport transport = new FaultyTransport();
  private final List<GridMembership> accesses = new ArrayList<>();
  private final List<GridMembership> strays = new ArrayList<>();
  private InProcessGrid grid;
  private GridMembership stopped; // its heart does not beat; null: none

  @BeforeEach
  void start() {
    grid =
        InProcessGrid.start(
            3,
            transport,
            (node, settings, way) -> {
              var access = new GridMembership(node, settings, way, clock::get);
              accesses.add(access);
              return access;
            });
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    strays.forEach(
        access -> {
          access.close();
          access.node().objects().close();
        });
    grid.close();
  }

  private Cell cellOn(int node) {
    return ActiveObjects.on(grid.get(node)).create(Cell.class);
  }

  /** Opens one more node, which has not joined yet. */
  private GridMembership stray(String name) throws IOException {
    var settings = InProcessGrid.settings(name, List.of("local", "late"), transport);
    var access = new GridMembership(new NodeRuntime(name).local(), settings, transport, clock::get);
    strays.add(access);
    return access;
  }

  private static List<String> names(Nodes nodes) {
    return nodes.list().stream().map(Node::name).toList();
  }

  /** Lets time pass, with its heartbeats, as if nobody sent anything else. */
  private void pass(Duration time) {
    var step = TimeUnit.SECONDS.toNanos(2);
    for (var passed = 0L; passed < time.toNanos(); passed += step) {
      clock.addAndGet(step);
      accesses.stream().filter(access -> access != stopped).forEach(GridMembership::beat);
      for (var access : accesses) {
        for (var peer : access.node().peers().all()) {
          var mirror = mirror(access, peer);
          if (mirror != null && peer.isLinked()) {
            until(
                () -> mirror.isLost() || peer.isLost() || mirror.silentNanos() <= step,
                "a heartbeat from " + access.node().id() + " to " + peer.id());
          }
        }
      }
    }
  }

  /** How the other one sees the node of an access; null where nothing passes between them. */
  private Peer mirror(GridMembership access, Peer peer) {
    return accesses.stream()
        .filter(other -> other.node().id().equals(peer.id()))
        .filter(other -> transport.passes(accesses.indexOf(access), accesses.indexOf(other)))
        .map(other -> other.node().peers().known(access.node().id()))
        .filter(Objects::nonNull) // it may not have been greeted yet
        .findFirst()
        .orElse(null);
  }

  @Test
  void isTheSameEverywhere() throws Exception {
    for (var access : accesses) {
      access.nodes("local").await(Nodes.atLeast(3), ENOUGH);
      assertThat(names(access.nodes("local"))).containsExactly("node-1", "node-2", "node-3");
    }
  }

  @Test
  void showsALateJoinerAll() throws Exception {
    grid.kill(1);
    accesses.getFirst().ended("node-2", "killed");
    var late = stray("late");

    late.join(grid.coordinator().contact(), ENOUGH);

    assertThat(names(late.nodes("local"))).containsExactly("node-1", "node-3", "late");
    accesses.get(1).nodes("late").await(Nodes.atLeast(1), ENOUGH);
    assertThat(names(accesses.get(1).nodes("late"))).containsExactly("late");
  }

  @Test
  void showsThoseThatJoinAtOnceToAllInOneOrder() throws Exception {
    var joining = new ArrayList<CompletableFuture<GridMembership>>();
    for (var i = 1; i <= 20; i++) {
      var late = stray("late-" + i);
      joining.add(
          onPlatformThread(
              () -> {
                late.join(grid.coordinator().contact(), ENOUGH);
                return late;
              }));
    }
    joining.forEach(each -> valueOf(each, "a node joining"));

    var all = new ArrayList<>(accesses);
    all.addAll(strays);
    for (var access : all) {
      access.nodes("local").await(Nodes.atLeast(23), ENOUGH);
      assertThat(names(access.nodes("local"))).isEqualTo(names(grid.nodes()));
    }
  }

  @Test
  void knowsOfTheDeathOfANodeThatItHasNeverDealtWith() throws Exception {
    var first = accesses.get(1);
    var third = first.nodes("local").await(Nodes.atLeast(3), ENOUGH).get(2);
    assertThat(first.node().peers().known(third.id())).isNull();
    assertThat(third.isAlive()).isTrue();

    accesses.getFirst().ended("node-3", "killed");

    until(() -> !third.isAlive(), "the death being known");
    assertThatThrownBy(() -> ActiveObjects.on(third).create(Cell.class))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("killed");
  }

  @Test
  void tellsItsLauncherOfThoseThatJoinWhateverListenersDo() throws Exception {
    var held = new CompletableFuture<Void>();
    grid.nodes().onJoin(node -> held.join());
    var joined = new ConcurrentLinkedQueue<String>();
    accesses.getFirst().onJoin(node -> joined.add(node.name()));

    stray("late").join(grid.coordinator().contact(), ENOUGH);

    until(() -> joined.contains("late"), "the launcher hearing of it");
    held.complete(null);
  }

  @Test
  void tellsAWitnessHowTheSuspectEnded() {
    var one = cellOn(0);
    var three = cellOn(2);
    one.setOther(three);
    assertThat(one.sumOfOther()).isZero();
    ActiveObjects.ref(three).ask(c -> c.waitAndGive("held", 1));
    assertThat(three.sumAtOnce()).isEqualTo(42); // so the call before it is there, too
    var stuck = ActiveObjects.ref(one).ask(Cell::sumOfOther);
    var third = grid.get(2).id();
    accesses.getFirst().ended("node-2", "killed");

    accesses.getFirst().ended("node-3", "killed, too"); // news that can wait a moment
    accesses.get(1).suspect(third, "it is silent");

    assertThat(failureOf(stuck, "a call to the suspect")).hasMessageContaining("killed, too");
  }

  @Test
  void refusesASecondNodeOfOneName() throws Exception {
    var second = stray("node-1");

    assertThatThrownBy(() -> second.join(grid.coordinator().contact(), ENOUGH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("refused")
        .hasMessageContaining("a node 'node-1' already");
    assertThat(names(grid.nodes())).hasSize(3);
  }

  @Test
  void saysWhenThereIsNobodyToJoin() throws Exception {
    var lonely = stray("lonely");
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
  void noticesThatAMemberLeft() {
    var reasons = new ConcurrentLinkedQueue<String>();
    grid.nodes().onLeave((node, reason) -> reasons.add(node.name() + ": " + reason));
    var cell = cellOn(0);

    accesses.get(1).close();

    until(() -> names(accesses.get(3).nodes("local")).size() == 2, "node-3 hearing of it");
    until(() -> !reasons.isEmpty(), "the listener hearing of it");
    assertThat(reasons).containsExactly("node-1: it has left the grid");
    assertThat(failureOf(ActiveObjects.ref(cell).ask(Cell::sum), "a call to the one who left"))
        .isInstanceOf(NodeLostException.class);
  }

  @Test
  void changesInOneOrderForAll() throws Exception {
    List<ConcurrentLinkedQueue<String>> seen = new ArrayList<>();
    for (var access : accesses) {
      var mine = new ConcurrentLinkedQueue<String>();
      seen.add(mine);
      access.nodes("").await(Nodes.atLeast(3), ENOUGH);
      access.nodes("").onJoin(node -> mine.add("+" + node.name()));
      access.nodes("").onLeave((node, reason) -> mine.add("-" + node.name()));
      until(() -> mine.size() == 3, "the present members being told");
    }
    List<CompletableFuture<Void>> joining = new ArrayList<>();
    for (var i = 0; i < 8; i++) {
      var access = stray("late-" + i);
      joining.add(
          onPlatformThread(
              () -> {
                access.join(grid.coordinator().contact(), ENOUGH);
                access.close();
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
  void outlivesQuietTimes() {
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
    until(() -> names(accesses.get(1).nodes("local")).size() == 2, "node-1 hearing of it");
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
    accesses.get(1).onEnd(ended::complete);
    stopped = accesses.getFirst();

    transport.silence(0);
    pass(Duration.ofSeconds(110));
    assertThat(ended).isNotDone();
    pass(Duration.ofSeconds(20));

    assertThat(valueOf(ended, "the end of node-1"))
        .contains("the coordinator is lost: it has not been heard for 12")
        .endsWith("; a node waits 120 s for a program that is stopped");
    until(
        () -> accesses.get(1).node().peers().all().stream().allMatch(Peer::isLost),
        "node-1 waiting for nobody");
  }

  @Test
  void endsSoonWithACoordinatorThatRunsAndIsSilent() {
    cellOn(0).add(1);
    var ended = new CompletableFuture<String>();
    accesses.get(1).onEnd(ended::complete);
    stopped = accesses.getFirst(); // it must not be the one to judge

    transport.silence(0);
    pass(Duration.ofSeconds(4));
    transport.reset();
    accesses.get(1).beat();
    var coordinator = accesses.get(1).node().peers().known(stopped.node().id());
    until(coordinator::hasConnectedSilently, "another connection to the coordinator");
    pass(Duration.ofSeconds(14));

    assertThat(valueOf(ended, "the end of node-1"))
        .contains("the coordinator is lost: it has not been heard for 1");
  }

  @Test
  void endsAtOnceWithACoordinatorThatHasEnded() {
    cellOn(0).add(1);
    var ended = new CompletableFuture<String>();
    accesses.get(1).onEnd(ended::complete);

    accesses.getFirst().vanish();
    accesses.get(1).beat();

    assertThat(valueOf(ended, "the end of node-1"))
        .contains("the coordinator is lost: it cannot be reached");
  }

  @Test
  void outlivesACoordinatorThatIsStoppedForAMinute(LogRecords records) throws Exception {
    cellOn(0).add(1);
    pass(Duration.ofSeconds(10));
    var ended = new ConcurrentLinkedQueue<String>();
    accesses.subList(1, 4).forEach(access -> access.onEnd(ended::add));
    stopped = accesses.getFirst();
    stopped.heartbeat().runOnTime();

    transport.silence(0);
    pass(Duration.ofSeconds(60));
    transport.unsilence(0);
    stopped.heartbeat().runOnTime();
    stopped = null;
    pass(Duration.ofSeconds(30));

    assertThat(names(grid.nodes())).hasSize(3);
    assertThat(ended).isEmpty();
    assertThat(accesses.get(1).node().peers().all()).noneMatch(Peer::isLost);
    records.expect(WARNING, "node 'main' stood still for 58.0 s");
  }

  @Test
  void saysOfNodesThatEndedMeanwhileThatItStoodStillItself(LogRecords records) throws Exception {
    var reasons = new ConcurrentLinkedQueue<String>();
    grid.nodes().onLeave((node, reason) -> reasons.add(reason));
    var coordinator = accesses.getFirst();
    clock.addAndGet(Duration.ofSeconds(2).toNanos());
    coordinator.heartbeat().runOnTime();
    clock.addAndGet(Duration.ofSeconds(62).toNanos());
    coordinator.heartbeat().runOnTime();
    coordinator.ended("node-1", ExitReport.of("exit code 3"));
    clock.addAndGet(Duration.ofSeconds(152).toNanos());

    coordinator.ended("node-2", ExitReport.of("exit code 75")); // known before the pause is
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
  void tellsMembersToEnd() {
    var reasons = new ConcurrentLinkedQueue<String>();
    accesses.subList(1, 4).forEach(access -> access.onEnd(reasons::add));

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
  void isAwaitedUntilAllAreThere() throws Exception {
    grid.coordinator().expect("late", List.of("late"), () -> "");
    var nodes = grid.coordinator().nodes("late");
    var awaiting = onPlatformThread(() -> nodes.await(Nodes.all(), ENOUGH));

    stray("late").join(grid.coordinator().contact(), ENOUGH);

    assertThat(names(valueOf(awaiting, "the one who waits"))).containsExactly("late");
  }

  @Test
  void saysWhatItWaitsForWhenTheTimeIsOver() {
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
  void isNotAwaitedInVain() {
    grid.coordinator().expect("late", List.of("late"), () -> "");
    var nodes = grid.coordinator().nodes("late");
    var awaiting = onPlatformThread(() -> nodes.await(Nodes.all(), ENOUGH));

    grid.coordinator().ended("late", "exit code 3");

    assertThat(failureOf(awaiting, "the one who waits"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only 0 of the 1 node needed of virtual node 'late'")
        .hasMessageContaining("node 'late': exit code 3");
  }
}
