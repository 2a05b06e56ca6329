package org.troupe.activeobjects.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explores the protocol of logged objects by random runs. */
class ReplayProtocolTest {

  private static final long RUNS = Long.getLong("troupe.explore", 1_000);

  @Test
  void everyRunWithFaultsEndsLikeOneWithout() {
    assertThat(ends(ReplayExplorer.WithoutRule.NONE, RUNS))
        .containsOnlyKeys(ReplayExplorer.End.SOUND);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void withoutAnyRuleARunFails(ReplayExplorer.WithoutRule without) {
    assertThat(ends(without, 10 * RUNS).keySet())
        .as("what runs end with")
        .anyMatch(end -> end != ReplayExplorer.End.SOUND);
  }

  private static Map<ReplayExplorer.End, Long> ends(ReplayExplorer.WithoutRule without, long runs) {
    Map<ReplayExplorer.End, Long> seeds = new EnumMap<>(ReplayExplorer.End.class);
    for (var seed = without.firstSeed; seed < without.firstSeed + runs; seed++) {
      var end = new ReplayExplorer(seed, without).run();
      seeds.putIfAbsent(end, seed);
      if (without != ReplayExplorer.WithoutRule.NONE && end != ReplayExplorer.End.SOUND) {
        break;
      }
    }
    return seeds;
  }
}
