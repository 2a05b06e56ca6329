package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.groups.Solvers.Mesh;
import org.troupe.groups.Solvers.Solver;

/** Answers that are combined between nodes on their way to the caller. */
@Timeout(120)
class NodeTreeTest {

  /** Fails where two parts meet, one of which ends and the other begins with these. */
  private static Reduction<String> failingBetween(String left, String right) {
    return Reduction.tree(
        (one, other) -> {
          if (one.endsWith(left) && other.startsWith(right)) {
            throw new IllegalStateException(one + " meets " + other);
          }
          return one + other;
        });
  }

  private static Group<Solver> group(LocalNodes nodes, int onEach) {
    return Group.of(
        Groups.on(nodes.list())
            .each(onEach)
            .create(Solver.class, Scatter.byRank(rank -> new Mesh(rank))));
  }

  @ParameterizedTest
  @CsvSource({"3,1", "3,2", "4,2", "5,1", "6,3", "7,1"})
  void keepsTheOrderOfRanks(int nodeCount, int onEach) {
    try (var nodes = LocalNodes.start(nodeCount)) {
      var group = group(nodes, onEach);
      var expected =
          String.join("", IntStream.range(0, group.size()).mapToObj(each -> "s" + each).toList());
      for (var time = 0; time < 3; time++) {
        assertThat(group.each(Solver::name).combine(Reduction.tree(String::concat)).join())
            .isEqualTo(expected);
      }
      // Each with its own call
      assertThat(
              group
                  .byRank((s, rank) -> s.with("/" + rank + " "))
                  .combine(Reduction.tree(String::concat))
                  .join()
                  .split(" "))
          .hasSize(group.size())
          .endsWith("s" + (group.size() - 1) + "/" + (group.size() - 1));
    }
  }

  @Test
  void meetsFromNodeToNode() {
    try (var nodes = LocalNodes.start(5)) {
      var group = group(nodes, 2);
      // Those of the third and fourth node meet at the third, and both with the first two at the
      // first
      assertThatThrownBy(() -> group.each(Solver::name).combine(failingBetween("s5", "s6")).join())
          .hasMessageContaining("node 'node-3' could not combine")
          .hasMessageContaining("s4s5 meets s6s7");
      assertThatThrownBy(() -> group.each(Solver::name).combine(failingBetween("s3", "s4")).join())
          .hasMessageContaining("node 'node-1' could not combine")
          .hasMessageContaining("s0s1s2s3 meets s4s5s6s7");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 7})
  void aFailureOfOneMemberIsTheFailureOfTheCombination(int failing) {
    try (var nodes = LocalNodes.start(4)) {
      var group = group(nodes, 2);
      Reduction<Double> sum = Reduction.tree(Double::sum);
      assertThatThrownBy(() -> group.each(s -> s.fragile(failing)).combine(sum).join())
          .hasCauseInstanceOf(GroupCallException.class)
          .hasMessageContaining("rank " + failing + " (node 'node-" + (failing / 2 + 1) + "')");
      assertThat(group.each(s -> s.fragile(-1)).combine(sum).join()).isEqualTo(28.0);
    }
  }

  @Test
  void aMemberThatHasEndedDoesNotKeepTheCombinationForEver() {
    try (var nodes = LocalNodes.start(4)) {
      for (var ended : List.of(0, 2, 7)) {
        var group = group(nodes, 2);
        ActiveObjects.ref(group.get(ended)).terminate().join();
        assertThatThrownBy(
                () -> group.each(Solver::name).combine(Reduction.tree(String::concat)).join())
            .hasCauseInstanceOf(GroupCallException.class);
      }
    }
  }

  @Test
  void comesThroughThoughTheMembersEndBehindTheirAnswers() {
    try (var nodes = LocalNodes.start(4)) {
      var group = group(nodes, 1);
      var all = group.each(Solver::name).combine(Reduction.tree(String::concat));
      group.members().forEach(each -> ActiveObjects.ref(each).terminate());
      assertThat(all.join()).isEqualTo("s0s1s2s3");
    }
  }

  @Test
  void isOverWhenTheCallerIsLost() {
    try (var nodes = LocalNodes.start(3)) {
      var refs = group(nodes, 1).refs();
      var call = new BodyExtension.Key(17, 1);
      var tree = new NodeTree<>(call, Reduction.tree(String::concat), refs, 0);
      tree.lost(new NodeId("other", 16), "it is gone");
      assertThat(tree.isOver()).isFalse();
      tree.lost(new NodeId("caller", 17), "it is gone");
      assertThat(tree.isOver()).isTrue();
    }
  }

  private static final CountDownLatch MET = new CountDownLatch(1);
  private static final CompletableFuture<Void> LOST = new CompletableFuture<>();

  @Test
  void aNodeThatIsLostWithWhatItHasCombinedFailsAll() throws Exception {
    Reduction<String> stopping =
        Reduction.tree(
            (one, other) -> {
              if (one.equals("s4s5")) { // at the third node, whose members have answered by then
                MET.countDown();
                LOST.join();
              }
              return one + other;
            });
    try (var nodes = LocalNodes.start(4)) {
      var all = group(nodes, 2).each(Solver::name).combine(stopping);
      assertThat(MET.await(60, TimeUnit.SECONDS)).isTrue();
      nodes.kill(2);
      assertThatThrownBy(all::join).hasMessageContaining("node 'node-3' is gone");
      LOST.complete(null);
    }
  }
}
