package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rounds become rare while nothing happens. */
class RoundPaceTest {

  private static final long SECOND = 1_000_000_000;

  private final RoundPace pace = new RoundPace(10 * SECOND);

  @Test
  void pausesGrowAfterQuietRoundsAndNewsEndThem() {
    assertThat(pace.intervalNanos(SECOND)).isEqualTo(SECOND);
    quietRounds(2);
    assertThat(pace.intervalNanos(SECOND)).isEqualTo(SECOND);
    quietRounds(1);
    assertThat(pace.intervalNanos(SECOND)).isEqualTo(2 * SECOND);
    quietRounds(1);
    assertThat(pace.intervalNanos(SECOND)).isEqualTo(4 * SECOND);
    pace.ended(true);
    assertThat(pace.intervalNanos(SECOND)).isEqualTo(SECOND);
  }

  @Test
  void pausesAreNeverLongerThanTheStreamPromisesNorShorterThanAsked() {
    quietRounds(4);
    assertThat(pace.intervalNanos(4 * SECOND)).isEqualTo(10 * SECOND);
    quietRounds(1_000);
    assertThat(pace.intervalNanos(SECOND)).isEqualTo(10 * SECOND);
    assertThat(pace.intervalNanos(12 * SECOND)).isEqualTo(12 * SECOND);
  }

  private void quietRounds(int count) {
    for (var i = 0; i < count; i++) {
      pace.ended(false);
    }
  }

  @Test
  void memoryTimesAndTrafficAreNoNews() {
    assertThat(RoundPace.isNews(node(load(1, 0, 0)), node(load(9, 0, 0)))).isFalse();
    assertThat(RoundPace.isNews(pair(1), pair(2))).isFalse();
  }

  @Test
  void requestsWaitsAndNewRowsAreNews() {
    assertThat(RoundPace.isNews(node(load(1, 0, 0)), node(load(1, 1, 0)))).isTrue();
    assertThat(RoundPace.isNews(node(load(1, 0, 0)), node(load(1, 0, 1)))).isTrue();
    assertThat(RoundPace.isNews(node(null), node(load(1, 0, 0)))).isTrue();
    assertThat(RoundPace.isNews(null, pair(1))).isTrue();
    assertThat(
            RoundPace.isNews(
                new WatchRecord.Queues("n1", List.of()),
                new WatchRecord.Queues(
                    "n1", List.of(new WatchRecord.Queue("n1#1", "acme.Worker", 3, "", "", -1, 0)))))
        .isTrue();
  }

  private static WatchRecord.Pair pair(long bytes) {
    return new WatchRecord.Pair("n1", "n2", "tcp", 1, bytes, 0, 0);
  }

  private static WatchRecord.Node node(WatchRecord.@Nullable Load load) {
    return new WatchRecord.Node("n1", "", "h", "", List.of(), "joined", "", 0, false, load);
  }

  private static WatchRecord.Load load(long heap, int waiting, long served) {
    return new WatchRecord.Load(
        "counts", heap, 9, 0, heap, 4, heap, 0, heap, 1, 0, waiting, 0, served, 0, 0, 0, 0, 0);
  }
}
