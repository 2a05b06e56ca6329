package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.serialization.ClassSource;
import org.troupe.serialization.SerializationException;

/** Restarts the object of one body after failures. */
final class Restarts {

  /*
   * Design: a restart in place
   *
   * A body that is restarted returns to the state before its birth: requests queue, and none is served. After a
   * failure the body stops its service when the requests in service have ended, and keeps its queue, references and
   * extensions. Then the failed instance gets its last notification, and after a pause a new instance is constructed,
   * with which the service resumes. Immediate methods, which bypass the queue, are served by the failed instance until
   * there is another.
   *
   *   SERVING --failed--> STOPPING --stopped--> PAUSING --> MAKING --> SERVING
   *                                                ^----------+ the constructor throws
   *
   * If the body is terminated at once during a pause, the pause ends and the body with it. No user code runs on the
   * thread that stops the service, which may be that of a caller, or on that of the clock.
   *
   * An object that was lost with another node begins here in the state MAKING, in a body that has never served. The
   * failures that were counted there count here, too, and a constructor that throws is tried again after a pause.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private enum State {
    SERVING,
    STOPPING,
    PAUSING,
    MAKING
  }

  private final Body body;
  private final Restart policy;

  // guarded by this
  private RestartBudget budget;
  private State state = State.SERVING;
  private OptionalLong pause = OptionalLong.empty();
  private boolean isEnding; // the body is terminated at once
  private @Nullable String lasting; // why no restart can be of use
  private @Nullable Origin origin;
  private ClassSource classes = name -> null;

  /** Completes when an object that was lost with another node is here; null after that. */
  private @Nullable CompletableFuture<@Nullable End> embodied;

  private volatile boolean hasToldEnd;

  Restarts(Body body, Restart policy) {
    this.body = body;
    this.policy = policy;
    this.budget = new RestartBudget(policy);
  }

  /**
   * Sets how the object is made; before its service begins.
   *
   * @param missing gives the classes that are not known here
   */
  synchronized void origin(Origin first, ClassSource missing) {
    origin = first;
    classes = missing;
  }

  /** Returns how the object is made; {@code null} if it is not made again. */
  synchronized @Nullable Origin origin() {
    return origin;
  }

  Restart policy() {
    return policy;
  }

  /** Returns the failures that count at the moment. */
  synchronized RestartBudget.History history() {
    return budget.history(clock().nanoTime());
  }

  /** Counts the failures of the object on other nodes; before its service begins. */
  synchronized void continues(RestartBudget.History before) {
    budget = new RestartBudget(policy, before, clock().nanoTime());
  }

  /**
   * Makes the object of a body that has not begun.
   *
   * @return completes with {@code null} when the object serves, or with its end if it is given up
   */
  CompletableFuture<@Nullable End> embody() {
    var made = new CompletableFuture<@Nullable End>();
    synchronized (this) {
      embodied = made;
      state = State.PAUSING;
    }
    Thread.startVirtualThread(this::make);
    return made;
  }

  /** Returns whether an exception of a request is a failure of the object by the user's choice. */
  boolean isFailure(Throwable thrown) {
    for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
      if (policy.failures().contains(type.getName())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the failed instance has received its last notification. */
  boolean hasToldEnd() {
    return hasToldEnd;
  }

  /**
   * Records a failure.
   *
   * @return whether the service has to stop, for a restart or for good, and has not been told yet
   */
  synchronized boolean failed(String what) {
    if (state != State.SERVING) {
      return false;
    }
    state = State.STOPPING;
    count(what);
    return true;
  }

  private synchronized void count(String what) {
    var random = ThreadLocalRandom.current().nextDouble();
    pause = budget.failed(clock().nanoTime(), what, random);
    if (!policy.isInPlace()) {
      pause = OptionalLong.empty();
    }
    if (pause.isPresent()) {
      var millis = Duration.ofNanos(pause.getAsLong()).toMillis();
      var number = budget.count();
      LOG.log(
          Level.WARNING,
          () ->
              "%s has failed and is restarted in %d ms (%d of at most %d restarts within %s): %s"
                  .formatted(body, millis, number, policy.times(), policy.within(), what));
    }
    if (policy.scope() == Restart.Scope.ELSEWHERE) {
      body.node().failed(body, what);
    }
  }

  /** Restarts the object no more: its replay would differ again, or not fit into its class. */
  private synchronized void giveUp(String why) {
    pause = OptionalLong.empty();
    lasting = why + "; a restart would fail again";
  }

  private RestartClock clock() {
    return body.node().restartClock();
  }

  /** Continues when no request is served any more. */
  void stopped() {
    Thread.startVirtualThread(
        () -> {
          body.runInService(body::tellEnd);
          hasToldEnd = true;
          pause();
        });
  }

  private void pause() {
    OptionalLong nanos;
    boolean isGivenUp;
    synchronized (this) {
      nanos = isEnding ? OptionalLong.empty() : pause;
      isGivenUp = !isEnding && nanos.isEmpty();
      state = nanos.isPresent() ? State.PAUSING : State.SERVING;
    }
    if (nanos.isPresent()) {
      clock().schedule(() -> Thread.startVirtualThread(this::make), nanos.getAsLong());
      return;
    }
    if (isGivenUp) {
      var end = givenUp();
      LOG.log(Level.WARNING, () -> end.why() + "; it ends");
      body.endNow(end);
    }
    endStopped();
  }

  /** Ends a body whose service has stopped, or has never begun. */
  private void endStopped() {
    CompletableFuture<@Nullable End> waiting;
    synchronized (this) {
      waiting = embodied;
      embodied = null;
    }
    if (waiting == null) {
      body.endStopped();
    } else {
      body.neverBegins();
      waiting.complete(body.end());
    }
  }

  private synchronized End givenUp() {
    if (lasting != null) {
      return End.of(End.How.FAILED, lasting);
    }
    var remedy = origin == null ? "" : origin.remedy();
    var causes = budget.causes();
    var why =
        budget.count() == 1
            ? " has failed: "
            : " has failed %d times within %s: ".formatted(budget.count(), policy.within());
    return End.of(End.How.FAILED, body + why + causes + remedy);
  }

  private void make() {
    synchronized (this) {
      if (state != State.PAUSING) {
        return;
      }
      state = State.MAKING;
    }
    body.runInService(
        () -> {
          var from = Objects.requireNonNull(origin(), "the origin of the object");
          try {
            made(from.make(body.type().type(), body.node().marshaller(), classes));
          } catch (Throwable failure) {
            if (failure instanceof CallLog.StoppedException
                && body instanceof LoggedBody logged
                && logged.endsIfCutOff()) {
              pause(); // which ends at once
              return;
            }
            var what = from.problem() + " " + FailureSummary.line(failure);
            switch (failure) {
              case ReplayException differs -> giveUp(String.valueOf(differs.getMessage()));
              case SerializationException _ ->
                  giveUp(body + " has failed: " + what + from.remedy());
              default -> count(what);
            }
            pause();
          }
        });
  }

  private void made(Object object) {
    boolean isLate;
    CompletableFuture<@Nullable End> waiting;
    Origin made;
    synchronized (this) {
      isLate = isEnding;
      made = origin;
      state = State.SERVING;
      waiting = embodied;
      embodied = isLate ? waiting : null;
    }
    if (isLate) {
      endStopped();
    } else if (waiting != null) {
      body.startAgain(object, Objects.requireNonNull(made)::begin);
      waiting.complete(null);
    } else {
      hasToldEnd = false;
      var its = Objects.requireNonNull(made);
      body.restart(object, its::begin);
      body.node()
          .observer()
          .events()
          .add(NodeEvent.Kind.RESTARTED, body.description(its.travelling()) + ", in its place");
    }
  }

  /** Ends a pause, because the body is terminated at once. */
  void bodyDies() {
    synchronized (this) {
      isEnding = true;
      if (state != State.PAUSING) {
        return;
      }
      state = State.SERVING;
    }
    endStopped();
  }
}
