package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;

/** The question of a node to its coordinator whether the grid ends. */
@Timeout(60)
class GridEndInquiryTest {

  private final List<String> cutOff = new CopyOnWriteArrayList<>();
  private final AtomicInteger questions = new AtomicInteger();

  private GridEndInquiry inquiry(
      Supplier<CompletableFuture<Boolean>> answer, boolean hasCoordinator, Duration silence) {
    return new GridEndInquiry(
        () -> {
          questions.incrementAndGet();
          return answer.get();
        },
        () -> hasCoordinator,
        new SilenceLimits(silence),
        cutOff::add);
  }

  private GridEndInquiry inquiry(Supplier<CompletableFuture<Boolean>> answer) {
    return inquiry(answer, true, Duration.ofMinutes(1));
  }

  @Test
  void aGridThatGoesOnIsAskedForAgainAndOneThatEndsIsNot() {
    var inquiry = inquiry(() -> CompletableFuture.completedFuture(questions.get() > 2));
    assertThat(inquiry.isEnding()).isFalse();
    assertThat(inquiry.isEnding()).isFalse();
    assertThat(inquiry.isKnown()).isFalse();
    assertThat(inquiry.isEnding()).isTrue();
    assertThat(inquiry.isKnown()).isTrue();
    assertThat(inquiry.isEnding()).isTrue();
    assertThat(questions).hasValue(3);
    assertThat(cutOff).isEmpty();
  }

  @Test
  void theLossOfTheCoordinatorEndsTheGrid() {
    var lost = new NodeLostException("node 'main' is gone");
    assertThat(inquiry(() -> CompletableFuture.failedFuture(lost)).isEnding()).isTrue();
    var sending =
        inquiry(
            () -> {
              throw lost;
            });
    assertThat(sending.isEnding()).isTrue();
    assertThat(cutOff).isEmpty();
  }

  @Test
  void aCoordinatorThatDoesNotAnswerCutsTheNodeOff() {
    var inquiry = inquiry(CompletableFuture::new, true, Duration.ofMillis(1));
    assertThat(inquiry.isEnding()).isTrue();
    assertThat(cutOff)
        .singleElement()
        .asString()
        .contains("the coordinator has not answered for 0 s");
  }

  @Test
  void aNodeWithoutGridHasNothingToAsk() {
    assertThat(inquiry(CompletableFuture::new, false, Duration.ofMinutes(1)).isEnding()).isFalse();
    assertThat(questions).hasValue(0);
  }
}
