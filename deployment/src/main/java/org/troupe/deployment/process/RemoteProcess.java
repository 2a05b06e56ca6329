package org.troupe.deployment.process;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process on another machine, which can end for reasons that an exit code does not tell. */
public abstract class RemoteProcess extends Process {

  /** What a shell says of a process that SIGKILL has ended. */
  public static final int KILLED = 128 + 9;

  private final CompletableFuture<Process> end = new CompletableFuture<>();

  /** It has ended; from now on {@link #exitCode} is known. Idempotent. */
  public final void ended() {
    end.complete(this);
  }

  /** Returns its exit code, once it has ended. */
  public abstract int exitCode();

  /** Says why it ended, if there is more to say than its exit code. */
  public abstract Optional<String> explanation();

  /** Says what a batch system says of its end; empty if there is none, or it says nothing. */
  public String scheduler() {
    return "";
  }

  /** Returns whether the end of its input says nothing to it, once it runs. */
  public boolean hasNoInput() {
    return false;
  }

  /** Returns whether it is reached through another node, which had better end after it. */
  public boolean isThroughNode() {
    return false;
  }

  /** Returns whether it has ended, or never ran, for no other reason than the loss of that node. */
  public boolean isOrphan() {
    return false;
  }

  /** Somebody wants to know whether it has ended. */
  public void hurry() {
    // Most know at once.
  }

  /** Says how far it is, and what it waits for, if it is not running yet. */
  public Optional<String> progress() {
    return Optional.empty();
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
      throw new AssertionError(e); // it is never completed so
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
      throw new AssertionError(e); // it is never completed so
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
