package org.troupe.activeobjects.internal.marshal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.futures.Outcome;

/** Encodes failures of calls where they occur, and decodes them where a caller uses them. */
public final class FailureCodec {

  private final Marshaller marshaller;
  private final String nodeName;

  FailureCodec(Marshaller marshaller, String nodeName) {
    this.marshaller = marshaller;
    this.nodeName = nodeName;
  }

  /**
   * Encodes a failure. Never throws, even if the methods of the failure itself do: otherwise the
   * caller would never receive an answer, and the serving body would be stuck.
   */
  public EncodedFailure encode(Throwable failure) {
    @Nullable Payload exception = null;
    try {
      exception = marshaller.encode(failure);
    } catch (Throwable e) {
      // The exception refers to something that cannot be serialized; the summary does not.
    }
    return new EncodedFailure(FailureSummary.of(failure), exception);
  }

  /**
   * Returns the outcome of a failed call. The failure is decoded on the thread that uses it.
   *
   * @param site the source line of the call, or {@code null} if the caller waits at that line
   */
  public Outcome<Object> outcome(EncodedFailure failure, @Nullable StackTraceElement site) {
    return new Outcome.Encoded<>(failure, () -> new Outcome.Failure<>(opened(failure, site)));
  }

  /**
   * Decodes a failure on the thread that uses it. Its trace has the server's frames, then the line
   * of the call.
   *
   * @param site the source line of the call, or {@code null} if the call is on this thread's stack
   */
  public Throwable opened(EncodedFailure encoded, @Nullable StackTraceElement site) {
    Throwable failure;
    try {
      failure =
          encoded.exception() == null
              ? encoded.summary().toRemoteFailure()
              : (Throwable) encoded.exception().decode(marshaller)[0];
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      failure = encoded.summary().toRemoteFailure();
    }
    List<StackTraceElement> frames = new ArrayList<>(List.of(encoded.summary().frames()));
    frames.add(new StackTraceElement(CallTraces.CALLED, "from", nodeName, -1));
    if (site != null) {
      frames.add(site);
      frames.addAll(CallTraces.sourceLauncher());
    } else {
      frames.addAll(CallTraces.callers());
    }
    try {
      failure.setStackTrace(frames.toArray(StackTraceElement[]::new));
      CallTraces.trimWhatItHolds(failure);
    } catch (Throwable e) {
      // The class may forbid it; its own trace is better than a lost failure.
    }
    return failure;
  }

  /**
   * Returns a copy of a failure on another thread, whose trace ends with the line of the program
   * that waits. Others may wait for the same failure, so it is not changed; it is returned itself
   * if it has no copy.
   */
  public Throwable calledAt(StackWalker.@Nullable StackFrame site, Throwable failure) {
    if (site == null) {
      return failure;
    }
    try {
      var copy = (Throwable) marshaller.encode(failure).decode(marshaller)[0];
      var frames = new ArrayList<>(List.of(failure.getStackTrace()));
      frames.add(site.toStackTraceElement());
      copy.setStackTrace(frames.toArray(StackTraceElement[]::new));
      return copy;
    } catch (Throwable e) { // its class cannot be encoded, or its own code fails
      return failure;
    }
  }

  /**
   * Returns an outcome whose value belongs to the caller of this method alone; runs user code.
   *
   * @param site the source line of the call, for the trace of a failure, or {@code null}
   */
  public Outcome<?> fresh(Outcome<?> outcome, @Nullable StackTraceElement site) {
    if (outcome instanceof Outcome.Encoded<?> encoded) {
      return switch (encoded.form()) {
        case Payload payload -> marshaller.decoded(payload);
        case EncodedFailure failure -> new Outcome.Failure<>(opened(failure, site));
        default -> throw new AssertionError(encoded.form());
      };
    }
    return outcome;
  }
}
