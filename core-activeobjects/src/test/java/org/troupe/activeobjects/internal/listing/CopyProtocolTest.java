package org.troupe.activeobjects.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explores the protocol of reference listing by random runs, with deaths. */
class CopyProtocolTest {

  private static final long RUNS = Long.getLong("troupe.explore", 1_000);

  @Test
  void everyRunFindsTheObjectUnreferencedInTheEndAndNotBefore() {
    assertThat(ends(CopyExplorer.WithoutRule.NONE, RUNS)).containsOnlyKeys(CopyExplorer.End.SOUND);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "ORDERED_STATEMENTS", "ANNOUNCED_LOSSES"})
  void withoutAnyRuleARunFails(CopyExplorer.WithoutRule without) {
    assertThat(ends(without, 20 * RUNS).keySet())
        .as("what runs end with")
        .anyMatch(end -> end != CopyExplorer.End.SOUND);
  }

  @Test
  void aLossIsNotSettledBeforeTheHostHasTheChangesThatALaterStatementAwaits() {
    assertThat(isUnreferencedAfterTwoLosses(CopyExplorer.WithoutRule.NONE)).isFalse();
    assertThat(isUnreferencedAfterTwoLosses(CopyExplorer.WithoutRule.ORDERED_STATEMENTS)).isTrue();
  }

  /**
   * Returns whether the host finds its object unreferenced while a node has a copy: a member has
   * got one from a node that is lost, and passed it on. The host has not taken that news when the
   * member states two losses, and has applied the first one only.
   */
  private static boolean isUnreferencedAfterTwoLosses(CopyExplorer.WithoutRule without) {
    var explorer = new CopyExplorer(0, without);
    var coordinator = CopyExplorer.COORDINATOR;
    var host = CopyExplorer.HOST;
    var first = 2;
    var second = 3;
    var member = 4;
    var holder = 5;
    for (var link : new int[][] {{host, first}, {first, member}, {member, holder}}) {
      explorer.give(link[0], link[1]);
      explorer.deliver(link[0], link[1]);
    }
    explorer.isRootAtHost = false;
    CopyExplorer.drop(explorer.nodes.get(member));
    explorer.tell(member); // on its way until the end
    explorer.die(first);
    explorer.die(second);
    for (var node : new int[] {coordinator, host, member, holder}) {
      if (node != coordinator) {
        explorer.deliver(coordinator, node);
        explorer.deliver(coordinator, node);
      }
      var losses = List.copyOf(explorer.nodes.get(node).toApply);
      losses.stream().limit(node == host ? 1 : 2).forEach(each -> explorer.apply(node, each));
    }
    for (var node : new int[] {coordinator, member, holder}) {
      var losses = List.copyOf(explorer.nodes.get(node).toState);
      if (without == CopyExplorer.WithoutRule.ORDERED_STATEMENTS) {
        losses.reversed().forEach(each -> explorer.state(node, List.of(each)));
      } else {
        explorer.state(node, losses);
      }
    }
    for (var node : new int[] {host, member, holder}) {
      explorer.deliverAll(node, coordinator);
    }
    explorer.deliverAll(coordinator, host);
    assertThat(explorer.isReachable()).isTrue();
    return explorer.hosted.isUnreferenced();
  }

  @Test
  void anEarlierLossSettlesNothingWhileALossIsAnnouncedButNotApplied() {
    assertThat(isUnreferencedBeforeALoss(CopyExplorer.WithoutRule.NONE)).isFalse();
    assertThat(isUnreferencedBeforeALoss(CopyExplorer.WithoutRule.ANNOUNCED_LOSSES)).isTrue();
  }

  /**
   * Returns whether the host finds its object unreferenced while a node has a copy: another has got
   * one from a node that is lost, has passed it on, and is lost before it has stated that. The host
   * has heard of the second loss, but has not applied it, when it learns that the first is settled.
   */
  private static boolean isUnreferencedBeforeALoss(CopyExplorer.WithoutRule without) {
    var explorer = new CopyExplorer(0, without);
    var coordinator = CopyExplorer.COORDINATOR;
    var host = CopyExplorer.HOST;
    var first = 2;
    var second = 3;
    var holder = 4;
    var other = 5;
    for (var link : new int[][] {{host, first}, {first, second}, {second, holder}}) {
      explorer.give(link[0], link[1]);
      explorer.deliver(link[0], link[1]);
    }
    explorer.isRootAtHost = false;
    explorer.die(first);
    for (var node : new int[] {coordinator, host, holder, other}) {
      if (node != coordinator) {
        explorer.deliver(coordinator, node);
      }
      explorer.apply(node, explorer.nodes.get(node).toApply.getFirst());
      if (node != host) {
        explorer.state(node, List.copyOf(explorer.nodes.get(node).toState));
      }
      if (node != coordinator) {
        explorer.deliverAll(node, coordinator);
      }
    }
    explorer.die(second);
    explorer.deliverAll(coordinator, host);
    assertThat(explorer.isReachable()).isTrue();
    return explorer.hosted.isUnreferenced();
  }

  private static Map<CopyExplorer.End, Long> ends(CopyExplorer.WithoutRule without, long runs) {
    Map<CopyExplorer.End, Long> seeds = new EnumMap<>(CopyExplorer.End.class);
    for (var seed = without.firstSeed; seed < without.firstSeed + runs; seed++) {
      var end = new CopyExplorer(seed, without).run();
      seeds.putIfAbsent(end, seed);
      if (without != CopyExplorer.WithoutRule.NONE && end != CopyExplorer.End.SOUND) {
        break;
      }
    }
    return seeds;
  }
}
