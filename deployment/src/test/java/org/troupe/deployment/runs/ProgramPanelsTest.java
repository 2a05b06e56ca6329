package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.model.PanelItem.Fact;
import org.troupe.deployment.watch.WatchRecord;

@Timeout(60)
class ProgramPanelsTest {

  private final ProgramPanels panels = new ProgramPanels();

  @Test
  void aSlowPanelIsNotAskedAgainAndDelaysNoOther() throws Exception {
    var calls = new AtomicInteger();
    var isReady = new CountDownLatch(1);
    panels.add(
        "slow",
        () -> {
          calls.incrementAndGet();
          awaitQuietly(isReady);
          return List.of();
        });
    panels.add("fast", () -> List.of(new Fact("n", "1")));

    assertThat(panels.rows()).extracting(WatchRecord.Panel::panel).containsExactly("fast");
    assertThat(panels.rows()).extracting(WatchRecord.Panel::panel).containsExactly("fast");
    assertThat(calls).hasValue(1);

    isReady.countDown();
    while (panels.rows().size() < 2) {
      // until the virtual thread has gone on
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPanelThatFailsOrIsTooLargeSaysSo() {
    panels.add(
        "broken",
        () -> {
          throw new IllegalStateException("no data");
        });
    panels.add("large", () -> Collections.nCopies(201, new PanelItem.Line("x")));

    assertThat(panels.rows())
        .extracting(WatchRecord.Panel::failure)
        .containsExactly(
            "java.lang.IllegalStateException: no data", "it has 201 items; show at most 200");
  }

  @Test
  void aPanelOfAKnownNameReplacesTheOther() {
    for (var i = 0; i < 20; i++) {
      panels.add("p" + i, List::of);
    }

    panels.add("p3", () -> List.of(new Fact("is", "new")));

    assertThat(panels.rows().get(3).facts()).containsExactly(new Fact("is", "new"));
    assertThatThrownBy(() -> panels.add("p20", List::of))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'p20' is one too many");
  }

  @Test
  void aNameIsALine() {
    for (var name : List.of("", "a\tb", "a\nb", "x".repeat(61))) {
      assertThatThrownBy(() -> panels.add(name, List::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no name of a panel");
    }
  }
}
