package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.hosting.NodeVitals;

/** The past of nodes is kept in a bounded memory. */
class FlightRingTest {

  private static final long SECOND = 1_000_000_000L;

  private FlightRing ring = new FlightRing();

  /** Adds the vital signs of a node that has served ten requests in each second. */
  private void add(String node, long second) {
    ring.add(
        node,
        second * 1_000,
        second * SECOND,
        new NodeVitals(
            64 << 20, 1 << 30, second * SECOND / 2, 0, 3, 1, second * 10, second, second * 4096));
  }

  private List<WatchRecord.Vitals> all() {
    List<WatchRecord.Vitals> all = new ArrayList<>();
    for (var seen = 0L; seen < ring.last(); ) {
      var part = ring.behind(seen);
      part.rows().forEach(each -> all.add((WatchRecord.Vitals) each));
      assertThat(part.upTo()).isGreaterThan(seen);
      seen = part.upTo();
    }
    return all;
  }

  private static int points(List<WatchRecord.Vitals> rows) {
    return rows.stream().mapToInt(each -> each.timeMillis().size()).sum();
  }

  @Test
  void twoReadingsMakeAPointOfRates() {
    add("n1", 100);
    assertThat(all()).isEmpty();
    add("n1", 102);
    add("n2", 102);

    assertThat(all())
        .containsExactly(
            new WatchRecord.Vitals(
                "n1",
                List.of(102_000L),
                List.of(2f),
                List.of(0.5f),
                List.of(0f),
                List.of(64L << 20),
                List.of(1L << 30),
                List.of(3),
                List.of(1),
                List.of(10f),
                List.of(1f),
                List.of(4096f)));
    assertThat(ring.behind(ring.last()).rows()).isEmpty();
  }

  @Test
  void onlyWorkThatVitalSignsShowIsAChange() {
    var idle = new NodeVitals(1, 2, 3, 4, 0, 0, 5, 0, 6);
    var warmer = new NodeVitals(2, 3, 4, 5, 0, 0, 5, 0, 7);
    var worked = new NodeVitals(2, 3, 4, 5, 0, 0, 6, 0, 7);
    ring.add("n1", 0, 1, idle);
    ring.add("n1", 0, 2, warmer);
    assertThat(ring.changes()).isZero();
    ring.add("n1", 0, 3, worked);
    assertThat(ring.changes()).isEqualTo(1);
  }

  @Test
  void pointsOfMoreThanHalfAnHourAgoAreAveragesOfTenSeconds() {
    for (var second = 0; second <= 3_600; second++) {
      add("n1", second);
    }
    var rows = all();

    assertThat(points(rows)).isBetween(1_800 + 179, 1_801 + 181);
    assertThat(rows.getFirst().spanSeconds().getFirst()).isEqualTo(10f);
    assertThat(rows.getFirst().served().getFirst()).isCloseTo(10f, within(0.01f));
    assertThat(rows.getLast().spanSeconds().getLast()).isEqualTo(1f);
    assertThat(rows.stream().flatMap(each -> each.timeMillis().stream())).isSorted();
  }

  @Test
  void pointsOfMoreThanADayAgoAreDropped() {
    for (var second = 0L; second <= 30 * 3_600; second += 2) {
      add("n1", second);
    }

    assertThat(all().getFirst().timeMillis().getFirst()).isBetween(21_600_000L, 21_620_000L);
    assertThat(ring.size()).isLessThan(900 + 8_640 + 10);
  }

  @Test
  void theNodeWithMostPointsDropsItsOldestWhenThereAreTooMany() {
    ring = new FlightRing(1_000);
    for (var second = 0; second <= 2_000; second++) {
      add("n1", second);
      if (second >= 1_900) {
        add("n2", second);
      }
    }

    assertThat(ring.size()).isLessThanOrEqualTo(1_000);
    assertThat(points(all())).isEqualTo(ring.size());
    var ofOther = all().stream().filter(each -> each.node().equals("n2")).toList();
    assertThat(points(ofOther)).isEqualTo(100);
    assertThat(all().getLast().timeMillis().getLast()).isEqualTo(2_000_000L);
  }

  @Test
  void aLongPastComesInParts() {
    for (var second = 0; second <= 60; second++) {
      for (var node = 0; node < 1_000; node++) {
        add("n" + node, second);
      }
    }
    var part = ring.behind(0);

    assertThat(part.upTo()).isLessThan(ring.last());
    assertThat(
            part.rows().stream().mapToInt(each -> points(List.of((WatchRecord.Vitals) each))).sum())
        .isBetween(5_000, 20_000);
    assertThat(points(all())).isEqualTo(60_000);
  }

  @Test
  void theBoundIsInBytes() {
    assertThat((long) FlightRing.MOST_POINTS * VitalsColumns.BYTES).isLessThanOrEqualTo(32 << 20);
  }

  @Test
  void aNodeThatLeftMoreThanADayAgoIsForgottenWhenAnotherOneComes() {
    add("n1", 0);
    add("n1", 2);
    add("n2", 25 * 3_600);
    add("n2", 25 * 3_600 + 2);

    assertThat(all()).extracting(WatchRecord.Vitals::node).containsExactly("n2");
    assertThat(ring.size()).isEqualTo(1);
  }
}
