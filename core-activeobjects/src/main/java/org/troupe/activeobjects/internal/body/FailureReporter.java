package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RequestDroppedException;
import org.troupe.activeobjects.hosting.FailureGroup.Kind;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.marshal.FailureCodec;
import org.troupe.activeobjects.internal.observe.FailureGroups;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Reports failures that no caller can observe: of one-way calls and of discarded results. */
public final class FailureReporter {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");
  private static final Cleaner CLEANER = Cleaner.create();

  private final FailureLog log = new FailureLog();
  private final ReportThreads threads = new ReportThreads();
  private final String nodeName;
  private final FailureCodec codec;
  private final Executor platformThreads;
  private final FailureGroups groups;
  private volatile @Nullable FailureHandler handler;

  /**
   * Creates the reporter of a node.
   *
   * @param platformThreads runs the handler when virtual threads make no progress
   * @param groups counts the failures
   */
  public FailureReporter(
      String nodeName, FailureCodec codec, Executor platformThreads, FailureGroups groups) {
    this.nodeName = nodeName;
    this.codec = codec;
    this.platformThreads = platformThreads;
    this.groups = groups;
  }

  public void handler(@Nullable FailureHandler handler) {
    this.handler = handler;
  }

  /**
   * Reports a failure to the failure handler of the calling body, as a request; without one, to the
   * handler of the JVM; without either, to the log.
   *
   * @param caller the body that made the call, or {@code null}
   */
  public void report(@Nullable Body caller, String call, Throwable cause) {
    report(isOfUnserved(cause) ? Kind.UNSERVED : Kind.ONE_WAY, caller, call, cause);
  }

  /**
   * Reports a failure that has arrived from another node as {@link #report} does, on another
   * thread, because decoding it runs code of its class.
   */
  public void reportArrived(@Nullable Body caller, String call, Supplier<Throwable> cause) {
    threads.start(() -> report(caller, call, cause.get()));
  }

  /**
   * Returns a future that completes when the failure handler of the JVM has received all failures
   * that are known here. A failure for the handler of a body is in the queue of that body then.
   */
  public CompletableFuture<Boolean> allReported() {
    return threads.allEnded();
  }

  /**
   * Reports a failure of work that has no caller, to the handler of the JVM or to the log.
   *
   * @param what the work
   */
  public void background(String what, Throwable cause) {
    report(Kind.BACKGROUND, null, what, cause);
  }

  private static boolean isOfUnserved(Throwable cause) {
    return cause instanceof RequestDroppedException
        || cause instanceof ObjectTerminatedException
        || cause instanceof NodeLostException;
  }

  private void report(Kind kind, @Nullable Body caller, String call, Throwable cause) {
    groups.add(kind, call, cause);
    var failure = new CallFailure(call, cause);
    if (caller != null && caller.target() instanceof FailureHandler own && !caller.hasEnded()) {
      caller.execute(() -> own.failed(failure));
      return;
    }
    var ours = handler;
    if (ours == null) {
      log.log(call, cause);
      return;
    }
    threads.start(() -> tell(ours, failure));
  }

  /**
   * Reports a condition that prevents the node from serving requests to the failure handler of the
   * JVM, or to the log.
   */
  public void reportStandstill(String trouble) {
    var failure =
        new CallFailure(
            "serving requests on node '" + nodeName + "'", new TimeoutException(trouble));
    var ours = handler;
    if (ours == null) {
      LOG.log(Level.WARNING, "node ''{0}'': {1}", nodeName, trouble);
    } else {
      platformThreads.execute(() -> tell(ours, failure)); // a virtual thread might not be scheduled
    }
  }

  /** Logs how many failures the log does not have yet. */
  public void close() {
    log.endPeriod();
  }

  private static void tell(FailureHandler handler, CallFailure failure) {
    try {
      handler.failed(failure);
    } catch (Throwable again) {
      LOG.log(Level.WARNING, "the failure handler failed over " + failure.call(), again);
    }
  }

  /**
   * Reports the failure of a one-way call within this JVM; the exception is copied like any result.
   */
  void reportOneWay(@Nullable Body caller, String call, Throwable cause) {
    report(caller, call, codec.opened(codec.encode(cause), null));
  }

  public static boolean isFailure(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failure
        || outcome instanceof Outcome.Encoded<?> encoded
            && encoded.form() instanceof EncodedFailure;
  }

  /** Watches a failed result: if it becomes unreachable unused, the failure handler is notified. */
  public Watch watch(
      FutureResult<?> result,
      @Nullable StackTraceElement site,
      @Nullable Body caller,
      Outcome<?> outcome) {
    var watch = new Watch(this, result.describe(), site, caller, outcome);
    CLEANER.register(result, watch);
    return watch;
  }

  /** Records whether a failed result was used; must not refer to the result itself. */
  public static final class Watch implements Runnable {
    private final FailureReporter failures;
    private final String call;
    private final @Nullable StackTraceElement site;
    private final WeakReference<Body> caller; // the body may keep the result reachable
    private final Outcome<?> outcome;
    private volatile boolean claimed;

    private Watch(
        FailureReporter failures,
        String call,
        @Nullable StackTraceElement site,
        @Nullable Body caller,
        Outcome<?> outcome) {
      this.failures = failures;
      this.call = call;
      this.site = site;
      this.caller = new WeakReference<>(caller);
      this.outcome = outcome;
    }

    public void claimed() {
      claimed = true;
    }

    @Override
    public void run() {
      if (!claimed) {
        failures.threads.start(this::report); // because decoding a failure runs code of its class
      }
    }

    private void report() {
      var cause =
          switch (outcome) {
            case Outcome.Failure<?>(Throwable its) -> its;
            case Outcome.Encoded<?> encoded ->
                failures.codec.opened((EncodedFailure) encoded.form(), site);
            case Outcome.Success<?> success -> throw new AssertionError(success);
          };
      failures.report(Kind.UNCLAIMED, caller.get(), call, cause);
    }
  }
}
