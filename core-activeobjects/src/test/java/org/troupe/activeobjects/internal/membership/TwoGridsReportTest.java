package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.NodeActivity.PeerLine;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail.CalledMethod;
import org.troupe.activeobjects.internal.flight.FlightSources;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Reports of a program that has two grids, whose nodes have equal names. */
@Timeout(60)
class TwoGridsReportTest {

  private static final String NODE = "node-1";

  private InProcessGrid one;
  private InProcessGrid two;

  /** Counts. */
  public static class Counter {
    private int count;

    public int step() {
      return ++count;
    }

    public int hold(Counter other) {
      return other.step();
    }
  }

  @BeforeEach
  void start() {
    TierSwitch.set(ObservationTier.COUNTS);
    one = InProcessGrid.start(1);
    two = InProcessGrid.start(2);
    call(one, 3);
    call(two, 5);
  }

  @AfterEach
  void end() {
    two.close();
    one.close();
  }

  private static void call(InProcessGrid grid, int times) {
    var counter = ActiveObjects.on(grid.get(0)).create(Counter.class);
    for (var i = 0; i < times; i++) {
      counter.step();
    }
  }

  private static List<Long> calls(InProcessGrid grid) {
    var program = grid.coordinator();
    return valueOf(program.pair(program.self(), NODE), "the pair").orElseThrow().methods().stream()
        .map(CalledMethod::calls)
        .toList();
  }

  private static List<String> peers(InProcessGrid grid) {
    var program = grid.coordinator();
    return Waits.reportOf(program.report(program.self(), Duration.ofMillis(2)))
        .activity()
        .peers()
        .stream()
        .map(PeerLine::node)
        .toList();
  }

  @Test
  void aPairIsThatOfTheGridThatAsks() {
    assertThat(calls(one)).containsExactly(3L);
    assertThat(calls(two)).containsExactly(5L);
  }

  @Test
  void peersAreThoseOfTheGridThatAsks() {
    assertThat(peers(one)).containsExactly(NODE);
    assertThat(peers(two)).containsExactlyInAnyOrder(NODE, "node-2");
  }

  @Test
  void aRecordingHasEachLinkAndEachQueueOnce() {
    var here = ActiveObjects.here().create(Counter.class);
    ActiveObjects.on(one.get(0)).create(Counter.class).hold(here); // so another node knows it

    assertThat(one.coordinator().flight().links())
        .extracting(FlightSources.LinkState::peer)
        .containsExactly(NODE);
    assertThat(two.coordinator().flight().links())
        .extracting(FlightSources.LinkState::peer)
        .containsExactlyInAnyOrder(NODE, "node-2");
    assertThat(one.coordinator().flight().queues().isEmpty())
        .isNotEqualTo(two.coordinator().flight().queues().isEmpty());
  }
}
