package org.troupe.deployment.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process on another machine, whose end may have other reasons than an exit code can express. */
public abstract class RemoteProcess extends Process implements StartedProcess {

  /** The exit code that a shell reports for a process that SIGKILL ended. */
  public static final int KILLED = 128 + 9;

  private final CompletableFuture<Process> end = new CompletableFuture<>();

  /** Marks the process as ended; from now on {@link #exitCode} is known. Idempotent. */
  public final void ended() {
    end.complete(this);
  }

  /** Returns its exit code, once it has ended. */
  public abstract int exitCode();

  @Override
  public final Process process() {
    return this;
  }

  @Override
  public final boolean isRemote() {
    return true;
  }

  @Override
  public final boolean isAlive() {
    return !end.isDone();
  }

  @Override
  public final int exitValue() {
    if (isAlive()) {
      throw new IllegalThreadStateException("the process has not ended");
    }
    return exitCode();
  }

  @Override
  public final CompletableFuture<Process> onExit() {
    return end.copy();
  }

  @Override
  public final int waitFor() throws InterruptedException {
    try {
      end.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e); // it never completes exceptionally
    }
    return exitCode();
  }

  @Override
  public final boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    try {
      end.get(timeout, unit);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new AssertionError(e); // it never completes exceptionally
    }
  }

  @Override
  public final Process destroyForcibly() {
    destroy();
    return this;
  }

  @Override
  public final boolean supportsNormalTermination() {
    return false;
  }
}
