package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.model.PanelItem.Button;
import org.troupe.deployment.model.PanelItem.Fact;
import org.troupe.deployment.model.PanelItem.Picture;
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
    awaitRow("slow");
  }

  @Test
  void aPanelThatWasSlowKeepsItsRowUntilTheNextAnswer() {
    var answers = new SynchronousQueue<List<PanelItem>>();
    panels.add("slow", () -> taken(answers));
    assertThat(panels.rows()).isEmpty();

    for (var i = 0; i < 200; i++) { // beyond the time limit if a round awaited one of them
      var step = new Fact("step", String.valueOf(i));
      given(answers, step);
      while (!awaitRow("slow").facts().equals(List.of(step))) {
        // until a round has taken the answer
      }
      assertThat(panels.rows().getFirst().facts()).containsExactly(step);
    }
  }

  @Test
  void aPanelThatIsLateSaysSoAndKeepsWhatItHasShown() {
    var impatient = new ProgramPanels(Duration.ZERO);
    var answers = new SynchronousQueue<List<PanelItem>>();
    impatient.add("slow", () -> taken(answers));

    var never = impatient.rows().getFirst();
    given(answers, new Fact("step", "1"));
    var row = impatient.rows().getFirst();
    while (row.isLate()) { // until a round has taken the answer
      row = impatient.rows().getFirst();
    }

    assertThat(never.isLate()).isTrue();
    assertThat(never.facts()).isEmpty();
    assertThat(impatient.rows()).containsExactly(row.late());
    given(answers, new Fact("step", "2"));
  }

  private static List<PanelItem> taken(SynchronousQueue<List<PanelItem>> answers) {
    try {
      return answers.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void given(SynchronousQueue<List<PanelItem>> answers, Fact fact) {
    try {
      answers.put(List.of(fact));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPanelThatHangsIsAwaitedOnceAndCanBeReplaced() {
    var never = new CountDownLatch(1);
    panels.add(
        "hanging",
        () -> {
          awaitQuietly(never);
          return List.of();
        });

    for (var round = 0; round < 200; round++) { // beyond the time limit if each awaited it
      assertThat(panels.rows()).isEmpty();
    }
    panels.add("hanging", () -> List.of(new Fact("is", "new")));

    assertThat(awaitRow("hanging").facts()).containsExactly(new Fact("is", "new"));
    never.countDown();
  }

  /** Returns the next row of a panel, in whichever round it comes. */
  private WatchRecord.Panel awaitRow(String name) {
    for (; ; ) { // until the time limit
      for (var row : panels.rows()) {
        if (row.panel().equals(name)) {
          return row;
        }
      }
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
  void aPanelWithoutItsItemsEndsNoRound() {
    panels.add("no list", () -> null);
    panels.add("no item", () -> Collections.singletonList(null));
    panels.add("no text", () -> List.of(new PanelItem.Line(null)));
    panels.add(
        "error",
        () -> {
          throw new StackOverflowError();
        });
    panels.add(
        "no message",
        () -> {
          throw new MuteException();
        });
    panels.add("good", () -> List.of(new Fact("n", "1")));

    for (var name : List.of("no list", "no item", "no text", "error", "no message")) {
      assertThat(awaitRow(name).failure()).as(name).isNotEmpty();
    }
    assertThat(awaitRow("good").failure()).isEmpty();
    panels.add("no list", () -> List.of(new Fact("is", "new")));

    assertThat(awaitRow("no list").failure()).isEmpty();
  }

  private static final class MuteException extends RuntimeException {
    @Override
    public String toString() {
      throw this;
    }
  }

  @Test
  void aRowIsBounded() {
    var pixels = new float[PanelItem.MOST_PIXELS];
    panels.add(
        "texts",
        () -> List.of(new Fact("n", "x".repeat(1_001)), new PanelItem.Line("x".repeat(16_001))));
    panels.add("long", () -> Collections.nCopies(63, new PanelItem.Line("x".repeat(16_000))));
    panels.add("many", () -> Collections.nCopies(9, Picture.of("", "", "", 256, 256, pixels)));

    var texts = awaitRow("texts");
    assertThat(texts.facts().getFirst().value()).hasSize(1_000).endsWith("x...");
    assertThat(texts.lines().getFirst()).hasSize(16_000).endsWith("x...");
    assertThat(awaitRow("long").failure())
        .isEqualTo("its texts have 1,008,000 characters; show at most 1,000,000");
    assertThat(awaitRow("many").failure())
        .isEqualTo("its pictures have 589,824 pixels; show at most 524,288");
  }

  @Test
  void aButtonThatFailsSaysSo() {
    panels.add(
        "p",
        () ->
            List.of(
                new Button(
                    "error",
                    () -> {
                      throw new StackOverflowError();
                    }),
                new Button(
                    "argument",
                    () -> {
                      throw new IllegalArgumentException("no mesh");
                    })));

    assertThatThrownBy(() -> panels.press("p", "error"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("'error' of the panel 'p' has failed: java.lang.StackOverflowError");
    assertThatThrownBy(() -> panels.press("p", "argument"))
        .hasMessage(
            "'argument' of the panel 'p' has failed: java.lang.IllegalArgumentException: no mesh");
    assertThatThrownBy(() -> panels.press("p", "fly"))
        .hasMessage("the panel 'p' has no button 'fly' now");
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
    for (var name : List.of("", "a\tb", "a\nb", "a\u0085b", "x".repeat(61))) {
      assertThatThrownBy(() -> panels.add(name, List::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no name of a panel");
    }
  }
}
