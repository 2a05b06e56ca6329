package org.troupe.deployment;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The JVM of a node that a batch system starts, sooner or later, seen as a process. */
final class BatchProcess extends RemoteProcess {

  /*
   * Its input takes the node's settings, up to the first flush; they go into the job's settings file. The end of its
   * input is a wish only: the coordinator ends the nodes that have joined, the bundle sees to the rest.
   */
  private static final int KILLED = 128 + 9;

  private final Bundle bundle;
  private final int rank;
  private final Feed printed = new Feed();
  private final Feed complained = new Feed();
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private volatile String explanation = "";
  private final OutputStream input = new Input();

  BatchProcess(Bundle bundle, int rank) {
    this.bundle = bundle;
    this.rank = rank;
  }

  private final class Input extends OutputStream {

    private final ByteArrayOutputStream settings = new ByteArrayOutputStream();

    @Override
    public void write(int c) {
      settings.write(c);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      settings.write(bytes, offset, length);
    }

    @Override
    public void flush() {
      if (settings.size() > 0) {
        bundle.told(rank, settings.toByteArray());
        settings.reset();
      }
    }

    @Override
    public void close() {
      flush();
      bundle.endWanted(rank);
    }
  }

  void print(boolean isError, byte[] bytes) {
    (isError ? complained : printed).give(bytes);
  }

  /** Says how it ended; only the first counts. */
  void ended(int code, String why) {
    if (!exit.isDone()) {
      explanation = why;
    }
    exit.complete(code);
    printed.end();
    complained.end();
  }

  @Override
  Optional<String> explanation() {
    return explanation.isEmpty() ? Optional.empty() : Optional.of(explanation);
  }

  @Override
  Optional<String> progress() {
    return isAlive() ? Optional.of(bundle.progress()) : Optional.empty();
  }

  @Override
  public OutputStream getOutputStream() {
    return input;
  }

  @Override
  public InputStream getInputStream() {
    return printed;
  }

  @Override
  public InputStream getErrorStream() {
    return complained;
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return exit.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e); // it is only ever completed with a code
    }
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    try {
      exit.get(timeout, unit);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int exitValue() {
    if (!exit.isDone()) {
      throw new IllegalThreadStateException("it has not ended");
    }
    return exit.join();
  }

  @Override
  public boolean isAlive() {
    return !exit.isDone();
  }

  @Override
  public CompletableFuture<Process> onExit() {
    return exit.thenApply(code -> this);
  }

  @Override
  public void destroy() {
    destroyForcibly();
  }

  /**
   * No batch system can end one process of a job; the job ends when none of its nodes is wanted.
   */
  @Override
  public Process destroyForcibly() {
    bundle.givenUp(rank, KILLED);
    return this;
  }

  @Override
  public boolean supportsNormalTermination() {
    return false;
  }
}
