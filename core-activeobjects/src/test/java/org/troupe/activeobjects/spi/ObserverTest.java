package org.troupe.activeobjects.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** An observer is told of calls, services, waits and failures, and its contexts travel. */
@Timeout(60)
class ObserverTest {

  private static final long LONG_WAIT_NANOS = 5_000_000; // a millisecond is enough

  private InProcessGrid grid;
  private final Recorder recorder = new Recorder();

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(2);
    ObserverBinding.bind(recorder);
  }

  @AfterEach
  void end() {
    ObserverBinding.bind(null);
    CONTEXT.remove();
    grid.close();
  }

  private static final ThreadLocal<String> CONTEXT = new ThreadLocal<>();

  /** Records what it is told as lines; the context of a call is its number. */
  private static final class Recorder implements Observer {

    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    byte[] context = {1, 2, 3};
    boolean isBroken;
    @Nullable Error ofService;
    boolean capturesNothing;

    @Override
    public CallObservation called(Call call) {
      if (isBroken) {
        throw new IllegalStateException("an observer of the test");
      }
      var what =
          "call "
              + call.method().getName()
              + (call.isOneWay() ? " one-way" : "")
              + (call.members() < 0 ? "" : " of " + call.members())
              + " on "
              + call.nodeName();
      lines.add(what);
      return new CallObservation() {
        @Override
        public byte[] context() {
          return context;
        }

        @Override
        public void ended(@Nullable Failure failure) {
          lines.add("end of " + what + text(failure));
        }
      };
    }

    @Override
    public Observation serves(Service service) {
      if (ofService != null) {
        throw ofService;
      }
      var context = service.context();
      var what =
          "service "
              + service.method().getName()
              + " with "
              + (context == null ? "nothing" : context.length + " bytes");
      lines.add(what);
      CONTEXT.set(what);
      return failure -> {
        CONTEXT.remove();
        lines.add("end of " + what + text(failure));
      };
    }

    @Override
    public Observation takesPart(Collective collective) {
      return failure -> lines.add(collective.operation());
    }

    @Override
    public void waited(Wait wait) {
      var context = wait.context();
      lines.add("wait with " + (context == null ? "nothing" : context.length + " bytes"));
    }

    @Override
    public void failed(UnobservedFailure failure) {
      lines.add("failure " + failure.kind() + " of " + failure.failure().type());
    }

    @Override
    public UnaryOperator<Runnable> captured() {
      var mine = CONTEXT.get();
      if (capturesNothing) {
        return _ -> {
          throw new IllegalStateException("a context of the test");
        };
      }
      return work ->
          () -> {
            var before = CONTEXT.get();
            CONTEXT.set(mine);
            try {
              work.run();
            } finally {
              CONTEXT.set(before);
            }
          };
    }

    private static String text(@Nullable Failure failure) {
      return failure == null ? "" : " by " + failure.type();
    }

    List<String> lines() {
      return List.copyOf(lines);
    }
  }

  /** Serves calls of all kinds. */
  public static class Worker {
    public int count() {
      return 1;
    }

    public void step() {}

    public int fail() {
      throw new IllegalStateException("a failure of the test");
    }

    public List<String> slow(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
      return List.of("done");
    }

    public void readLater(List<String> future, String gate) {
      Cell.gate(gate).countDown();
      if (future.size() != 1) {
        throw new AssertionError("another answer");
      }
    }

    public CompletableFuture<String> stage(Worker other) {
      return ActiveObjects.ref(other)
          .ask(Worker::count)
          .thenApply(_ -> String.valueOf(CONTEXT.get()));
    }
  }

  private Worker worker(boolean isRemote) {
    return isRemote
        ? ActiveObjects.on(grid.get(0)).create(Worker.class)
        : ActiveObjects.here().create(Worker.class);
  }

  private static String nodeOf(Worker worker) {
    return ActiveObjects.ref(worker).node().name();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void seesACallThatIsWaitedForWithItsService(boolean isRemote) {
    var worker = worker(isRemote);
    recorder.lines.clear();

    worker.count();

    var call = "call count on " + nodeOf(worker);
    assertThat(recorder.lines())
        .containsExactly(
            call,
            "service count with 3 bytes",
            "end of service count with 3 bytes",
            "end of " + call);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void seesAFailureAtBothEnds(boolean isRemote) {
    var worker = worker(isRemote);
    recorder.lines.clear();

    assertThatThrownBy(() -> ActiveObjects.ref(worker).ask(Worker::fail).join())
        .isInstanceOf(CompletionException.class);

    assertThat(recorder.lines())
        .contains(
            "end of service fail with 3 bytes by java.lang.IllegalStateException",
            "end of call fail on " + nodeOf(worker) + " by java.lang.IllegalStateException");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsAOneWayCallWhenItHasBeenSent(boolean isRemote) {
    var worker = worker(isRemote);
    recorder.lines.clear();

    worker.step();
    var sent = recorder.lines();
    worker.count(); // behind it

    var call = "call step one-way on " + nodeOf(worker);
    assertThat(sent).contains(call, "end of " + call);
    assertThat(recorder.lines()).contains("service step with 3 bytes");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passesOnThatACallIsNotTraced(boolean isRemote) {
    recorder.context = new byte[0];
    worker(isRemote).count();

    assertThat(recorder.lines()).contains("service count with 0 bytes");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sendsNoContextThatIsTooLong(boolean isRemote) {
    recorder.context = new byte[Observer.LONGEST_CONTEXT + 1];
    worker(isRemote).count();

    assertThat(recorder.lines()).contains("service count with nothing");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void seesOneCallOfAGroupAndTracesItsFirstMembers(boolean isRemote) {
    var objects =
        Collections.nCopies(Observer.MOST_MEMBERS + 3, ActiveObjects.ref(worker(isRemote)));
    recorder.lines.clear();
    var call = Collectives.current().record(Worker.class, Worker::count, true);

    Collectives.current()
        .askEach(Collections.nCopies(objects.size(), call), objects, true)
        .forEach(each -> each.await());

    assertThat(recorder.lines().stream().filter(each -> each.startsWith("call")))
        .containsExactly(
            "call count of " + objects.size() + " on " + objects.getFirst().node().name());
    assertThat(recorder.lines())
        .containsOnlyOnce("end of call count of 35 on " + objects.getFirst().node().name());
    assertThat(recorder.lines().stream().filter("service count with 3 bytes"::equals))
        .hasSize(Observer.MOST_MEMBERS);
    assertThat(recorder.lines().stream().filter("service count with 0 bytes"::equals)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void seesAWaitForAFutureThatWasPassedOn(boolean isRemote) {
    var slow = worker(isRemote);
    var reader = worker(!isRemote);
    var attempts = new AtomicInteger();

    Waits.until(
        () -> { // again, should the reader begin to wait late
          var gate = "wait of " + isRemote + attempts.incrementAndGet();
          reader.readLater(slow.slow(gate + " open"), gate + " reached");
          Waits.await(Cell.gate(gate + " reached"), "the reader");
          LockSupport.parkNanos(LONG_WAIT_NANOS);
          Cell.gate(gate + " open").countDown();
          reader.count();
          return recorder.lines().contains("wait with 3 bytes");
        },
        "the observer is told of a wait");
    assertThat(recorder.lines()).contains("wait with 3 bytes");
  }

  @Test
  void followsAnObjectThatMoves() {
    var worker = worker(true);
    var ref = ActiveObjects.ref(worker);
    var slow = ref.ask(each -> each.slow("the move"));
    worker.step(); // moves along
    var moved = ref.move(grid.get(1).id());
    Cell.gate("the move").countDown();
    valueOf(moved, "the move");

    assertThat(valueOf(slow, "the answer").size()).isEqualTo(1);
    assertThat(worker.count()).isEqualTo(1);
    assertThat(recorder.lines())
        .contains("service step with 3 bytes", "service count with 3 bytes")
        .noneMatch(each -> each.startsWith("service") && each.endsWith("nothing"));
  }

  @Test
  void runsAStageInTheContextInWhichItWasAdded() {
    var worker = worker(false);

    assertThat(valueOf(worker.stage(worker(true)), "the stage"))
        .isEqualTo("service stage with 3 bytes");
  }

  @Test
  void seesFailuresThatNoCallerObserves(LogRecords log) {
    log.allow(Level.WARNING, "step");
    var worker = worker(false);
    ActiveObjects.ref(worker).terminate().join();
    worker.step();

    assertThat(recorder.lines())
        .contains("failure unserved of org.troupe.activeobjects.ObjectTerminatedException");
  }

  @Test
  void isUnboundIfItThrows(LogRecords log) throws InterruptedException {
    recorder.isBroken = true;

    assertThat(worker(true).count()).isEqualTo(1);

    assertThat(ObserverBinding.isBound()).isFalse();
    log.expect(Level.WARNING, "not observed any more");
  }

  static List<Error> errors() {
    return List.of(
        new ServiceConfigurationError("an observer of the test"),
        new StackOverflowError("in an observer of the test"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void failsNoRequestByItsErrors(Error error, LogRecords log) throws InterruptedException {
    recorder.ofService = error;
    var isOfThread = error instanceof VirtualMachineError;

    assertThat(valueOf(ActiveObjects.ref(worker(true)).ask(Worker::count), "the answer"))
        .isEqualTo(1);

    assertThat(ObserverBinding.isBound()).isEqualTo(isOfThread);
    if (!isOfThread) {
      log.expect(Level.WARNING, "not observed any more");
    }
  }

  @Test
  void runsAStageAlthoughItsContextCannotBeCaptured(LogRecords log) throws InterruptedException {
    recorder.capturesNothing = true;
    var worker = worker(false);

    assertThat(valueOf(worker.stage(worker(true)), "the stage")).isEqualTo("null");

    log.expect(Level.WARNING, "not observed any more");
  }

  @Test
  void doesNotSeeCallsOfTheMiddleware() {
    ActiveObjects.ref(worker(true)).terminate().join();

    assertThat(recorder.lines()).noneMatch(each -> each.startsWith("call"));
    assertThat(recorder.lines()).noneMatch(each -> each.startsWith("service"));
  }
}
