package org.troupe.groups;

import static java.util.stream.Collectors.joining;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;
import org.troupe.groups.internal.ArrivalOrder;
import org.troupe.groups.internal.ExplicitFutures;

/**
 * The answers of the members to one call, in the order of their ranks; they arrive one by one. May
 * be shared between threads and sent to other nodes; answers that arrive later are forwarded.
 *
 * {@snippet file="org/troupe/groups/snippets/GroupSnippets.java" region="results"}
 *
 * @param <V> the type of an answer
 */
public final class Results<V> implements Serializable {

  private static final long serialVersionUID = 1;

  private final transient String call;
  private final transient Supplier<Class<?>> type;
  private final transient List<FutureResult<V>> answers;
  private final transient ArrivalOrder arrivals;
  private final transient IntFunction<String> where;

  /**
   * Wraps the answers to one call.
   *
   * @param call the method that was called, for messages
   * @param type the result type of the method
   * @param arrivals the order in which these answers arrive
   * @param where describes the location of the member of a rank, for messages
   */
  Results(
      String call,
      Supplier<Class<?>> type,
      List<FutureResult<V>> answers,
      ArrivalOrder arrivals,
      IntFunction<String> where) {
    this.call = call;
    this.type = type;
    this.answers = List.copyOf(answers);
    this.arrivals = arrivals;
    this.where = where;
  }

  /**
   * Returns the results of calls that were made otherwise than by a group: for implementations of
   * {@link Invocation}.
   *
   * @param call the method that was called, for messages
   * @param type the result type of the method, of which {@link #all} makes a typed group
   * @param answers the answers by rank
   * @param where describes the location of the member of a rank, for messages
   */
  public static <V> Results<V> of(
      String call,
      Supplier<Class<?>> type,
      List<CompletableFuture<V>> answers,
      IntFunction<String> where) {
    var results =
        answers.stream()
            .map(each -> ExplicitFutures.resultOf(each, "an answer to " + call))
            .toList();
    return new Results<>(call, type, results, ArrivalOrder.of(results), where);
  }

  /** Returns the number of answers, including those still awaited. */
  public int size() {
    return answers.size();
  }

  /** Returns whether answers are still awaited; never waits. */
  public boolean isAwaited() {
    return answers.stream().anyMatch(FutureResult::isAwaited);
  }

  /**
   * Waits for the answer of one member.
   *
   * @throws RuntimeException the member's exception; a checked exception is not wrapped
   */
  public V get(int rank) {
    return outcome(rank).value();
  }

  /** Waits for the outcome of the call on one member. */
  public MemberOutcome<V> outcome(int rank) {
    return MemberOutcome.of(rank, answers.get(Objects.checkIndex(rank, size())).await());
  }

  /** Waits for the outcomes on all members; a failure does not hide the answers of others. */
  public List<MemberOutcome<V>> outcomes() {
    return IntStream.range(0, size()).mapToObj(this::outcome).toList();
  }

  /** Returns the outcomes in the order in which they arrive; the stream waits for each. */
  public Stream<MemberOutcome<V>> arrived() {
    return IntStream.range(0, size()).mapToObj(this::arrival);
  }

  private MemberOutcome<V> arrival(int place) {
    arrivals(place + 1).await();
    return outcome(arrivals.rank(place));
  }

  /**
   * Waits for all answers.
   *
   * @return the answers in rank order
   * @throws GroupCallException if a member failed
   */
  public List<V> toList() {
    return values(outcomes());
  }

  /** Returns the answers in rank order; the stream waits for each, and throws its exception. */
  public Stream<V> stream() {
    return IntStream.range(0, size()).mapToObj(this::get);
  }

  /**
   * Waits for the first answers of any members; failures of the others are not reported.
   *
   * @param count the number of answers
   * @return the answers in the order of arrival
   * @throws GroupCallException if too many members failed
   * @throws IllegalArgumentException if the count exceeds the number of members
   */
  public List<V> first(int count) {
    requirePossible(count);
    answers.forEach(FutureResult::claim);
    var found = new ArrayList<V>();
    var seen = new ArrayList<MemberOutcome<V>>();
    for (var place = 0; found.size() < count; place++) {
      if (place == size()) {
        throw GroupCallException.of(call, size(), seen.stream(), where);
      }
      var outcome = arrival(place);
      seen.add(outcome);
      if (outcome instanceof MemberOutcome.Success<V>(int rank, V value)) {
        found.add(value);
      }
    }
    return found;
  }

  /**
   * Combines all answers, in rank order; returns at once.
   *
   * @param op associative; need not be commutative
   * @return completes with the combined answer, or with a {@link GroupCallException}
   */
  public CompletableFuture<V> reduce(BinaryOperator<V> op) {
    return whenAll(values -> values.stream().reduce(op).orElseThrow());
  }

  /**
   * Returns the answers as a typed group; a call on it reaches each answer when that has arrived.
   *
   * @throws IllegalStateException if no stub can stand for an answer
   */
  @SuppressWarnings("unchecked") // the type is that of the answers
  public V all() {
    return Group.ofResults((Class<V>) type.get(), this).all();
  }

  List<FutureResult<V>> answers() {
    return answers;
  }

  /** Returns the method that was called, for messages. */
  String call() {
    return call;
  }

  /** Waits until all calls have ended, with answers or failures. */
  public void awaitAll() {
    answers.forEach(FutureResult::await);
  }

  /**
   * Waits until all calls have ended, or for some time.
   *
   * @throws TimeoutException if the time is over; the message names the missing members. The calls
   *     continue
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void awaitAll(Duration timeout) throws TimeoutException, InterruptedException {
    awaitN(size(), timeout);
  }

  /** Waits until one call has ended, with an answer or a failure. */
  public MemberOutcome<V> awaitAny() {
    return awaitN(1).getFirst();
  }

  /** Waits until one call has ended, or for some time. */
  public MemberOutcome<V> awaitAny(Duration timeout) throws TimeoutException, InterruptedException {
    return awaitN(1, timeout).getFirst();
  }

  /**
   * Waits until a number of calls have ended, with answers or failures.
   *
   * @return their outcomes in the order of arrival
   */
  public List<MemberOutcome<V>> awaitN(int count) {
    requirePossible(count);
    if (count == size()) {
      awaitAll(); // one by one, so that a deadlock is detected
    }
    return arrived().limit(count).toList();
  }

  /** Waits until a number of calls have ended, or for some time. */
  public List<MemberOutcome<V>> awaitN(int count, Duration timeout)
      throws TimeoutException, InterruptedException {
    requirePossible(count);
    if (arrivals(count).await(FutureRuntime.nanos(timeout)) == null) {
      throw new TimeoutException(
          call + ": " + missing() + " did not answer within " + timeout + "; the calls continue");
    }
    return arrived().limit(count).toList();
  }

  private String missing() {
    var ranks =
        IntStream.range(0, size()).filter(rank -> answers.get(rank).isAwaited()).boxed().toList();
    var few =
        ranks.stream()
            .limit(8)
            .map(rank -> rank + " (" + where.apply(rank) + ")")
            .collect(joining(", "));
    return (ranks.size() == 1 ? "rank " : ranks.size() + " ranks of " + size() + ": ")
        + few
        + (ranks.size() > 8 ? " and others" : "");
  }

  private void requirePossible(int count) {
    if (count < 1 || count > size()) {
      throw new IllegalArgumentException(
          "cannot wait for " + count + " of " + size() + " answers; give 1 to " + size());
    }
  }

  /** Completes with a function of all answers, which runs on a thread for user code. */
  <R> CompletableFuture<R> whenAll(Function<List<V>, R> last) {
    FutureResult<R> result =
        Collectives.current()
            .result(
                () -> call + " on all of " + size() + " members", () -> ResultSources.all(answers));
    runWhenAll(
        () -> {
          try {
            var made = last.apply(values(outcomes()));
            result.settle(new Outcome.Success<>(made));
          } catch (Throwable failure) {
            result.settle(new Outcome.Failure<>(failure));
          }
        });
    return result.asCompletableFuture();
  }

  /** Runs an action when all calls have ended, on a thread for user code. */
  void runWhenAll(Runnable action) {
    answers.forEach(FutureResult::claim);
    arrivals(size()).onSettled(all -> Thread.startVirtualThread(action));
  }

  /** Summarises the failures that have arrived so far; returns {@code null} if there is none. */
  @Nullable GroupCallException failureNow() {
    var here =
        IntStream.range(0, size())
            .filter(rank -> !answers.get(rank).isAwaited())
            .mapToObj(this::outcome);
    return GroupCallException.of(call, size(), here, where);
  }

  /** Completes when all members have served the call. */
  CompletableFuture<Void> whenServed() {
    return whenAll(values -> null);
  }

  private List<V> values(List<MemberOutcome<V>> outcomes) {
    var values = new ArrayList<V>(outcomes.size());
    for (var outcome : outcomes) {
      if (!(outcome instanceof MemberOutcome.Success<V>(int rank, V value))) {
        throw GroupCallException.of(call, size(), outcomes.stream(), where);
      }
      values.add(value);
    }
    return values;
  }

  /** Returns a result that settles when a number of calls have ended. */
  private FutureResult<Void> arrivals(int count) {
    return arrivals.when(
        count,
        n ->
            Collectives.current()
                .result(
                    () -> n + " of " + size() + " answers to " + call,
                    () -> new ResultSources(answers, n)));
  }

  private Object writeReplace() {
    return new SerializedForm(
        call,
        type.get(),
        answers.stream().<CompletableFuture<?>>map(FutureResult::asCompletableFuture).toList(),
        IntStream.range(0, size()).mapToObj(where).toList());
  }

  /** The serialized form of results: a future for each answer. */
  private record SerializedForm(
      String call, Class<?> type, List<CompletableFuture<?>> answers, List<String> where)
      implements Serializable {

    @SuppressWarnings("unchecked") // the answers of one method have one type
    private Object readResolve() {
      return Results.of(
          call, () -> type, (List<CompletableFuture<Object>>) (List<?>) answers, where::get);
    }
  }

  @Override
  public String toString() {
    var here = answers.stream().filter(answer -> !answer.isAwaited()).count();
    return here + " of " + size() + " answers to " + call;
  }
}
