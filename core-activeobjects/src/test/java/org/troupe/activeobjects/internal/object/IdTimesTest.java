package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdTimesTest {

  private final IdTimes times = new IdTimes(1_000);

  @Test
  void anIdWasDrawnAfterTheLastTickBeforeIt() {
    times.tick(2_000, 10);
    times.tick(3_000, 10);
    times.tick(4_000, 20);

    assertThat(times.before(1)).isEqualTo(1_000);
    assertThat(times.before(10)).isEqualTo(1_000);
    assertThat(times.before(11)).isEqualTo(3_000);
    assertThat(times.before(21)).isEqualTo(4_000);
  }

  @Test
  void oldIdsAreKnownLessExactlyButForEver() {
    for (var i = 1; i <= 10 * IdTimes.MOST; i++) {
      times.tick(1_000 + i, i);
      assertThat(times.before(i + 1)).isEqualTo(1_000 + i);
    }

    assertThat(times.before(1)).isEqualTo(1_000);
    for (var id = 2; id <= 10 * IdTimes.MOST; id += 97) {
      assertThat(times.before(id)).isBetween(1_000L, 1_000L + id - 1);
    }
  }
}
