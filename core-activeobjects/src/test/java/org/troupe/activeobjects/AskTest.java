package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AskTest {

  record Point(int x, int y) {}

  static class Worker {
    private int steps;

    void step() {
      steps++;
    }

    void step(int by) {
      steps += by;
    }

    void hold(Gate gate) {
      gate.pass();
    }

    int steps() {
      return steps;
    }

    boolean busy() {
      return false;
    }

    Integer boxed() {
      return steps;
    }

    String name() {
      return "worker";
    }

    Point point(int x, int y) {
      return new Point(x, y);
    }

    double[] numbers() {
      return new double[] {1, 2};
    }

    List<String> words() {
      return List.of("a", "b");
    }

    String read(boolean fail) throws IOException {
      if (fail) {
        throw new IOException("disk");
      }
      return "read";
    }

    CompletableFuture<String> later() {
      return CompletableFuture.completedFuture("later");
    }

    String none() {
      return null;
    }
  }

  private final Worker worker = ActiveObjects.here().create(Worker.class);
  private final Ref<Worker> ref = ActiveObjects.ref(worker);

  @BeforeEach
  void close() {
    Gate.closeAll();
  }

  @Test
  void asksForEveryKindOfResultAtOnce() {
    worker.hold(Gate.ONE);
    var steps = ref.ask(Worker::steps);
    var busy = ref.ask(Worker::busy);
    var boxed = ref.ask(Worker::boxed);
    var name = ref.ask(Worker::name);
    var point = ref.ask(w -> w.point(3, 4));
    var numbers = ref.ask(Worker::numbers);
    var words = ref.ask(Worker::words);
    var read = ref.ask(w -> w.read(false));
    var none = ref.ask(Worker::none);
    assertThat(steps.isDone()).isFalse();
    Gate.ONE.open();

    assertThat(steps.join()).isZero();
    assertThat(busy.join()).isFalse();
    assertThat(boxed.join()).isZero();
    assertThat(name.join()).isEqualTo("worker");
    assertThat(point.join()).isEqualTo(new Point(3, 4));
    assertThat(numbers.join()).containsExactly(1, 2);
    assertThat(words.join()).containsExactly("a", "b");
    assertThat(read.join()).isEqualTo("read");
    assertThat(none.join()).isNull();
  }

  @Test
  void givesTheCompletableFutureOfAMethodThatReturnsOne() {
    worker.hold(Gate.ONE);
    CompletableFuture<CompletableFuture<String>> later = ref.ask(Worker::later);
    assertThat(later).isDone();
    Gate.ONE.open();
    assertThat(later.join().join()).isEqualTo("later");
  }

  @Test
  void completesExceptionallyWithWhatTheMethodThrows() {
    assertThatThrownBy(() -> ref.ask(w -> w.read(true)).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("disk");
  }

  @Test
  void tellIsAFenceBehindWhatWasSentBefore() {
    worker.step();
    worker.step(2);
    assertThat(ref.tell(Worker::step).join()).isNull();
    assertThat(ref.ask(Worker::steps).join()).isEqualTo(4);
  }

  @Test
  void tellTakesAnyMethodAndForgetsItsResult() {
    assertThat(ref.tell(Worker::steps).join()).isNull();
    assertThat(ref.tell(Worker::words).join()).isNull();
    assertThat(ref.tell(Worker::later).join()).isNull();
    assertThatThrownBy(() -> ref.tell(w -> w.read(true)).join())
        .hasCauseInstanceOf(IOException.class);
  }

  private static void assertRefused(Runnable ask, String... why) {
    assertThatThrownBy(ask::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the lambda given to ask or tell of class Worker ")
        .hasMessageEndingWith(
            "it must make exactly one call and return its result, as in ask(x -> x.method(a, b))")
        .hasMessageContainingAll(why);
  }

  @Test
  void refusesALambdaThatMakesNoCall() {
    assertRefused(() -> ref.ask(w -> 1), "made no call on the object it was given");
    assertRefused(() -> ref.tell(w -> {}), "made no call");
  }

  @Test
  void refusesALambdaThatMakesTwoCalls() {
    assertRefused(
        () -> ref.ask(w -> w.steps() + w.steps()),
        "called Worker.steps() after Worker.steps(); use two asks");
    assertRefused(
        () ->
            ref.tell(
                w -> {
                  w.step();
                  w.step(2);
                }),
        "called Worker.step(int) after Worker.step()");
    assertRefused(
        () ->
            ref.tell(
                w -> {
                  w.step();
                  try {
                    w.step(2);
                  } catch (IllegalArgumentException hidden) {
                    // as careless code would
                  }
                }),
        "called Worker.step(int) after Worker.step()");
    worker.step();
    assertThat(worker.steps()).as("nothing was sent").isEqualTo(1);
  }

  @Test
  void refusesALambdaThatReturnsSomethingElse() {
    String[] remedy = {"ask(...).thenApply(...)"};
    assertRefused(() -> ref.ask(w -> w.steps() + 1), "returned something other", remedy[0]);
    assertRefused(() -> ref.ask(w -> !w.busy()), "returned something other", remedy[0]);
    assertRefused(() -> ref.ask(w -> w.name().length()), "returned something other", remedy[0]);
    assertRefused(() -> ref.ask(w -> w.numbers().length), "returned something other", remedy[0]);
    assertRefused(
        () ->
            ref.ask(
                w -> {
                  w.words();
                  return null;
                }),
        "returned something other",
        remedy[0]);
  }

  @Test
  void refusesALambdaThatUsesTheResult() {
    assertRefused(
        () -> ref.ask(w -> w.words().size()),
        "used the result of Worker.words(), which is not available yet",
        "thenApply");
    assertRefused(
        () -> ref.ask(w -> w.boxed() + 1), "NullPointerException", "called Worker.boxed()");
    assertRefused(
        () -> ref.ask(w -> w.numbers()[0]), "ArrayIndexOutOfBounds", "called Worker.numbers()");
    assertRefused(() -> ref.ask(w -> w.point(1, 2).x()), "NullPointerException", "thenApply");
  }

  @Test
  void refusesALambdaThatThrows() {
    assertRefused(
        () ->
            ref.ask(
                w -> {
                  throw new IllegalArgumentException("mine");
                }),
        "threw java.lang.IllegalArgumentException: mine before it made a call");
  }

  /** Says of itself how often it was called. */
  static class Named {
    private final int number;

    Named(int number) {
      this.number = number;
    }

    @Override
    public String toString() {
      return "number " + number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Integer its && its == number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  @Test
  void sendsWhatTheStubItselfWouldAnswer() {
    var named = ActiveObjects.ref(ActiveObjects.here().create(Named.class, 7));
    assertThat(named.ask(Named::toString).join()).isEqualTo("number 7");
    assertThat(named.ask(Named::hashCode).join()).isEqualTo(7);
    assertThat(named.ask(each -> each.equals(7)).join()).isTrue();
    assertThat(named.stub().toString()).isEqualTo("a Named on node 'main'");
  }
}
