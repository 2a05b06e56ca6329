package org.troupe.skeletons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.tasks.Scope;
import org.troupe.tasks.Tasks;

@Timeout(60)
class SkeletonsTest {

  private static final Skeleton<Integer, Integer> SQUARE = Skeletons.step(i -> i * i);

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static List<Integer> squares(int count) {
    return IntStream.range(0, count).map(i -> i * i).boxed().toList();
  }

  @Test
  void everyInputHasOneResult() {
    try (var flow = SQUARE.here()) {
      List<Integer> results = new ArrayList<>();
      flow.each(numbers(10_000), results::add);
      assertThat(results).containsExactlyInAnyOrderElementsOf(squares(10_000));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1_000})
  void resultsComeInOrderIfAsked(int underWay) {
    try (var flow = SQUARE.here()) {
      assertThat(flow.underWay(underWay).all(numbers(2_000))).isEqualTo(squares(2_000));
    }
  }

  @Test
  void noInputsGiveNoOutcomes() {
    try (var flow = SQUARE.here()) {
      assertThat(flow.all(List.of())).isEmpty();
    }
  }

  @Test
  void inputsAndResultsMayBeNull() {
    try (var flow = Skeletons.<String, String>step(text -> text == null ? "none" : null).here()) {
      assertThat(flow.all(Arrays.asList("a", null))).containsExactly(null, "none");
    }
  }

  /** Counts its instances and the calls of each at a time. */
  static final class Counting {
    static final AtomicInteger made = new AtomicInteger();
    static final AtomicInteger doubled = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();

    Counting() {
      made.incrementAndGet();
    }

    int square(int i) {
      if (calls.incrementAndGet() > 1) {
        doubled.incrementAndGet();
      }
      try {
        return i * i;
      } finally {
        calls.decrementAndGet();
      }
    }

    int squareByTasks(int i) {
      if (calls.incrementAndGet() > 1) {
        doubled.incrementAndGet();
      }
      try (var scope = Scope.open()) {
        var result = scope.fork(() -> i * i);
        scope.sync();
        return result.get();
      } finally {
        calls.decrementAndGet();
      }
    }
  }

  @Test
  void eachWorkerOfAFarmHasItsState() {
    Counting.made.set(0);
    Counting.doubled.set(0);
    try (var tasks = Tasks.here(3);
        var flow =
            Skeletons.farm(Counting::new, (Counting c, Integer i) -> c.square(i)).on(tasks)) {
      assertThat(flow.all(numbers(5_000))).isEqualTo(squares(5_000));
      assertThat(Counting.made).hasValueBetween(1, 3);
      assertThat(Counting.doubled).hasValue(0);
      var before = Counting.made.get();
      assertThat(flow.all(numbers(50))).isEqualTo(squares(50));
      assertThat(Counting.made.get()).as("states of a second run").isGreaterThan(before);
    }
  }

  @Test
  void noStateIsUsedTwiceAtATimeWhileItsFunctionWaitsForTasks() {
    Counting.doubled.set(0);
    try (var flow =
        Skeletons.farm(Counting::new, (Counting c, Integer i) -> c.squareByTasks(i)).here()) {
      assertThat(flow.all(numbers(2_000))).isEqualTo(squares(2_000));
      assertThat(Counting.doubled).hasValue(0);
    }
  }

  @Test
  void skeletonsHoldSkeletons() {
    var words =
        Skeletons.<String, String, Integer, Integer>map(
            text -> List.of(text.split(" ")),
            Skeletons.<String, Integer>step(String::length),
            lengths -> lengths.stream().mapToInt(Integer::intValue).sum());
    var folded = Skeletons.repeat(3, Skeletons.<Integer, Integer>step(i -> i + 1));
    var halved = Skeletons.during(i -> i > 10, Skeletons.<Integer, Integer>step(i -> i / 2));
    var signed =
        Skeletons.<Integer, String>when(
            i -> i % 2 == 0, Skeletons.step(i -> "even " + i), Skeletons.step(i -> "odd " + i));
    try (var flow = words.then(folded).then(halved).then(signed).here()) {
      assertThat(flow.all(List.of("a bc def", "a", "0123456789 0123456789")))
          .containsExactly("odd 9", "even 4", "odd 5");
    }
  }

  @Test
  void partsGoThroughTheirOwnSkeletons() {
    var both =
        Skeletons.<Integer, Integer, Integer, List<Integer>>fork(
            i -> List.of(i, i), List.of(SQUARE, Skeletons.step(i -> -i)), List::copyOf);
    try (var flow = both.here()) {
      assertThat(flow.all(List.of(3, 4))).containsExactly(List.of(9, -3), List.of(16, -4));
      var failure =
          catchThrowable(
              () ->
                  Skeletons.<Integer, Integer, Integer, Integer>fork(
                          i -> List.of(i), List.of(SQUARE, SQUARE), List::getFirst)
                      .on(Tasks.here(1))
                      .all(List.of(1)));
      assertThat(failure)
          .isInstanceOf(InputFailedException.class)
          .hasMessageContaining("split into 1 parts for 2 skeletons");
    }
  }

  @Test
  void divisionSolvesSmallParts() {
    record Range(long from, long to) {}
    var sum =
        Skeletons.<Range, Long>divide(
            range -> range.to() - range.from() <= 10,
            range -> {
              var middle = (range.from() + range.to()) / 2;
              return List.of(new Range(range.from(), middle), new Range(middle, range.to()));
            },
            Skeletons.step(range -> LongStream.range(range.from(), range.to()).sum()),
            sums -> sums.stream().mapToLong(Long::longValue).sum());
    try (var flow = sum.here()) {
      assertThat(flow.all(List.of(new Range(0, 100_000), new Range(0, 0))))
          .containsExactly(4_999_950_000L, 0L);
    }
  }

  private static Skeleton<Integer, Integer> failingAt(int... bad) {
    return Skeletons.<Integer, Integer>step(i -> i)
        .then(
            Skeletons.step(
                i -> {
                  if (Arrays.stream(bad).anyMatch(each -> each == i)) {
                    throw new IOException("bad " + i);
                  }
                  return i;
                }));
  }

  @Test
  void aFailureIsTheOutcomeOfItsInputAndTheOthersGoOn() {
    try (var flow = failingAt(17, 400).here()) {
      List<Outcome<Integer, Integer>> outcomes = new ArrayList<>();
      flow.inOrder().outcomes(numbers(500), outcomes::add);
      assertThat(outcomes).extracting(Outcome::number).isSorted().hasSize(500);
      for (var outcome : outcomes) {
        switch (outcome) {
          case Outcome.Result<Integer, Integer>(var number, var input, var value) ->
              assertThat(value).isEqualTo(input).isEqualTo((int) number);
          case Outcome.Failure<Integer, Integer> failure -> {
            assertThat(failure.number()).isIn(17L, 400L);
            assertThat(failure.step()).isEqualTo(2);
            assertThat(failure.cause()).isInstanceOf(IOException.class);
            assertThat(failure.message())
                .isEqualTo(
                    "input %d (%d) failed in step 2: java.io.IOException: bad %d",
                    failure.number(), failure.input(), failure.input());
          }
        }
      }
    }
  }

  @Test
  void theFailuresAreThrownWhenAllInputsAreDone() {
    try (var flow = failingAt(3, 5).here()) {
      Set<Integer> results = new HashSet<>();
      var thrown = catchThrowable(() -> flow.inOrder().each(numbers(100), results::add));
      assertThat(results).hasSize(98);
      assertThat(thrown).isInstanceOf(InputFailedException.class).hasMessageContaining("bad 3");
      assertThat(thrown.getSuppressed()).hasSize(1);
      assertThat(((InputFailedException) thrown).outcome().number()).isEqualTo(3);
    }
  }

  @Test
  void failingFastDrawsNoFurtherInputs() {
    var drawn = new AtomicLong();
    try (var flow = failingAt(20).here()) {
      assertThatThrownBy(() -> flow.failFast().underWay(8).each(endless(drawn), each -> {}))
          .isInstanceOf(InputFailedException.class)
          .hasMessageContaining("bad 20");
      assertThat(drawn.get()).isLessThan(1_000);
    }
  }

  @Test
  void anErrorOfAFunctionIsAnOutcome() {
    try (var flow =
        Skeletons.<Integer, Integer>step(
                i -> {
                  throw new StackOverflowError("deep " + i);
                })
            .here()) {
      assertThatThrownBy(() -> flow.all(List.of(1)))
          .isInstanceOf(InputFailedException.class)
          .hasCauseInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void aFailureInAPartNamesItsStep() {
    var skeleton =
        Skeletons.<Integer, Integer, Integer, Integer>map(
            i -> List.of(1, 0, 2), Skeletons.step(i -> 10 / i), List::getFirst);
    try (var flow = Skeletons.<Integer, Integer>step(i -> i).then(skeleton).here()) {
      assertThatThrownBy(() -> flow.all(List.of(1)))
          .hasMessageContaining("failed in step 3")
          .hasCauseInstanceOf(ArithmeticException.class);
    }
  }

  /** Returns numbers without end, and counts those that were drawn. */
  private static Iterable<Integer> endless(AtomicLong drawn) {
    return () ->
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public Integer next() {
            return (int) drawn.getAndIncrement();
          }
        };
  }

  @Test
  void noInputIsOvertakenForEver() {
    var drawn = new AtomicLong();
    var enough = new IllegalStateException("enough");
    Set<Integer> seen = new HashSet<>();
    try (var tasks = Tasks.here(1);
        var flow = SQUARE.on(tasks)) {
      assertThatThrownBy(
              () ->
                  flow.underWay(4)
                      .outcomes(
                          endless(drawn),
                          outcome -> {
                            seen.add(outcome.input());
                            if (seen.size() == 1_000) {
                              throw enough;
                            }
                          }))
          .isSameAs(enough);
      assertThat(seen).contains(0, 1, 2, 3, 500);
    }
  }

  @Test
  void noMoreInputsAreUnderWayThanAsked() {
    var drawn = new AtomicLong();
    var handedOver = new AtomicLong();
    var most = new AtomicLong();
    var end = new IllegalStateException("enough");
    try (var flow = SQUARE.here()) {
      for (var each : List.of(flow, flow.inOrder())) {
        drawn.set(0);
        handedOver.set(0);
        assertThatThrownBy(
                () ->
                    each.underWay(10)
                        .outcomes(
                            endless(drawn),
                            outcome -> {
                              most.accumulateAndGet(drawn.get() - handedOver.get(), Math::max);
                              if (handedOver.incrementAndGet() == 10_000) {
                                throw end;
                              }
                            }))
            .isSameAs(end);
      }
      assertThat(most.get()).isBetween(1L, 10L);
    }
  }

  @Test
  void whatTheSourceThrowsEndsTheFlow() {
    Iterable<Integer> broken =
        () ->
            IntStream.range(0, 100)
                .peek(
                    i -> {
                      if (i == 50) {
                        throw new IllegalStateException("no more");
                      }
                    })
                .iterator();
    try (var flow = SQUARE.here()) {
      assertThatThrownBy(() -> flow.each(broken, each -> {})).hasMessage("no more");
      assertThat(flow.all(List.of(2))).containsExactly(4);
    }
  }

  @Test
  void progressIsToldAtTheEnd() {
    List<String> lines = new ArrayList<>();
    try (var flow = failingAt(3).here()) {
      flow.withProgress(lines::add).outcomes(numbers(1_500), outcome -> {});
    }
    assertThat(lines.getLast()).startsWith("1,500 of 1,500 inputs done, 1 of them failed; ");
  }

  @Test
  void wrongNumbersAreRefused() {
    assertThatThrownBy(() -> Skeletons.repeat(-1, SQUARE))
        .hasMessage("repeat(-1, ..) cannot be done; give 0 or more");
    try (var flow = SQUARE.here()) {
      assertThatThrownBy(() -> flow.underWay(0)).hasMessageContaining("give 1 or more");
    }
  }

  @Test
  void aFlowWithinAStepIsRefused() {
    try (var tasks = Tasks.here(2);
        var inner = SQUARE.on(tasks);
        var flow = Skeletons.<Integer, List<Integer>>step(i -> inner.all(List.of(i))).on(tasks)) {
      assertThatThrownBy(() -> flow.all(List.of(1)))
          .hasMessageContaining("use the skeleton as a part of the other one");
    }
  }

  @Test
  void aFlowThatEndsEarlyDropsWhatIsUnderWay() {
    var drawn = new AtomicLong();
    var enough = new IllegalStateException("enough");
    List<Integer> results = new ArrayList<>();
    try (var flow = SQUARE.here()) {
      assertThatThrownBy(
              () ->
                  flow.each(
                      endless(drawn),
                      result -> {
                        results.add(result);
                        throw enough;
                      }))
          .isSameAs(enough);
      assertThat(flow.all(List.of(3))).containsExactly(9);
      assertThat(results).hasSize(1);
    }
  }

  @Test
  void threadsMayShareAFlow() throws InterruptedException {
    Set<List<Integer>> results = ConcurrentHashMap.newKeySet();
    try (var flow = SQUARE.here()) {
      var threads =
          IntStream.range(0, 4)
              .mapToObj(i -> Thread.ofPlatform().start(() -> results.add(flow.all(numbers(500)))))
              .toList();
      for (var each : threads) {
        each.join();
      }
    }
    assertThat(results).containsExactly(squares(500));
  }

  @Test
  void anInputThatTakesTooLongFails() {
    var step =
        Skeletons.<Integer, Integer>step(
            i -> {
              while (i == 3) {
                Tasks.checkpoint();
              }
              return i * i;
            });
    try (var tasks = Tasks.here(2);
        var flow = step.on(tasks).underWay(2).atMost(Duration.ofSeconds(1))) {
      Map<Long, Outcome<Integer, Integer>> outcomes = new HashMap<>();
      flow.outcomes(numbers(8), outcome -> outcomes.put(outcome.number(), outcome));
      assertThat(outcomes).hasSize(8);
      assertThat(outcomes.remove(3L))
          .isInstanceOfSatisfying(
              Outcome.Failure.class,
              failure ->
                  assertThat(failure.message())
                      .isEqualTo(
                          "input 3 (3) took too long: java.util.concurrent.TimeoutException: no"
                              + " outcome within 1S"));
      assertThat(outcomes.values()).allMatch(Outcome.Result.class::isInstance);
      assertThat(flow.all(List.of(4))).containsExactly(16); // the worker is free again
    }
    try (var flow = SQUARE.here()) {
      assertThatThrownBy(() -> flow.atMost(Duration.ZERO)).hasMessageContaining("positive time");
    }
  }

  @Test
  void aSlowInputAtTheEndIsBegunASecondTime() {
    var calls = new AtomicLong();
    var step =
        Skeletons.<Integer, Integer>step(
            i -> {
              if (i == 9 && calls.incrementAndGet() == 1) {
                while (true) { // until the other attempt has ended
                  Tasks.checkpoint();
                }
              }
              return i * i;
            });
    try (var tasks = Tasks.here(2);
        var flow = step.on(tasks).backups()) {
      assertThat(flow.all(numbers(10))).containsExactlyElementsOf(squares(10));
      assertThat(calls.get()).isEqualTo(2);
      assertThat(flow.all(List.of(3))).containsExactly(9); // the worker is free again
    }
  }
}
