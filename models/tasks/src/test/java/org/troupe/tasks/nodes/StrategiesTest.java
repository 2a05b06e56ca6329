package org.troupe.tasks.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.tasks.LongJob;
import org.troupe.tasks.Tasks;

/** Whom nodes ask for tasks, and that each strategy reaches all nodes. */
@Timeout(60)
class StrategiesTest {

  private static volatile CountDownLatch met = new CountDownLatch(0);

  private record Asked(TaskMember thief, TaskMember victim) {}

  private final List<Asked> requests = new CopyOnWriteArrayList<>(); // read while nodes still ask
  private volatile int mostFarUnderWay;

  /** Returns an observer of some nodes, which counts their messages only. */
  private SimulatedNodes.Observer observer() {
    Map<Integer, Integer> farUnderWay = new HashMap<>(); // one message at a time
    return new SimulatedNodes.Observer() {
      @Override
      public void sent(TaskMember from, TaskMember to, PacketKind kind) {
        if (kind == PacketKind.STEAL) {
          requests.add(new Asked(from, to));
          if (!from.cluster().equals(to.cluster())) {
            int now = farUnderWay.merge(from.number(), 1, Integer::sum);
            mostFarUnderWay = Math.max(mostFarUnderWay, now);
          }
        }
      }

      @Override
      public void delivered(TaskMember from, TaskMember to, PacketKind kind) {
        if ((kind == PacketKind.REFUSED || kind == PacketKind.TASKS)
            && !from.cluster().equals(to.cluster())) {
          farUnderWay.merge(to.number(), -1, (sum, one) -> Math.max(0, sum + one));
        }
      }
    };
  }

  /** Waits until as many of it run as there are nodes, which each can reach only once. */
  static final class Meeting extends LongJob {
    private final int more;

    Meeting(int more) {
      this.more = more;
    }

    @Override
    protected long compute() {
      long rest = 0;
      if (more > 1) {
        var others = fork(new Meeting(more - 1));
        await();
        sync();
        rest = others.result();
      } else {
        await();
      }
      return rest + 1;
    }

    private static void await() {
      met.countDown();
      try {
        if (!met.await(40, TimeUnit.SECONDS)) {
          throw new IllegalStateException(met.getCount() + " nodes did not come");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private SimulatedNodes meet(Strategy strategy, int workersOfProgram) throws Exception {
    var nodes = new SimulatedNodes(SimulatedNodes.settings(strategy, true), 7, observer());
    nodes.start("one", workersOfProgram);
    int number = 4 + workersOfProgram;
    met = new CountDownLatch(number);
    for (var cluster : List.of("one", "two", "one", "two")) {
      nodes.start(cluster, 1);
    }
    // With its own workers the program's node has the root, as MW wants it.
    var engine = nodes.get(0).engine();
    var root = new Meeting(number);
    var ended = workersOfProgram > 0 ? engine.submit(root) : engine.submitAnywhere(root);
    nodes.get(0).fed();
    assertThat(ended.get(50, TimeUnit.SECONDS).result()).isEqualTo(number);
    return nodes;
  }

  @Test
  void randomStealingAsksNodesOfAllClusters() throws Exception {
    try (var nodes = meet(Strategy.RS, 0)) {
      assertThat(requests)
          .anyMatch(each -> !each.thief.cluster().equals(each.victim.cluster()))
          .anyMatch(each -> each.thief.cluster().equals(each.victim.cluster()));
      assertThat(nodes.get(2).totals().fromBeyond() + nodes.get(4).totals().fromBeyond())
          .isPositive();
    }
  }

  @Test
  void clusterAwareStealingHasOneFarRequestUnderWay() throws Exception {
    for (int round = 0; round < 5; round++) {
      try (var nodes = meet(Strategy.CRS, 0)) {
        assertThat(nodes.get(2).totals().fromBeyond() + nodes.get(4).totals().fromBeyond())
            .isPositive();
      }
    }
    assertThat(mostFarUnderWay).isOne();
  }

  @Test
  void masterWorkerStealingAsksTheProgramOnly() throws Exception {
    requests.clear();
    // A chain of forks would end at the first worker that is not the master; so the master forks
    // all.
    try (var nodes =
        new SimulatedNodes(SimulatedNodes.settings(Strategy.MW, true), 7, observer())) {
      nodes.start("one", 1);
      for (var cluster : List.of("one", "two", "one")) {
        nodes.start(cluster, 1);
      }
      met = new CountDownLatch(4);
      var root = nodes.get(0).engine().submit(new Master(4));
      assertThat(root.get(50, TimeUnit.SECONDS).result()).isEqualTo(4);
      assertThat(requests).allMatch(each -> each.victim.number() == 0).isNotEmpty();
    }
  }

  static final class Master extends LongJob {
    private final int number;

    Master(int number) {
      this.number = number;
    }

    @Override
    protected long compute() {
      var forks = new ArrayList<Meeting>();
      for (int i = 0; i < number; i++) {
        forks.add(fork(new Meeting(1)));
      }
      while (met.getCount() > 1) { // it gives to the others until each has one
        Tasks.checkpoint();
      }
      sync();
      return forks.stream().mapToLong(Meeting::result).sum();
    }
  }
}
