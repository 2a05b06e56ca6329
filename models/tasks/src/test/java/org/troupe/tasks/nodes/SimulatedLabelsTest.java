package org.troupe.tasks.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.tasks.engine.Spawn;
import org.troupe.testing.LogRecords;

/** Tasks with a label, over a network that reorders, while nodes are killed. */
@Timeout(300)
class SimulatedLabelsTest {

  private static final int SEEDS = Boolean.getBoolean("troupe.long") ? 500 : 10;
  private static final String LABEL = "gpu";

  /** A tree of which one fork of each frame has the label. */
  static final class Tree extends Spawn {
    private final int depth;
    private final boolean isLabelled;
    private long sum;

    Tree(int depth, boolean isLabelled) {
      this.depth = depth;
      this.isLabelled = isLabelled;
    }

    @Override
    protected void execute() {
      var thread = Thread.currentThread().getName();
      if (isLabelled && !thread.startsWith("simulated-1-") && !thread.startsWith("simulated-2-")) {
        throw new IllegalStateException("a labelled task runs on " + thread);
      }
      if (depth == 0) {
        sum = 1;
        return;
      }
      var children = new ArrayList<Tree>();
      for (var i = 0; i < 3; i++) {
        var child = new Tree(depth - 1, i == 1);
        children.add(i == 1 ? forkJob(child, LABEL) : forkJob(child));
      }
      joinForks();
      for (var each : children) {
        sum += each.sum;
      }
    }

    @Override
    protected Object outcome() {
      return sum;
    }

    @Override
    protected void setOutcome(@Nullable Object result) {
      sum = result instanceof Long number ? number : -1;
    }
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void areExecutedByTheirNodes(Strategy strategy, LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    for (var seed = 1; seed <= SEEDS; seed++) {
      execute(strategy, seed);
    }
  }

  private static void execute(Strategy strategy, int seed) throws Exception {
    var random = new Random(seed);
    var steps = new AtomicInteger();
    var observer =
        new SimulatedNodes.Observer() {
          @Override
          public void delivered(TaskMember from, TaskMember to, PacketKind kind) {
            steps.incrementAndGet();
          }
        };
    try (var nodes = new SimulatedNodes(SimulatedNodes.settings(strategy, true), seed, observer)) {
      for (var i = 0; i < 4; i++) {
        nodes.start(i == 3 ? "two" : "one", 1);
        for (var each = 0; each <= i; each++) { // in this order, as the program does
          nodes.get(each).labels(new Labels(i + 1, Map.of(LABEL, List.of(1, 2))));
        }
      }
      var root = nodes.get(0).engine().submitAnywhere(new Tree(4, false));
      nodes.get(0).fed();
      var until = steps.get() + random.nextInt(200);
      while (steps.get() < until && !root.isDone()) {
        Thread.onSpinWait();
      }
      if (seed % 2 == 0) {
        nodes.kill(2);
        for (var each : new int[] {0, 1, 3}) {
          nodes.get(each).labels(new Labels(9, Map.of(LABEL, List.of(1))));
        }
      }
      assertThat(root.get(60, TimeUnit.SECONDS).sum)
          .as("%s, seed %d", strategy, seed)
          .isEqualTo(81);
    }
  }
}
