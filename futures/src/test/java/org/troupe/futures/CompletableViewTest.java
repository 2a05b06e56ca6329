package org.troupe.futures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CompletableViewTest {

  private final Places places = new Places();
  private final FutureResult<String> result = places.result("Book.title()");
  private final CompletableFuture<String> view = result.asCompletableFuture();

  private void settle(String value) {
    result.settle(new Outcome.Success<>(value));
  }

  private void fail(Throwable cause) {
    result.settle(new Outcome.Failure<>(cause));
  }

  @Test
  void isAlwaysTheSame() {
    assertThat(result.asCompletableFuture()).isSameAs(view);
  }

  @Test
  void hasTheValueAsSoonAsTheResultHasIt() throws Exception {
    assertThat(view.getNow("absent")).isEqualTo("absent");
    assertThat(view.isDone()).isFalse();
    assertThat(view.state()).isEqualTo(Future.State.RUNNING);
    settle("Loomings");

    assertThat(view.isDone()).isTrue();
    assertThat(view.state()).isEqualTo(Future.State.SUCCESS);
    assertThat(view.getNow("absent")).isEqualTo("Loomings");
    assertThat(view.resultNow()).isEqualTo("Loomings");
    assertThat(view.join()).isEqualTo("Loomings");
    assertThat(view.get()).isEqualTo("Loomings");
    assertThat(view.get(0, TimeUnit.SECONDS)).isEqualTo("Loomings");
  }

  @Test
  void throwsWhatCompletableFuturesThrow() {
    var cause = new IllegalStateException("ink");
    fail(cause);

    assertThat(view.isCompletedExceptionally()).isTrue();
    assertThat(view.exceptionNow()).isSameAs(cause);
    assertThatThrownBy(view::join).isInstanceOf(CompletionException.class).hasCause(cause);
    assertThatThrownBy(view::get).isInstanceOf(ExecutionException.class).hasCause(cause);
    assertThatThrownBy(() -> view.getNow("")).isInstanceOf(CompletionException.class);
  }

  @Test
  void saysWhatGaveNoResultInTime() {
    assertThatThrownBy(() -> view.get(1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class)
        .hasMessage("Book.title() gave no result within 1 milliseconds");
    assertThat(places.begun).containsExactly(true);
  }

  @Test
  void cancelsTheResultItself() {
    List<String> abandoned = new ArrayList<>();
    FutureResult<String> call =
        new FutureResult<>(places) {
          @Override
          protected void abandoned() {
            abandoned.add("yes");
          }
        };
    assertThat(call.asCompletableFuture().cancel(true)).isTrue();

    assertThat(abandoned).containsExactly("yes");
    assertThat(call.isAwaited()).isFalse();
    assertThat(call.isClaimed()).isTrue();
    assertThat(call.asCompletableFuture().isCancelled()).isTrue();
    assertThat(call.asCompletableFuture().cancel(true)).as("once more").isTrue();
    assertThatThrownBy(() -> call.asCompletableFuture().join())
        .isInstanceOf(CancellationException.class)
        .hasMessage("a result was cancelled");
    assertThatThrownBy(() -> call.asCompletableFuture().get())
        .isInstanceOf(CancellationException.class);
    assertThat(abandoned).containsExactly("yes");
  }

  @Test
  void cannotCancelWhatHasArrived() {
    settle("Loomings");
    assertThat(view.cancel(true)).isFalse();
    assertThat(view.isCancelled()).isFalse();
    assertThat(view.join()).isEqualTo("Loomings");
  }

  @Test
  void endsTheResultWhenTheUserCompletesIt() throws Exception {
    assertThat(view.complete("mine")).isTrue();
    assertThat(view.complete("again")).isFalse();
    assertThat(result.outcomeNow()).isEqualTo(new Outcome.Success<>("mine"));

    FutureResult<String> other = places.result("other");
    assertThat(other.asCompletableFuture().completeExceptionally(new IllegalStateException("x")))
        .isTrue();
    assertThatThrownBy(other::value).hasMessage("x");

    FutureResult<String> third = places.result("third");
    var completed = third.asCompletableFuture().completeAsync(() -> "supplied");
    places.runStages(1);
    assertThat(completed.join()).isEqualTo("supplied");
    assertThat(third.isAwaited()).isFalse();
  }

  @Test
  void takesTheTimeLimitsOfCompletableFutures() {
    assertThatThrownBy(() -> view.orTimeout(1, TimeUnit.MILLISECONDS).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(TimeoutException.class);
    assertThat(result.isAwaited()).isFalse();

    FutureResult<String> other = places.result("other");
    assertThat(
            other
                .asCompletableFuture()
                .completeOnTimeout("default", 1, TimeUnit.MILLISECONDS)
                .join())
        .isEqualTo("default");
  }

  @Test
  void runsStagesWhereTheFutureWasMadeAndNeverOnTheSettlingThread() throws Exception {
    List<Thread> ran = new ArrayList<>();
    var length =
        view.thenApply(
            title -> {
              ran.add(Thread.currentThread());
              return title.length();
            });
    settle("Loomings");
    places.runStages(1);

    assertThat(length.join()).isEqualTo(8);
    assertThat(ran).containsExactly(Thread.currentThread());
  }

  @Test
  void looksAtTheStateRunNoStagesOfDerivedFutures() {
    List<Consumer<CompletableFuture<String>>> looks =
        List.of(
            it -> it.getNow("absent"),
            Future::resultNow,
            Future::state,
            CompletableFuture::isCompletedExceptionally,
            Future::isCancelled,
            it -> it.complete("again"),
            it -> it.completeExceptionally(new IllegalStateException()),
            it -> it.cancel(true));
    var own = Thread.currentThread();
    for (var look : looks) {
      var call = places.<String>result("Book.title()");
      var future = call.asCompletableFuture();
      var runner = CompletableFuture.allOf(future).thenApply(_ -> Thread.currentThread());

      call.settle(new Outcome.Success<>("Loomings"));
      look.accept(future);

      assertThat(runner.join()).isNotSameAs(own).matches(Thread::isVirtual);
    }
  }

  @Test
  void actsForNoObjectWhileAJoinerCompletesIt() throws Exception {
    var joiner = Thread.startVirtualThread(view::join);
    places.awaitWaiter();
    settle("Loomings");
    joiner.join();

    assertThat(view.isDone()).isTrue();
    assertThat(places.detached).containsExactly(joiner);
  }

  @Test
  void runsEveryKindOfStageThere() throws Exception {
    settle("a");
    var other = CompletableFuture.completedFuture("b");
    List<Function<CompletableFuture<String>, CompletableFuture<?>>> kinds =
        List.of(
            f -> f.thenApply(x -> x),
            f -> f.thenApplyAsync(x -> x),
            f -> f.thenAccept(x -> {}),
            f -> f.thenAcceptAsync(x -> {}),
            f -> f.thenRun(() -> {}),
            f -> f.thenRunAsync(() -> {}),
            f -> f.thenCombine(other, String::concat),
            f -> f.thenCombineAsync(other, String::concat),
            f -> f.thenAcceptBoth(other, (x, y) -> {}),
            f -> f.thenAcceptBothAsync(other, (x, y) -> {}),
            f -> f.runAfterBoth(other, () -> {}),
            f -> f.runAfterBothAsync(other, () -> {}),
            f -> f.applyToEither(other, x -> x),
            f -> f.applyToEitherAsync(other, x -> x),
            f -> f.acceptEither(other, x -> {}),
            f -> f.acceptEitherAsync(other, x -> {}),
            f -> f.runAfterEither(other, () -> {}),
            f -> f.runAfterEitherAsync(other, () -> {}),
            f -> f.thenCompose(CompletableFuture::completedFuture),
            f -> f.thenComposeAsync(CompletableFuture::completedFuture),
            f -> f.whenComplete((x, e) -> {}),
            f -> f.whenCompleteAsync((x, e) -> {}),
            f -> f.handle((x, e) -> x),
            f -> f.handleAsync((x, e) -> x));
    for (var kind : kinds) {
      var stage = kind.apply(view);
      assertThat(stage.isDone()).isFalse();
      places.runStages(1);
      stage.join();
    }
    var cause = new IllegalStateException("ink");
    FutureResult<String> bad = places.result("bad");
    bad.settle(new Outcome.Failure<>(cause));
    var failed = bad.asCompletableFuture();
    List<Function<CompletableFuture<String>, CompletableFuture<String>>> remedies =
        List.of(
            f -> f.exceptionally(Throwable::getMessage),
            f -> f.exceptionallyAsync(Throwable::getMessage),
            f -> f.exceptionallyCompose(e -> CompletableFuture.completedFuture(e.getMessage())),
            f ->
                f.exceptionallyComposeAsync(
                    e -> CompletableFuture.completedFuture(e.getMessage())));
    for (var remedy : remedies) {
      var stage = remedy.apply(failed);
      assertThat(stage.isDone()).isFalse();
      places.runStages(1);
      assertThat(stage.join()).isEqualTo("ink");
    }
    assertThat(places.hasStages()).isFalse();
  }

  @Test
  void refusesToWaitForAStageThatCannotRun() {
    places.stageRefusal = new IllegalStateException("stage of itself");
    var stage = view.thenApply(String::length);
    settle("Loomings");

    assertThatThrownBy(stage::join).isSameAs(places.stageRefusal);
    assertThatThrownBy(stage::get).isSameAs(places.stageRefusal);
    assertThatThrownBy(() -> stage.copy().join()).isSameAs(places.stageRefusal);
    assertThatThrownBy(() -> stage.thenRunAsync(() -> {}, Runnable::run).join())
        .as("its executor can run it, but not what it waits for")
        .isSameAs(places.stageRefusal);
    assertThatThrownBy(() -> stage.get(1, TimeUnit.MILLISECONDS))
        .as("a bounded wait ends by itself")
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void waitsForAStageThatRunsElsewhere() throws Exception {
    places.stageRefusal = new IllegalStateException("stage of itself");
    var elsewhere = view.thenApplyAsync(String::length, Thread::startVirtualThread);
    var copy = view.copy();
    settle("Loomings");

    assertThat(elsewhere.join()).isEqualTo(8);
    assertThat(elsewhere.get()).isEqualTo(8);
    assertThat(copy.join()).isEqualTo("Loomings");
  }

  @Test
  void joinsWithOthersInAllOfAndAnyOf() {
    FutureResult<String> second = places.result("second");
    var all = CompletableFuture.allOf(view, second.asCompletableFuture());
    var any = CompletableFuture.anyOf(view, second.asCompletableFuture());
    settle("first");
    assertThat(any.join()).isEqualTo("first");
    assertThat(all.isDone()).isFalse();

    second.settle(new Outcome.Failure<>(new IllegalStateException("ink")));
    assertThatThrownBy(all::join).hasCauseInstanceOf(IllegalStateException.class);
  }
}
