package org.troupe.activeobjects.internal.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explores the protocol of moving by random runs. */
class MoveProtocolTest {

  private static final long RUNS = Long.getLong("troupe.explore", 1_000);

  @Test
  void everyRunWithoutDeathsServesEachCallOnceAndInOrder() {
    assertThat(ends(false, MoveExplorer.WithoutRule.NONE, RUNS))
        .containsOnlyKeys(MoveExplorer.End.SOUND);
  }

  @Test
  void everyRunWithDeathsServesNoCallTwiceOrOutOfOrderAndHoldsNone() {
    assertThat(ends(true, MoveExplorer.WithoutRule.NONE, RUNS))
        .containsOnlyKeys(MoveExplorer.End.SOUND);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void withoutAnyRuleARunFails(MoveExplorer.WithoutRule without) {
    assertThat(ends(true, without, 20 * RUNS).keySet())
        .as("what runs end with")
        .anyMatch(end -> end != MoveExplorer.End.SOUND);
  }

  private static Map<MoveExplorer.End, Long> ends(
      boolean withDeaths, MoveExplorer.WithoutRule without, long runs) {
    Map<MoveExplorer.End, Long> seeds = new EnumMap<>(MoveExplorer.End.class);
    for (var seed = 0L; seed < runs; seed++) {
      var end = new MoveExplorer(seed, withDeaths, seed % 2 == 1, without).run();
      seeds.putIfAbsent(end, seed);
      if (without != MoveExplorer.WithoutRule.NONE && end != MoveExplorer.End.SOUND) {
        break;
      }
    }
    return seeds;
  }
}
