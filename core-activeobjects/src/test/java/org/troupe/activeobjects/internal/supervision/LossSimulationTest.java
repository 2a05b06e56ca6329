package org.troupe.activeobjects.internal.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.testing.LogRecords;

/**
 * Simulates the loss of a node with many objects in a large grid. {@code -Dtroupe.scale=100} has
 * 1,000 nodes, of which one is lost with 10,000 objects, beside a million others; the default has a
 * hundredth of the objects.
 */
@Timeout(300)
class LossSimulationTest {

  private static final int PERCENT = Integer.getInteger("troupe.scale", 1);
  private static final int NODES = 10 * PERCENT + 1;
  private static final int LOST = 100 * PERCENT;
  private static final int OTHERS = 10_000 * PERCENT;
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final long MAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<NodeDescription> members = new ArrayList<>();
  private final Map<NodeId, Integer> made = new HashMap<>();
  private final CountDownLatch remaining = new CountDownLatch(LOST);
  private final PlaceDirectory<ObjectIdentity> places = new PlaceDirectory<>();
  private final Members grid = new Members();
  private final Supervisor supervisor = new Supervisor(new Object(), places, grid, WAIT);

  /** An action at a moment of the simulated clock. */
  private record Scheduled(long at, long order, Runnable action) {}

  /** Members that make each object in the same time. */
  private final class Members implements Supervisor.Grid {
    private final PriorityQueue<Scheduled> scheduled =
        new PriorityQueue<>(
            Comparator.comparingLong(Scheduled::at).thenComparingLong(Scheduled::order));
    private long now;
    private long orders;
    private int ordered;

    @Override
    public List<NodeDescription> members() {
      return members;
    }

    @Override
    public synchronized CompletableFuture<Integer> objects(NodeDescription member) {
      return CompletableFuture.completedFuture(made.getOrDefault(member.id(), 0));
    }

    @Override
    public synchronized CompletableFuture<Supervisor.Made> embody(
        NodeDescription member, Supervisor.Order order) {
      ordered++;
      made.merge(member.id(), 1, Integer::sum);
      var done = new CompletableFuture<Supervisor.Made>();
      schedule(
          () -> {
            done.complete(new Supervisor.Made(Optional.empty(), ""));
            remaining.countDown();
          },
          MAKING_NANOS);
      return done;
    }

    @Override
    public CompletableFuture<Map<String, String>> lostCopies(Set<String> journals) {
      return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public synchronized long nanoTime() {
      return now;
    }

    @Override
    public synchronized void schedule(Runnable action, long nanos) {
      if (nanos < WAIT.toNanos()) { // nothing has to wait for a node
        scheduled.add(new Scheduled(now + nanos, orders++, action));
      }
    }

    /** Takes the next action, at whose time the clock then is; {@code null} if there is none. */
    private synchronized @Nullable Scheduled next() {
      var next = scheduled.poll();
      if (next != null) {
        now = next.at;
      }
      return next;
    }
  }

  private static NodeDescription member(int number) {
    return new NodeDescription(
        new NodeId("n" + number, number), "", List.of("default"), "h", Map.of("processors", "4"));
  }

  private void register(NodeDescription host, int count) {
    var origin =
        new Origin.Constructor(
            new PortableValues(
                new byte[0], new int[0], new byte[0][], new Object[0], new Object[0]));
    var options = Options.STANDARD.withRestart(Restart.elsewhere());
    for (var i = 1; i <= count; i++) {
      supervisor.register(
          new ObjectIdentity(host.id(), "", i),
          host,
          new Supervised("Worker", options, origin, RestartBudget.History.NONE, Map.of()));
    }
  }

  @Test
  void survivorsShareTheObjectsOfALostNodeEvenly(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "restarted on another node");
    for (var i = 0; i < NODES; i++) {
      members.add(member(i));
    }
    var lost = members.getLast();
    register(lost, LOST);
    for (var each : members.subList(0, NODES - 1)) {
      register(each, OTHERS / (NODES - 1));
    }

    members.remove(lost);
    var others = members.stream().map(NodeDescription::id).toList();
    supervisor.lost(1, lost, "killed", Optional.empty(), others);
    others.forEach(each -> supervisor.acknowledged(each, 1));
    while (remaining.getCount() > 0) {
      var next = grid.next();
      if (next != null) {
        next.action.run();
      } else {
        Thread.onSpinWait(); // another thread finds nodes for the objects
      }
    }

    assertThat(grid.ordered).as("orders").isEqualTo(LOST);
    assertThat(made.values()).as("shares").hasSize(NODES - 1);
    var shares = made.values().stream().mapToInt(Integer::intValue).summaryStatistics();
    assertThat(shares.getMax()).as("the largest share").isLessThanOrEqualTo(2 * shares.getMin());
  }
}
