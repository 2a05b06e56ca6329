package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.testing.LogRecords;

@Timeout(60)
class FailuresTest {

  private static final BlockingQueue<CallFailure> ofTheJvm = new LinkedBlockingQueue<>();
  private static final BlockingQueue<String> ofBodies = new ArrayBlockingQueue<>(100);

  static class Stubborn extends IllegalStateException {
    private final transient Thread thread;

    Stubborn(String message) {
      super(message);
      this.thread = Thread.currentThread();
    }
  }

  static class Unencodable extends IllegalStateException {
    private final Thread thread = Thread.currentThread();

    Unencodable(String message) {
      super(message, new ArithmeticException("deeper"));
    }

    Thread thread() {
      return thread;
    }
  }

  /** Nothing that can be asked of it works. */
  static class Hostile extends IllegalStateException {
    private final transient Thread thread = Thread.currentThread();

    Thread thread() {
      return thread;
    }

    @Override
    public String getMessage() {
      throw new StackOverflowError("in getMessage");
    }

    @Override
    public Throwable getCause() {
      throw new IllegalStateException("in getCause");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new NoClassDefFoundError("in getStackTrace");
    }

    @Override
    public void setStackTrace(StackTraceElement[] trace) {
      throw new UnsupportedOperationException("in setStackTrace");
    }
  }

  static class Text {
    int length() {
      return 0;
    }
  }

  static class Faulty {
    void oneWay() {
      throw new IllegalStateException("one-way");
    }

    Text fails() {
      throw new IllegalStateException("text");
    }

    int number() {
      return deeper();
    }

    private int deeper() {
      throw new Stubborn("number");
    }

    int unencodable() {
      throw new Unencodable("odd");
    }

    int hostile() {
      throw new Hostile();
    }

    void hostileOneWay() {
      throw new Hostile();
    }

    int error() {
      throw new StackOverflowError("deep");
    }
  }

  static class Caller implements FailureHandler {
    private final Faulty faulty;
    private int handled;

    Caller(Faulty faulty) {
      this.faulty = faulty;
    }

    void callOneWay() {
      faulty.oneWay();
    }

    void throwAway() {
      faulty.fails();
    }

    @Override
    public void failed(CallFailure failure) {
      handled++;
      ofBodies.add(ActiveObjects.self(Caller.class).stub() + ": " + failure.cause().getMessage());
    }

    boolean idle() {
      return true;
    }
  }

  private final Faulty faulty = ActiveObjects.here().create(Faulty.class);

  @BeforeEach
  void listen() {
    ofTheJvm.clear();
    ofBodies.clear();
    ActiveObjects.onFailure(ofTheJvm::add);
  }

  @AfterEach
  void forget() {
    ActiveObjects.onFailure(null);
  }

  private static CallFailure next() throws InterruptedException {
    var failure = ofTheJvm.poll(20, TimeUnit.SECONDS);
    assertThat(failure).as("a failure told to the JVM's handler within 20 s").isNotNull();
    return failure;
  }

  @Test
  void ofOneWayCallsReachTheHandlerOfTheJvm() throws Exception {
    faulty.oneWay();
    var failure = next();
    assertThat(failure.call()).isEqualTo("Faulty.oneWay() on node 'main'");
    assertThat(failure.cause()).isExactlyInstanceOf(IllegalStateException.class);
    assertThat(failure.cause().getStackTrace()[0].getMethodName()).isEqualTo("oneWay");
  }

  @Test
  void ofOneWayCallsReachTheCallingBodyAsARequest() throws Exception {
    var caller = ActiveObjects.here().create(Caller.class, faulty);
    caller.callOneWay();
    assertThat(ofBodies.poll(20, TimeUnit.SECONDS)).isEqualTo("a Caller on node 'main': one-way");
    assertThat(ofTheJvm).isEmpty();
  }

  @Test
  void ofResultsThrownAwayReachTheHandlerOfTheJvm() throws Exception {
    faulty.fails();
    assertThat(Collected.eventually(() -> !ofTheJvm.isEmpty())).isTrue();
    var failure = next();
    assertThat(failure.call()).isEqualTo("Faulty.fails() on node 'main'");
    assertThat(failure.cause()).hasMessage("text");

    ActiveObjects.ref(faulty).tell(Faulty::number);
    assertThat(Collected.eventually(() -> !ofTheJvm.isEmpty())).isTrue();
    assertThat(next().cause()).hasMessage("number");
  }

  @Test
  void ofResultsThrownAwayReachTheCallingBody() throws Exception {
    var caller = ActiveObjects.here().create(Caller.class, faulty);
    caller.throwAway();
    ActiveObjects.ref(caller).tell(Caller::idle).join();
    assertThat(Collected.eventually(() -> !ofBodies.isEmpty())).isTrue();
    assertThat(ofBodies.poll()).isEqualTo("a Caller on node 'main': text");
    assertThat(ofTheJvm).isEmpty();
    assertThat(caller.idle()).isTrue();
  }

  @Test
  void ofResultsThatWereUsedReachNobodyElse() throws Exception {
    var text = faulty.fails();
    assertThatThrownBy(text::length).hasMessage("text");
    text = null;
    faulty.fails();
    assertThat(Collected.eventually(() -> !ofTheJvm.isEmpty())).isTrue();
    assertThat(ofTheJvm).as("the one thrown away, only").hasSize(1);
  }

  @Test
  void keepTheirTypeTheServersFramesAndTheLineOfTheCall() {
    assertThatThrownBy(() -> faulty.number())
        .isExactlyInstanceOf(Stubborn.class)
        .satisfies(
            failure -> {
              var methods =
                  List.of(failure.getStackTrace()).stream()
                      .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                      .toList();
              assertThat(methods.get(0)).endsWith("Faulty.deeper");
              assertThat(methods.get(1)).endsWith("Faulty.number");
              assertThat(methods.get(2)).isEqualTo("----- called.from");
              assertThat(methods.get(3)).contains("FailuresTest");
            });
    var text = faulty.fails();
    assertThatThrownBy(text::length)
        .satisfies(
            failure -> {
              var trace = failure.getStackTrace();
              assertThat(trace[0].getMethodName()).isEqualTo("fails");
              assertThat(trace[trace.length - 1].getMethodName())
                  .isEqualTo("keepTheirTypeTheServersFramesAndTheLineOfTheCall");
            });
    assertThatThrownBy(() -> ActiveObjects.ref(faulty).ask(Faulty::number).join())
        .cause()
        .isExactlyInstanceOf(Stubborn.class);
  }

  @Test
  void thatCannotTravelAreDescribed() {
    assertThatThrownBy(faulty::unencodable)
        .isInstanceOf(RemoteFailure.class)
        .hasMessage(Unencodable.class.getName() + ": odd")
        .satisfies(
            failure -> {
              assertThat(((RemoteFailure) failure).type()).isEqualTo(Unencodable.class.getName());
              assertThat(failure.getStackTrace()[0].getMethodName()).isEqualTo("unencodable");
              assertThat(failure.getCause()).hasMessage("java.lang.ArithmeticException: deeper");
            });
  }

  @Test
  void whoseOwnMethodsFailStopNeitherTheirCallerNorTheBody(LogRecords records) throws Exception {
    faulty.hostileOneWay();

    assertThatThrownBy(faulty::hostile).isExactlyInstanceOf(Hostile.class);
    assertThat(next().cause() instanceof Hostile).isTrue(); // no message, which would be asked for
    assertThatThrownBy(faulty::error).isInstanceOf(StackOverflowError.class);
    records.expect(Level.WARNING, "has failed and ends");
  }

  @Test
  void thatAreErrorsArriveToo(LogRecords records) throws Exception {
    assertThatThrownBy(faulty::error).isInstanceOf(StackOverflowError.class).hasMessage("deep");
    records.expect(Level.WARNING, "has failed and ends: Faulty.error() threw");
  }

  @Test
  void aFailingHandlerOfABodyIsToldToTheJvm() throws Exception {
    var caller = ActiveObjects.here().create(FailingHandler.class, faulty);
    caller.callOneWay();
    var failure = next();
    assertThat(failure.call()).isEqualTo("a stage or handler of a FailingHandler on node 'main'");
    assertThat(failure.cause()).hasMessage("handler");
  }

  static class FailingHandler implements FailureHandler {
    private final Faulty faulty;

    FailingHandler(Faulty faulty) {
      this.faulty = faulty;
    }

    void callOneWay() {
      faulty.oneWay();
    }

    @Override
    public void failed(CallFailure failure) {
      throw new IllegalStateException("handler");
    }
  }
}
