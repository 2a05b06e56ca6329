package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Waits;
import org.troupe.testing.LogRecords;

/** Answers of logged objects whose store takes long to make records stable. */
@Timeout(60)
class DeferredAnswersTest {

  private static final int REQUESTS = 20;
  private static final List<Integer> served = new CopyOnWriteArrayList<>();
  private static volatile CountDownLatch gate = new CountDownLatch(1);

  private FlushedStore store;
  private Ref<Sum> ref;

  /** Adds numbers. */
  static class Sum {
    private int sum;

    int add(int number) {
      served.add(number);
      return sum += number;
    }

    void addSilently(int number) {
      add(number);
    }

    void waitForGate() {
      Waits.await(gate, "the gate");
    }

    int fail() {
      throw new StackOverflowError("deep");
    }
  }

  @BeforeEach
  void open(@TempDir Path temporary) {
    served.clear();
    gate = new CountDownLatch(1);
    store = FlushedStore.late(temporary.toString());
  }

  @AfterEach
  void end() {
    ref.terminateNow();
  }

  private void create(Restart restart) {
    ref =
        ActiveObjects.ref(
            ActiveObjects.here()
                .with(Options.STANDARD.withKeep(Keep.calls(store)).withRestart(restart))
                .create(Sum.class));
    ref.ask(sum -> sum.add(0)).join();
  }

  /** Lets requests wait in the queue, and then holds the flushes of the store. */
  private List<CompletableFuture<Integer>> requests() {
    ref.tell(Sum::waitForGate);
    var all = IntStream.range(1, REQUESTS).mapToObj(i -> ref.ask(sum -> sum.add(i))).toList();
    store.hold();
    gate.countDown();
    return all;
  }

  private void awaitAllButTheLast() {
    Waits.until(() -> served.contains(REQUESTS - 2), "the service of all requests but the last");
  }

  private int sum() {
    return valueOf(ref.ask(sum -> sum.add(0)), "the sum");
  }

  private static List<Integer> sums() {
    return IntStream.range(1, REQUESTS).map(i -> i * (i + 1) / 2).boxed().toList();
  }

  private static List<Integer> values(List<CompletableFuture<Integer>> answers) {
    return answers.stream().map(each -> valueOf(each, "an answer")).toList();
  }

  @Test
  void theObjectServesTheNextRequestsWhileTheirInputIsFlushed() {
    create(Restart.never());
    var answers = requests();
    awaitAllButTheLast();
    assertThat(answers).noneMatch(CompletableFuture::isDone);
    store.release();
    assertThat(values(answers)).isEqualTo(sums());
  }

  @Test
  void noRequestIsServedTwiceOrForgottenIfTheFlushFails(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    create(Restart.here().times(1_000, Duration.ofMinutes(1)));
    var answers = requests();
    awaitAllButTheLast();
    store.failAfter(1);
    store.release();
    assertThat(values(answers)).isEqualTo(sums());
    assertThat(sum()).isEqualTo(sums().getLast());
  }

  @Test
  void theCallersLearnThatTheObjectHasEndedWithItsLog(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    create(Restart.never());
    var answers = requests();
    awaitAllButTheLast();
    store.failAfter(1);
    store.release();
    for (var each : answers) {
      assertThat(failureOf(each, "an answer")).isInstanceOf(ObjectTerminatedException.class);
    }
  }

  @Test
  void answersLeaveBeforeAnImageThatHasTheirRequests() {
    create(Restart.here());
    var answers = requests();
    Waits.until(() -> served.contains(1), "the service of a request whose input is not stable");
    var image = ref.checkpoint();
    assertThat(image).isNotDone();
    store.release();
    assertThat(values(answers)).isEqualTo(sums());
    valueOf(image, "the image");
  }

  @Test
  void answersLeaveBeforeTheEndOfTheObject() {
    create(Restart.never());
    var answers = requests();
    var end = ref.terminate();
    awaitAllButTheLast();
    store.release();
    assertThat(values(answers)).isEqualTo(sums());
    valueOf(end, "the end");
  }

  @Test
  void answersOutliveAFailureOfTheNextRequest(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    create(Restart.here().times(1_000, Duration.ofMinutes(1)));
    var answers = requests();
    var failing = ref.ask(Sum::fail);
    var later = ref.ask(sum -> sum.add(0));
    awaitAllButTheLast();
    store.release();
    assertThat(values(answers)).isEqualTo(sums());
    assertThat(failureOf(failing, "a failure")).isInstanceOf(StackOverflowError.class);
    assertThat(valueOf(later, "the sum")).isEqualTo(sums().getLast());
  }

  @Test
  void requestsWithoutAnAnswerAreServedMeanwhile() {
    create(Restart.never());
    ref.tell(Sum::waitForGate);
    for (var i = 1; i < REQUESTS; i++) {
      var number = i;
      ref.tell(sum -> sum.addSilently(number));
    }
    store.hold();
    gate.countDown();
    awaitAllButTheLast();
    store.release();
    assertThat(sum()).isEqualTo(sums().getLast());
  }
}
