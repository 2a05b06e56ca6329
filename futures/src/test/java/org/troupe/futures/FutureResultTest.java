package org.troupe.futures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FutureResultTest {

  private final Places places = new Places();
  private final FutureResult<String> result = places.result("Book.title()");

  @Test
  void keepsTheFirstOutcome() {
    assertThat(result.isAwaited()).isTrue();
    assertThat(result.outcomeNow()).isNull();

    assertThat(result.settle(new Outcome.Success<>("first"))).isTrue();
    assertThat(result.settle(new Outcome.Success<>("second"))).isFalse();

    assertThat(result.isAwaited()).isFalse();
    assertThat(result.outcomeNow()).isEqualTo(new Outcome.Success<>("first"));
  }

  @Test
  void tellsItsListenersInTheOrderInWhichTheyCame() {
    List<String> told = new ArrayList<>();
    result.onSettled(outcome -> told.add("one"));
    result.onSettled(outcome -> told.add("two"));
    result.settle(new Outcome.Success<>("value"));
    result.onSettled(outcome -> told.add("late " + outcome));

    assertThat(told).containsExactly("one", "two", "late Success[value=value]");
  }

  @Test
  void wakesEveryoneWhoWaits() throws Exception {
    List<CompletableFuture<Outcome<String>>> waiters = new ArrayList<>();
    var begun = new CountDownLatch(4);
    for (var i = 0; i < 4; i++) {
      var seen = new CompletableFuture<Outcome<String>>();
      waiters.add(seen);
      Runnable wait =
          () -> {
            begun.countDown();
            seen.complete(result.await());
          };
      (i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform()).start(wait);
    }
    begun.await();
    places.awaitWaiter();
    result.settle(new Outcome.Success<>("value"));

    for (var waiter : waiters) {
      assertThat(waiter.join()).isEqualTo(new Outcome.Success<>("value"));
    }
    assertThat(places.begun).containsOnly(false);
    assertThat(places.ended).hasSameSizeAs(places.begun);
  }

  @Test
  void givesUpABoundedWaitAndLeavesNothingBehind() throws Exception {
    for (var i = 0; i < 1_000; i++) {
      assertThat(result.await(1)).isNull();
    }
    assertThat(places.begun).hasSize(1_000).containsOnly(true);
    var state = FutureResult.class.getDeclaredField("state");
    state.setAccessible(true);
    assertThat(state.get(result)).isNull();
  }

  @Test
  void keepsTheListenersWhenAWaiterGivesUp() throws Exception {
    List<String> told = new ArrayList<>();
    result.onSettled(outcome -> told.add("before"));
    assertThat(result.await(1)).isNull();
    result.onSettled(outcome -> told.add("after"));
    result.settle(new Outcome.Success<>("value"));

    assertThat(told).containsExactly("before", "after");
  }

  @Test
  void canBeInterruptedOnlyWhereItSaysSo() throws Exception {
    var flag = new CompletableFuture<Boolean>();
    var waiter =
        Thread.ofVirtual()
            .start(
                () -> {
                  result.await();
                  flag.complete(Thread.currentThread().isInterrupted());
                });
    places.awaitWaiter();
    waiter.interrupt();
    result.settle(new Outcome.Success<>("value"));
    assertThat(flag.join()).as("the interrupt is still noted").isTrue();

    FutureResult<String> other = places.result("other");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> other.await(Long.MAX_VALUE)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void throwsAtTheUseWhatTheCallThrew() {
    var cause = new IOException("disk");
    result.settle(new Outcome.Failure<>(cause));

    assertThatThrownBy(result::value).isSameAs(cause);
    assertThatThrownBy(result::value).isSameAs(cause);
  }

  @Test
  void doesNotWaitWhenWaitingIsRefused() {
    places.refusal = new IllegalStateException("would never end");
    assertThatThrownBy(result::await).isSameAs(places.refusal);
    assertThatThrownBy(result::value).isSameAs(places.refusal);
    assertThat(result.isAwaited()).isTrue();
  }

  @Test
  void opensAnEncodedOutcomeOnceAndOnTheUsersThread() {
    var opened = new AtomicInteger();
    var on = new AtomicReference<Thread>();
    var outcome =
        new Outcome.Encoded<String>(
            "form",
            () -> {
              opened.incrementAndGet();
              on.set(Thread.currentThread());
              return new Outcome.Success<>("value");
            });
    Thread.ofPlatform().start(() -> result.settle(outcome));

    assertThat(result.await()).isEqualTo(new Outcome.Success<>("value"));
    assertThat(result.await()).isSameAs(result.await());
    assertThat(opened).hasValue(1);
    assertThat(on.get()).isSameAs(Thread.currentThread());
    assertThat(outcome.isOpened()).isTrue();
    assertThat(outcome.form()).isEqualTo("form");
  }

  @Test
  void takesWhatTheOpenerThrowsAsTheFailure() {
    var broken = new IllegalArgumentException("no such class");
    result.settle(
        new Outcome.Encoded<>(
            "form",
            () -> {
              throw broken;
            }));

    assertThatThrownBy(result::value).isSameAs(broken);
    assertThat(result.asCompletableFuture().handle((value, failure) -> failure))
        .satisfies(
            stage -> {
              places.runStages(1);
              assertThat(stage.join()).isSameAs(broken);
            });
  }

  @Test
  void isClaimedByAStageThatReturnsItOrWaitsForIt() {
    FutureResult<String> composed = places.result("Book.title()");
    CompletableFuture.completedFuture(1).thenCompose(_ -> composed.asCompletableFuture());
    assertThat(composed.isClaimed()).isTrue();

    FutureResult<String> combined = places.result("Book.title()");
    new CompletableFuture<Integer>()
        .thenCombine(combined.asCompletableFuture(), (number, _) -> number);
    assertThat(combined.isClaimed()).isTrue();
  }

  @Test
  void isClaimedByWhoeverUsesIt() throws Exception {
    assertThat(result.isClaimed()).isFalse();
    result.asCompletableFuture();
    assertThat(result.isClaimed()).as("a view alone is no use").isFalse();
    result.asCompletableFuture().thenRun(() -> {});
    assertThat(result.isClaimed()).isTrue();

    FutureResult<String> awaited = places.result("awaited");
    awaited.await(1);
    assertThat(awaited.isClaimed()).isTrue();
  }
}
