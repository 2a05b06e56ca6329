package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.testing.Polling;

/** Waits that end: far later than anything takes on a machine that works. */
public final class Waits {

  private static final long SECONDS = 40;

  private Waits() {}

  /** What a future gives, within bounds. */
  public static <T> T valueOf(CompletableFuture<T> future, String what) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      return fail("no outcome of " + what + " within " + SECONDS + " s");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The report of a node, within bounds. */
  public static NodeReport reportOf(AwaitedReport report) {
    try {
      return report.get(TimeUnit.SECONDS.toNanos(SECONDS));
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      return fail("no report within " + SECONDS + " s");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a future fails with, within bounds. */
  public static Throwable failureOf(CompletableFuture<?> future, String what) {
    try {
      return fail(what + " should have failed, but gave " + valueOf(future, what));
    } catch (CompletionException e) {
      return e.getCause();
    }
  }

  public static void await(CountDownLatch latch, String what) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).as(what).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for something that nothing tells of. */
  public static void until(BooleanSupplier condition, String what) {
    Polling.until(what, condition::getAsBoolean);
  }

  /** Runs something on a new platform thread. */
  public static <T> CompletableFuture<T> onPlatformThread(java.util.concurrent.Callable<T> work) {
    return started(work, Thread.ofPlatform().daemon());
  }

  /** Runs something on a new virtual thread. */
  public static <T> CompletableFuture<T> onVirtualThread(java.util.concurrent.Callable<T> work) {
    return started(work, Thread.ofVirtual());
  }

  private static <T> CompletableFuture<T> started(
      java.util.concurrent.Callable<T> work, Thread.Builder thread) {
    var done = new CompletableFuture<T>();
    thread.start(
        () -> {
          try {
            done.complete(work.call());
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        });
    return done;
  }
}
