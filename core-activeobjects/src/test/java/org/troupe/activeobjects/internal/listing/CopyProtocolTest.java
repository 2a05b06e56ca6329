package org.troupe.activeobjects.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explores the protocol of reference listing by random runs, with deaths. */
class CopyProtocolTest {

  private static final long RUNS = Long.getLong("troupe.explore", 3_000);

  @Test
  void everyRunFindsTheObjectUnreferencedInTheEndAndNotBefore() {
    assertThat(ends(CopyExplorer.WithoutRule.NONE, RUNS)).containsOnlyKeys(CopyExplorer.End.SOUND);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void withoutAnyRuleARunFails(CopyExplorer.WithoutRule without) {
    assertThat(ends(without, 20 * RUNS).keySet())
        .as("what runs end with")
        .anyMatch(end -> end != CopyExplorer.End.SOUND);
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
