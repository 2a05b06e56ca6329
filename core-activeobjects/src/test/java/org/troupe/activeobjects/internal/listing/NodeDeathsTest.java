package org.troupe.activeobjects.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a host knows of lost nodes, some of them of different grids. */
class NodeDeathsTest {

  private static final long SELF = 1;
  private static final long LOST = 2;

  private final NodeDeaths deaths = new NodeDeaths(SELF);

  @Test
  void aLossIsSettledByTheGridThatAnnouncedIt() {
    deaths.died(LOST, "one grid", 5);
    deaths.settled("another grid", 9);
    assertThat(deaths.areSettled()).isFalse();
    deaths.settled("one grid", 4);
    assertThat(deaths.areSettled()).isFalse();
    deaths.settled("one grid", 5);
    assertThat(deaths.areSettled()).isTrue();
  }

  @Test
  void aLossThatWasOnlyStatedIsNotSettledBeforeItIsAnnounced() {
    deaths.statedBefore(LOST);
    deaths.settled("one grid", 9);
    assertThat(deaths.areSettled()).isFalse();
    deaths.died(LOST, "one grid", 10);
    deaths.settled("one grid", 10);
    assertThat(deaths.areSettled()).isTrue();
  }
}
