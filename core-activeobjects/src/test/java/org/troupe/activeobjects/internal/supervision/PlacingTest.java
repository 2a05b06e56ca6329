package org.troupe.activeobjects.internal.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.activeobjects.internal.object.ManualRestartClock;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.testing.LogRecords;

/** Nodes are found for objects that are made anew, while further nodes are being lost. */
@Timeout(60)
class PlacingTest {

  private static final int OBJECTS = 5;

  private final ManualRestartClock clock = new ManualRestartClock();
  private final List<NodeDescription> members = new CopyOnWriteArrayList<>();
  private final Set<NodeId> unreachable = new HashSet<>();
  private final AtomicBoolean isDeep = new AtomicBoolean(); // so that the next order fails
  private final List<ObjectIdentity> embodied = new CopyOnWriteArrayList<>();
  private final Map<ObjectIdentity, Set<ObjectIdentity>> watched = new ConcurrentHashMap<>();
  private final Supervisor supervisor =
      new Supervisor(new Object(), new PlaceDirectory<>(), new Members(), Duration.ofMinutes(1));

  /** Members, of which some cannot be reached any more, though their death is not known yet. */
  private final class Members implements Supervisor.Grid {

    @Override
    public List<NodeDescription> members() {
      return members;
    }

    @Override
    public CompletableFuture<Integer> objects(NodeDescription member) {
      requireReached(member);
      return CompletableFuture.completedFuture(0);
    }

    @Override
    public CompletableFuture<Supervisor.Made> embody(
        NodeDescription member, Supervisor.Order order) {
      if (unreachable.contains(member.id())) {
        return CompletableFuture.failedFuture(new NodeLostException("it is gone"));
      }
      if (isDeep.compareAndSet(true, false)) {
        throw new StackOverflowError("deep");
      }
      watched.put(order.identity(), order.object().leaders().keySet());
      embodied.add(order.identity());
      return CompletableFuture.completedFuture(new Supervisor.Made(Optional.empty(), ""));
    }

    private void requireReached(NodeDescription member) {
      if (unreachable.contains(member.id())) {
        throw new NodeLostException("it is gone");
      }
    }

    @Override
    public CompletableFuture<Map<String, String>> lostCopies(Set<String> journals) {
      return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public void schedule(Runnable action, long nanos) {
      if (nanos < Duration.ofSeconds(1).toNanos()) {
        clock.schedule(action, nanos);
      }
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
  }

  private static NodeDescription member(int number) {
    return new NodeDescription(
        new NodeId("n" + number, number), "", List.of("default"), "h", Map.of("processors", "4"));
  }

  private void lose(NodeDescription member, long change) {
    members.remove(member);
    var others = members.stream().map(NodeDescription::id).toList();
    supervisor.lost(change, member, "killed", Optional.empty(), others);
    others.forEach(each -> supervisor.acknowledged(each, change));
  }

  private List<ObjectIdentity> register(NodeDescription host) {
    var origin =
        new Origin.Constructor(
            new PortableValues(
                new byte[0], new int[0], new byte[0][], new Object[0], new Object[0]));
    var options = Options.STANDARD.withRestart(Restart.elsewhere());
    List<ObjectIdentity> identities = new ArrayList<>();
    for (var i = 1; i <= OBJECTS; i++) {
      var identity = new ObjectIdentity(host.id(), "", i);
      identities.add(identity);
      supervisor.register(
          identity,
          host,
          new Supervised("Worker", options, origin, RestartBudget.History.NONE, Map.of()));
    }
    return identities;
  }

  @Test
  void aNodeThatIsLostBeforeItTellsItsLoadDoesNotHoldUpTheOthers() {
    var lost = member(1);
    var dying = member(2);
    members.addAll(List.of(lost, dying, member(3)));
    var identities = register(lost);
    unreachable.add(dying.id());

    lose(lost, 1);
    for (var i = 0; i < OBJECTS; i++) {
      clock.endPause();
    }

    Waits.until(() -> embodied.size() == OBJECTS, "the objects being made anew");
    assertThat(embodied).containsExactlyInAnyOrderElementsOf(identities);
  }

  @Test
  void nodesThatFailAtOnceDoNotHoldUpTheOthers() {
    var lost = member(1);
    var dying = member(2);
    members.addAll(List.of(lost, dying));
    var identities = register(lost);
    lose(lost, 1);
    for (var i = 0; i < OBJECTS - 1; i++) {
      members.clear(); // so that all wait for a node
      clock.endPause();
    }
    clock.endPause();
    unreachable.add(dying.id());
    members.add(dying);
    supervisor.place(); // asks for loads; then each order fails at once
    Waits.until(() -> supervisor.unsettled().size() == OBJECTS, "the objects");
    members.add(member(3));

    lose(dying, 2);
    supervisor.place();

    Waits.until(() -> embodied.size() == OBJECTS, "the objects being made anew");
    assertThat(embodied).containsExactlyInAnyOrderElementsOf(identities);
  }

  @Test
  void anOrderThatFailsWithAnErrorIsRepeatedAndDoesNotHoldUpTheOthers() {
    var lost = member(1);
    members.addAll(List.of(lost, member(2)));
    var identities = register(lost);
    isDeep.set(true);

    lose(lost, 1);
    for (var i = 0; i < OBJECTS + 1; i++) { // one object has a second pause
      clock.endPause();
    }

    Waits.until(() -> embodied.size() == OBJECTS, "the objects being made anew");
    assertThat(embodied).containsExactlyInAnyOrderElementsOf(identities);
  }

  @Test
  void eachWatchIsKeptUntilItHasEnded() {
    var nodes = List.of(member(1), member(2), member(3));
    members.addAll(nodes);
    var object = register(nodes.get(0)).getFirst();
    var first = new ObjectIdentity(nodes.get(2).id(), "", 1);
    var second = new ObjectIdentity(nodes.get(2).id(), "", 2);
    supervisor.watches(object, first, "a stub");
    supervisor.watchesNoLonger(object, nodes.get(1).id(), first); // on a node that it is not on
    lose(nodes.get(0), 1);
    IntStream.range(0, OBJECTS).forEach(each -> clock.endPause());
    Waits.until(() -> embodied.size() == OBJECTS, "the objects being made anew");
    assertThat(watched.get(object)).containsExactly(first);

    var host = supervisor.standing(object);
    assertThat(host.isPresent()).isTrue();
    supervisor.watches(object, second, "a stub");
    members.stream()
        .map(NodeDescription::id)
        .forEach(each -> supervisor.watchesNoLonger(object, each, first));
    embodied.clear();
    members.add(member(4));
    List.copyOf(members).stream()
        .filter(each -> !each.id().name().equals("n4"))
        .forEach(each -> lose(each, 10 + each.id().incarnation()));
    IntStream.range(0, OBJECTS).forEach(each -> clock.endPause());
    Waits.until(() -> embodied.contains(object), "the object being made anew again");
    assertThat(watched.get(object)).containsExactly(second);
  }
}
