package org.troupe.activeobjects.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explores the collection of objects that have moved by random runs, with deaths. */
class GuestProtocolTest {

  private static final long RUNS = Long.getLong("troupe.explore", 1_000);

  @Test
  void everyRunCollectsTheObjectInTheEndAndNotBefore() {
    assertThat(ends(GuestExplorer.WithoutRule.NONE, RUNS))
        .containsOnlyKeys(GuestExplorer.End.SOUND);
  }

  // The seven others rest on the proof in DepartedObject. Of 60,000 runs without BODIES_AT_BIRTH
  // one has failed, with other weights; without PINNED_AFTER_LOSS runs only collect nothing;
  // without one of the rest none has failed.
  @ParameterizedTest
  @EnumSource(
      names = {
        "COPY_TAKEN_ALONG",
        "REPORT_BEFORE_ANSWER",
        "SAME_VERSION",
        "GIFTS_HOLD",
        "NOTHING_LEARNT",
        "MARKS",
        "IDLE_ROUTES",
        "CALLER_HELD",
        "NAMES_PIN",
        "HELD_AGAIN",
        "COPIES_ON_THEIR_WAY",
        "TAKEN_BACK",
        "HELD_UNTIL_NUMBERED"
      })
  void withoutSuchARuleARunFails(GuestExplorer.WithoutRule without) {
    assertThat(ends(without, 20 * RUNS).keySet())
        .as("what runs end with")
        .anyMatch(end -> end != GuestExplorer.End.SOUND);
  }

  private static Map<GuestExplorer.End, Long> ends(GuestExplorer.WithoutRule without, long runs) {
    Map<GuestExplorer.End, Long> seeds = new EnumMap<>(GuestExplorer.End.class);
    for (var seed = without.firstSeed; seed < without.firstSeed + runs; seed++) {
      var end = new GuestExplorer(seed, without).run();
      seeds.putIfAbsent(end, seed);
      if (without != GuestExplorer.WithoutRule.NONE && end != GuestExplorer.End.SOUND) {
        break;
      }
    }
    return seeds;
  }
}
