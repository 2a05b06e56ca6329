package org.troupe.futures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FuturesTest {

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);

  private final Places places = new Places();
  private final FutureResult<Runnable> result = places.result("Worker.job()");
  private final Runnable job = result.asTransparent(Runnable.class);
  private final Runnable value = () -> {};

  private Runnable settled() {
    result.settle(new Outcome.Success<>(value));
    return job;
  }

  private Runnable failed() {
    result.settle(new Outcome.Failure<>(new IllegalStateException("ink")));
    return job;
  }

  private void settleWhenSomebodyWaits() {
    Thread.startVirtualThread(
        () -> {
          try {
            places.awaitWaiter();
            settled();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void tellsWhetherAnythingIsAwaited() {
    assertThat(Futures.isAwaited(job)).isTrue();
    assertThat(Futures.isAwaited(result.asCompletableFuture())).isTrue();
    assertThat(Futures.isAwaited(new CompletableFuture<>())).isTrue();
    assertThat(Futures.isAwaited("a value")).isFalse();
    assertThat(Futures.isAwaited(null)).isFalse();
    assertThat(Futures.isAwaited(CompletableFuture.completedFuture(1))).isFalse();
    assertThat(Futures.isAwaited(settled())).isFalse();
    assertThat(Futures.isAwaited(result.asCompletableFuture())).isFalse();
  }

  @Test
  void awaitsWhateverItIsGiven() throws Exception {
    settleWhenSomebodyWaits();
    assertThat(Futures.await(job)).isSameAs(job);
    assertThat(Futures.await("value")).isEqualTo("value");
    assertThat(Futures.<Object>await(null)).isNull();
    assertThat(Futures.<Object>await(null, SHORT)).isNull();
    assertThat(Futures.await("value", SHORT)).isEqualTo("value");
    var explicit = CompletableFuture.completedFuture(1);
    assertThat(Futures.await(explicit)).isSameAs(explicit);
    assertThat(Futures.await(explicit, ENDLESS)).isSameAs(explicit);
  }

  @Test
  void awaitsFailuresWithoutThrowingThem() throws Exception {
    failed();
    Futures.await(job);
    Futures.await(result.asCompletableFuture());
    Futures.await(CompletableFuture.failedFuture(new IllegalStateException("ink")));
    var cancelled = new CompletableFuture<String>();
    cancelled.cancel(false);
    Futures.await(cancelled);
    Futures.await(cancelled, SHORT);
    Futures.await(job, SHORT);
    Futures.awaitAll(List.of(job, cancelled));
    assertThatThrownBy(job::run).hasMessage("ink");
  }

  @Test
  void saysWhatDidNotArriveInTime() {
    assertThatThrownBy(() -> Futures.await(job, SHORT))
        .isInstanceOf(TimeoutException.class)
        .hasMessage("Worker.job(), awaited, did not arrive within PT0.001S");
    assertThatThrownBy(() -> Futures.awaitAny(List.of(job, job), SHORT))
        .isInstanceOf(TimeoutException.class)
        .hasMessage("none of 2 results arrived within PT0.001S");
    assertThatThrownBy(() -> Futures.awaitAll(List.of("here", job), SHORT))
        .isInstanceOf(TimeoutException.class)
        .hasMessageStartingWith("Worker.job(), awaited, did not arrive within");
  }

  @Test
  void canBeInterruptedWhileItWaitsWithABound() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Futures.await(job, LONG)).isInstanceOf(InterruptedException.class);
  }

  @Test
  void givesTheOneThatCameFirst() throws Exception {
    FutureResult<Runnable> late = places.result("late");
    var other = late.asTransparent(Runnable.class);
    Thread.startVirtualThread(this::settled);

    assertThat(Futures.awaitAny(List.of(other, job))).isSameAs(job);
    assertThat(Futures.awaitAny(List.of(other, job), LONG)).isSameAs(job);
    assertThat(Futures.awaitAny(Arrays.asList(other, "value"))).isEqualTo("value");
    assertThat(Futures.awaitAny(List.of(job))).isSameAs(job);
    List<Object> several = new ArrayList<>(List.of(other, new CompletableFuture<>()));
    several.add(null);
    assertThat(Futures.awaitAny(several)).isNull();
    assertThat(result.isClaimed()).isTrue();
  }

  @Test
  void refusesToWaitForOneOfNone() {
    assertThatThrownBy(() -> Futures.awaitAny(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("would wait for ever");
  }

  @Test
  void awaitsAll() throws Exception {
    settleWhenSomebodyWaits();
    FutureResult<String> other = places.result("other");
    other.settle(new Outcome.Success<>("value"));

    Futures.awaitAll(Arrays.asList(job, other.asCompletableFuture(), "value", null));
    Futures.awaitAll(Arrays.asList(job, other.asCompletableFuture(), "value", null), ENDLESS);
    assertThat(Futures.isAwaited(job)).isFalse();
  }

  @Test
  void givesTheCompletableFutureBehindATransparentOne() {
    var explicit = Futures.of(job);
    assertThat(explicit).isSameAs(result.asCompletableFuture()).isNotDone();
    assertThat(Futures.of("value")).isCompletedWithValue("value");
    settled();
    assertThat(explicit.join()).isSameAs(value);
  }

  @Test
  void givesTheValueItself() {
    settleWhenSomebodyWaits();
    assertThat(Futures.value(job)).isSameAs(value);
    assertThat(Futures.value("value")).isEqualTo("value");
    assertThat(Futures.<Object>value(null)).isNull();
    CompletableFuture<Runnable> explicit = result.asCompletableFuture();
    assertThat(Futures.value(explicit)).isSameAs(explicit);
  }

  @Test
  void throwsInPlaceOfTheValueWhatTheCallThrew() {
    assertThatThrownBy(() -> Futures.value(failed())).hasMessage("ink");
  }

  @Test
  void describesWithoutWaiting() {
    assertThat(Futures.describe(job)).isEqualTo("Worker.job(), awaited");
    assertThat(Futures.describe("x")).isEqualTo("a value that is here");
    assertThat(result.asCompletableFuture()).hasToString("Worker.job(), awaited");
    assertThat(result.asCompletableFuture().thenRun(() -> {})).hasToString("a stage, awaited");
    settled();
    assertThat(Futures.describe(job)).isEqualTo("Worker.job(), arrived");
    FutureResult<Runnable> bad = places.result("Worker.bad()");
    bad.settle(new Outcome.Failure<>(new CancellationException("enough")));
    assertThat(Futures.describe(bad.asTransparent(Runnable.class)))
        .isEqualTo("Worker.bad(), failed: java.util.concurrent.CancellationException: enough");
  }

  @Test
  void waitsForOneAloneInAWayThatCanBeRefused() {
    places.refusal = new IllegalStateException("would never end");
    assertThatThrownBy(() -> Futures.awaitAny(List.of(job))).isSameAs(places.refusal);
    assertThatCode(() -> Futures.isAwaited(job)).doesNotThrowAnyException();
  }
}
