package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;

/** The question of a node to its coordinator whether the grid ends. */
@Timeout(60)
class GridEndInquiryTest {

  private final List<String> cutOff = new CopyOnWriteArrayList<>();
  private final AtomicInteger questions = new AtomicInteger();

  private GridEndInquiry inquiry(
      Supplier<CompletableFuture<Boolean>> answer, boolean hasCoordinator, Duration silence) {
    return inquiry(answer, () -> hasCoordinator, silence);
  }

  private GridEndInquiry inquiry(
      Supplier<CompletableFuture<Boolean>> answer,
      BooleanSupplier hasCoordinator,
      Duration silence) {
    return new GridEndInquiry(
        () -> {
          questions.incrementAndGet();
          return answer.get();
        },
        hasCoordinator,
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
  void threadsThatWaitAtOnceShareTheQuestionAfterTheirFailures() {
    var first = new CompletableFuture<Boolean>();
    var inquiry =
        inquiry(() -> questions.get() == 1 ? first : CompletableFuture.completedFuture(true));
    List<Asker> askers = new CopyOnWriteArrayList<>();
    askers.add(new Asker(inquiry));
    Waits.until(() -> questions.get() == 1, "the first question");
    for (var i = 0; i < 10; i++) {
      askers.add(new Asker(inquiry));
    }
    Waits.until(() -> askers.stream().allMatch(Asker::waits), "threads that ask");

    first.complete(false);

    var answers = askers.stream().map(each -> Waits.valueOf(each.answer, "an answer"));
    assertThat(answers).containsExactlyElementsOf(firstIsFalse(10));
    assertThat(questions).hasValue(2);
  }

  private static List<Boolean> firstIsFalse(int others) {
    return Stream.concat(Stream.of(false), Stream.generate(() -> true).limit(others)).toList();
  }

  /** Asks on a thread of its own. */
  private static final class Asker {
    final CompletableFuture<Boolean> answer = new CompletableFuture<>();
    private final Thread thread;

    Asker(GridEndInquiry inquiry) {
      thread = Thread.ofPlatform().daemon().start(() -> answer.complete(inquiry.isEnding()));
    }

    boolean waits() {
      return thread.getState() == Thread.State.WAITING;
    }
  }

  @Test
  void manyThatAskASilentCoordinatorCutTheNodeOffOnce() {
    var all = new CyclicBarrier(10);
    BooleanSupplier whenAllAsk =
        () -> {
          try {
            return all.await() >= 0;
          } catch (Exception failure) {
            throw new AssertionError(failure);
          }
        };
    var inquiry = inquiry(CompletableFuture::new, whenAllAsk, Duration.ofMillis(1));
    var askers = IntStream.range(0, 10).mapToObj(i -> new Asker(inquiry)).toList();
    assertThat(askers).allMatch(each -> Waits.valueOf(each.answer, "an answer"));
    assertThat(cutOff).hasSize(1);
  }

  @Test
  void aQuestionThatFailsBesidesTheLossOfTheCoordinatorIsAskedAgain() {
    for (var failure : List.of(new IllegalStateException("busy"), new OutOfMemoryError("heap"))) {
      questions.set(0);
      var failed = CompletableFuture.<Boolean>failedFuture(failure);
      var answered = CompletableFuture.completedFuture(false);
      var inquiry =
          inquiry(() -> questions.get() < 3 ? failed : answered, true, Duration.ofSeconds(2));
      assertThat(inquiry.isEnding()).isFalse();
      assertThat(inquiry.isKnown()).isFalse();
      assertThat(questions).hasValue(3);
    }
    assertThat(cutOff).isEmpty();
  }

  @Test
  void aNodeWithoutGridHasNothingToAsk() {
    assertThat(inquiry(CompletableFuture::new, false, Duration.ofMinutes(1)).isEnding()).isFalse();
    assertThat(questions).hasValue(0);
  }
}
