package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;

/** The line of the fork in the trace of a failed task. */
@Timeout(60)
class ForkLinesTest {

  private static final String FORKED = "----- forked";

  /** The line of the fork whose task fails. */
  private static volatile int line;

  private static volatile CountDownLatch begun = new CountDownLatch(1);

  private final Tasks tasks = Tasks.here(2);

  @AfterEach
  void close() {
    tasks.close();
  }

  private static int nextLine() {
    return StackWalker.getInstance()
            .walk(frames -> frames.skip(1).findFirst().orElseThrow())
            .getLineNumber()
        + 1;
  }

  private static int fail(int number) {
    throw new IllegalStateException("task " + number);
  }

  /** Returns the lines that are told as those of forks, in the order of the trace. */
  private static List<Integer> forks(Throwable failure) {
    var lines = new ArrayList<Integer>();
    var isFork = false;
    for (var each : failure.getStackTrace()) {
      isFork |= each.getClassName().equals(FORKED);
      if (isFork && each.getLineNumber() > 0) {
        assertThat(each.getFileName()).isEqualTo("ForkLinesTest.java");
        lines.add(each.getLineNumber());
      }
    }
    return lines;
  }

  private static final class Lambda {
    static int run(int number) {
      try (var scope = Scope.open()) {
        scope.fork(() -> number);
        line = nextLine();
        scope.fork(() -> fail(number));
        scope.sync();
        return 0;
      }
    }
  }

  @Test
  void isThatOfALambda() {
    var failure = catchThrowable(() -> tasks.run(() -> Lambda.run(1)));

    assertThat(failure).hasMessage("task 1");
    assertThat(forks(failure)).containsExactly(line);
    assertThat(failure.getStackTrace()[0].getMethodName()).isEqualTo("fail");
  }

  private static final class WithHandler {
    static int run(int number) {
      try (var scope = Scope.open()) {
        line = nextLine();
        scope.fork(() -> fail(number), value -> {});
        scope.fork(() -> number, value -> {});
        scope.sync();
        return 0;
      }
    }
  }

  @Test
  void isThatOfATaskWithAHandler() {
    assertThat(forks(catchThrowable(() -> tasks.run(() -> WithHandler.run(1)))))
        .containsExactly(line);
  }

  private static final class NewObject {
    private record Failing(int number) implements Task<Integer> {
      @Override
      public Integer run() {
        return fail(number);
      }
    }

    static int run() {
      try (var scope = Scope.open()) {
        scope.fork(() -> 1);
        line = nextLine();
        scope.fork(new Failing(2));
        scope.sync();
        return 0;
      }
    }
  }

  @Test
  void isThatOfAnObject() {
    assertThat(forks(catchThrowable(() -> tasks.run(NewObject::run)))).containsExactly(line);
  }

  private static final class Variable {
    static int run(int number) {
      Task<Integer> task = () -> fail(number);
      try (var scope = Scope.open()) {
        scope.fork(() -> number);
        line = nextLine();
        scope.fork(task);
        scope.sync();
        return 0;
      }
    }
  }

  @Test
  void isTheOnlyOneThatMayForkAVariable() {
    assertThat(forks(catchThrowable(() -> tasks.run(() -> Variable.run(1))))).containsExactly(line);
  }

  private static final class Choice {
    static int run(int number) {
      try (var scope = Scope.open()) {
        line = nextLine();
        scope.fork(number > 0 ? () -> fail(number) : () -> -number);
        scope.sync();
        return 0;
      }
    }
  }

  @Test
  void isThatOfAChoiceOfTasks() {
    assertThat(forks(catchThrowable(() -> tasks.run(() -> Choice.run(1))))).containsExactly(line);
  }

  private static final class Twice {
    private static int failing() {
      return fail(1);
    }

    static int run() {
      try (var scope = Scope.open()) {
        line = nextLine();
        scope.fork(Twice::failing);
        scope.fork(Twice::failing);
        scope.sync();
        return 0;
      }
    }
  }

  @Test
  void isOneOfTwoIfBothForkTheSameMethod() {
    var failure = catchThrowable(() -> tasks.run(Twice::run));

    assertThat(forks(failure)).containsExactly(line, line + 1);
    assertThat(failure.getStackTrace())
        .anyMatch(each -> String.valueOf(each.getFileName()).endsWith("at one of 2 lines"));
  }

  static final class Leaf extends LongJob {
    private final boolean fails;

    Leaf(boolean fails) {
      this.fails = fails;
    }

    @Override
    protected long compute() {
      return fails ? fail(3) : 1;
    }
  }

  abstract static class Forking extends Job<Integer> {
    final void forkOne() {
      line = nextLine();
      fork(new Leaf(true));
    }
  }

  static final class Inheriting extends Forking {
    @Override
    protected Integer compute() {
      forkOne();
      sync();
      return 0;
    }
  }

  static final class Root extends DoubleJob {
    @Override
    protected double compute() {
      var other = fork(new Inheriting());
      sync();
      return other.result();
    }
  }

  @Test
  void isThatOfAJobAlsoInASuperclass() {
    assertThat(forks(catchThrowable(() -> tasks.run(new Inheriting())))).containsExactly(line);
    // The lines of the jobs below it on the same stack are those of their joins.
    assertThat(forks(catchThrowable(() -> tasks.run(new Root())))).contains(line);
  }

  /** A fork that another worker takes. */
  private static final class Taken {
    static int run() throws Exception {
      try (var scope = Scope.open()) {
        line = nextLine();
        scope.fork(() -> beginAndFail());
        if (!begun.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("no other worker has come");
        }
        scope.sync();
        return 0;
      }
    }

    private static int beginAndFail() {
      begun.countDown();
      return fail(4);
    }
  }

  @Test
  void linksTheTracesOfTwoThreads() {
    begun = new CountDownLatch(1);

    var failure = catchThrowable(() -> tasks.run(Taken::run));

    assertThat(failure).hasMessage("task 4");
    assertThat(forks(failure)).containsExactly(line);
  }

  @Test
  void linksTheTracesOfTwoNodes() {
    begun = new CountDownLatch(1);
    System.setProperty("troupe.tasks.workers", "1");
    try (var nodes = LocalNodes.start(2);
        var onNodes = Tasks.on(nodes.nodes())) {
      var failure = catchThrowable(() -> onNodes.run(Taken::run));

      assertThat(failure).hasMessage("task 4");
      assertThat(forks(failure)).containsExactly(line);
      assertThat(failure.getStackTrace()[0].getMethodName()).isEqualTo("fail");
    } finally {
      System.clearProperty("troupe.tasks.workers");
    }
  }

  private static final class Kept {
    static Throwable run(int number) {
      try (var scope = Scope.open()) {
        line = nextLine();
        var fork = scope.fork(() -> fail(number));
        scope.sync(Scope.Failures.KEEP);
        return fork.failure().orElseThrow();
      }
    }
  }

  @Test
  void isInFailuresThatAreKept() {
    assertThat(forks(tasks.run(() -> Kept.run(1)))).containsExactly(line);
  }

  private static final class WithoutTrace extends RuntimeException {
    private static final long serialVersionUID = 1;

    WithoutTrace() {
      super("none", null, false, false);
    }
  }

  private static final class Shared {
    static final IllegalStateException FAILURE = new IllegalStateException("shared");
    static final RuntimeException WITHOUT_TRACE = new WithoutTrace();

    static int run(RuntimeException failure) {
      try (var scope = Scope.open()) {
        line = nextLine();
        scope.fork(() -> raise(failure));
        scope.sync();
        return 0;
      }
    }

    private static int raise(RuntimeException failure) {
      throw failure;
    }
  }

  @Test
  void isAddedOnceToAFailureThatIsThrownAgain() {
    for (var i = 0; i < 3; i++) {
      var failure = catchThrowable(() -> tasks.run(() -> Shared.run(Shared.FAILURE)));

      assertThat(failure).isSameAs(Shared.FAILURE);
      assertThat(forks(failure)).containsExactly(line);
    }
  }

  @Test
  void isNotAddedToAFailureWithoutTrace() {
    var failure = catchThrowable(() -> tasks.run(() -> Shared.run(Shared.WITHOUT_TRACE)));

    assertThat(failure).isSameAs(Shared.WITHOUT_TRACE);
    assertThat(failure.getStackTrace()).isEmpty();
  }
}
