package org.troupe.activeobjects.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explores the collection of cycles over nodes by random runs, with deaths. */
class CycleProtocolTest {

  private static final long RUNS = Long.getLong("troupe.explore", 400);

  @Test
  void everyRunCollectsAllObjectsInTheEndAndNoneThatCanBeReached() {
    assertThat(ends(CycleExplorer.WithoutRule.NONE, RUNS))
        .containsOnlyKeys(CycleExplorer.End.SOUND);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void withoutAnyRuleARunFails(CycleExplorer.WithoutRule without) {
    assertThat(ends(without, 250 * RUNS).keySet())
        .as("what runs end with")
        .anyMatch(end -> end != CycleExplorer.End.SOUND);
  }

  @Test
  void onlyCyclesAndWhatTheyNameAreCandidates() {
    var ring = suspect(1, Set.of(20L), new ObjectName(20, 1));
    var other = suspect(1, Set.of(10L), new ObjectName(10, 1), new ObjectName(10, 2));
    var named = suspect(2, Set.of(20L));
    var reached = suspect(3, Set.of(20L, 30L)); // also by a node without suspects
    var alone = suspect(4, Set.of());
    assertThat(
            new CycleSearch()
                .candidates(Map.of(10L, List.of(ring, named, reached, alone), 20L, List.of(other))))
        .isEqualTo(Map.of(10L, Set.of(1L, 2L), 20L, Set.of(1L)));
  }

  @Test
  void nodesThatHoldPartsOfCyclesAreAskedToCollect() {
    var ring = suspect(1, Set.of(20L, 30L), new ObjectName(20, 1));
    var other = suspect(1, Set.of(10L), new ObjectName(10, 1));
    var alone = suspect(2, Set.of(40L));
    assertThat(
            new CycleSearch().otherHolders(Map.of(10L, List.of(ring, alone), 20L, List.of(other))))
        .containsExactly(30L);
  }

  private static Suspect suspect(long number, Set<Long> holders, ObjectName... names) {
    return new Suspect(number, holders, List.of(names));
  }

  private static Map<CycleExplorer.End, Long> ends(CycleExplorer.WithoutRule without, long runs) {
    Map<CycleExplorer.End, Long> seeds = new EnumMap<>(CycleExplorer.End.class);
    for (var seed = without.firstSeed; seed < without.firstSeed + runs; seed++) {
      var end = new CycleExplorer(seed, without).run();
      seeds.putIfAbsent(end, seed);
      if (without != CycleExplorer.WithoutRule.NONE && end != CycleExplorer.End.SOUND) {
        break;
      }
    }
    return seeds;
  }
}
