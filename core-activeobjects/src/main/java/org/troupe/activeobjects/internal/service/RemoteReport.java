package org.troupe.activeobjects.internal.service;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.futures.Outcome;
import org.troupe.serialization.SerializationException;

/** The report that another node was asked for. */
final class RemoteReport implements AwaitedReport {

  private final CallResult call;
  private long arrivedNanos; // guarded by this; 0 before the answer

  RemoteReport(CallResult call) {
    this.call = call;
    call.claim(); // the loss of the node is reported elsewhere
    call.onSettled(_ -> arrives());
  }

  /** Called by the thread that receives the answer, and by one that sees the answer before that. */
  private synchronized void arrives() {
    if (arrivedNanos == 0) {
      arrivedNanos = System.nanoTime();
    }
  }

  @Override
  public NodeReport get(long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    var outcome = call.await(nanos);
    if (outcome != null) {
      arrives();
    }
    return switch (outcome) {
      case null ->
          throw new TimeoutException(
              "%s gave no result within %d ms"
                  .formatted(call.describe(), TimeUnit.NANOSECONDS.toMillis(nanos)));
      case Outcome.Success<Object>(Object packed) -> unpacked((PackedReport) packed);
      case Outcome.Failure<Object>(Throwable cause) -> throw new ExecutionException(cause);
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    };
  }

  private static NodeReport unpacked(PackedReport packed) throws ExecutionException {
    try {
      return packed.unpacked();
    } catch (SerializationException e) {
      throw new ExecutionException("the report cannot be read", e);
    }
  }

  @Override
  public synchronized long arrivedNanos() {
    return arrivedNanos;
  }
}
