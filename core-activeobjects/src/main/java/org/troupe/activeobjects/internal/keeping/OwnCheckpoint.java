package org.troupe.activeobjects.internal.keeping;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ServiceContext;

/**
 * A checkpoint that an object has asked for itself. It is made after the request that asks for it,
 * so that request cannot wait for it.
 */
final class OwnCheckpoint extends CompletableFuture<Void> {

  private final Body body;

  OwnCheckpoint(Body body, CompletableFuture<Void> checkpoint) {
    this.body = body;
    checkpoint.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            complete(null);
          } else {
            completeExceptionally(KeptObjects.causeOf(failure));
          }
        });
  }

  private void requireOutside() {
    var context = ServiceContext.current();
    if (!isDone() && context != null && context.body == body) {
      throw new WaitCycleException(
          body
              + " waits for its own checkpoint, which is made after the request that waits; do"
              + " not wait for it there, or let the caller ask for the checkpoint");
    }
  }

  @Override
  public Void join() {
    requireOutside();
    return super.join();
  }

  @Override
  public Void get() throws InterruptedException, ExecutionException {
    requireOutside();
    return super.get();
  }

  @Override
  public Void get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    requireOutside();
    return super.get(timeout, unit);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
