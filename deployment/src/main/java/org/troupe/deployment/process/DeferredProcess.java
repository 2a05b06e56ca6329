package org.troupe.deployment.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.node.NodeSettings;

/**
 * A process of a node that is started in the background, since its start takes long. If it cannot
 * be started, it ends with an explanation.
 */
public final class DeferredProcess extends RemoteProcess {

  private static final int NOT_STARTED = 255; // the exit code of ssh itself

  private final CompletableFuture<StartedProcess> started = new CompletableFuture<>();
  private final OutputStream input = new Input();
  private final InputStream output = new Output(Process::getInputStream);
  private final InputStream errors = new Output(Process::getErrorStream);
  private final Start start;
  private volatile boolean isInputEnded;
  private volatile boolean isDestroyed;

  /** The steps by which the process is started. */
  public interface Start {

    /**
     * Starts the process.
     *
     * @param isGivenUp whether the process is no longer needed; a start that waits polls it
     * @throws IOException with a message that states the reason
     */
    StartedProcess start(BooleanSupplier isGivenUp) throws IOException;

    /** Adapts the settings of the node to the machine on which it has been started. */
    NodeSettings fitted(NodeSettings settings) throws IOException;

    /** Returns what the start waits for. */
    String progress();
  }

  public DeferredProcess(String name, Start start) {
    this.start = start;
    Thread.ofVirtual().name("troupe-start-" + name).start(this::start);
    started.whenComplete((running, failure) -> follow(running));
  }

  private void start() {
    try {
      var running = start.start(() -> isInputEnded || isDestroyed);
      started.complete(running);
      if (isInputEnded) {
        running.process().getOutputStream().close();
      }
      if (isDestroyed) {
        running.process().destroyForcibly();
      }
    } catch (Exception | Error e) {
      started.completeExceptionally(e);
    }
  }

  private void follow(@Nullable StartedProcess running) {
    if (running == null) {
      ended();
    } else {
      running.process().onExit().thenRun(() -> ended());
    }
  }

  /** Sends the settings as soon as the process has started. */
  @Override
  public void send(NodeSettings settings) {
    started.thenAcceptAsync(
        running -> {
          try {
            running.send(start.fitted(settings));
          } catch (IOException e) {
            // The process has ended already; its exit report states the reason.
          }
        },
        Thread::startVirtualThread);
  }

  private Optional<StartedProcess> running() {
    return started.isDone() && !started.isCompletedExceptionally()
        ? Optional.of(started.join())
        : Optional.empty();
  }

  @Override
  public OutputStream getOutputStream() {
    return input;
  }

  @Override
  public InputStream getInputStream() {
    return output;
  }

  @Override
  public InputStream getErrorStream() {
    return errors;
  }

  @Override
  public long pid() {
    return running()
        .orElseThrow(() -> new UnsupportedOperationException("not started yet"))
        .process()
        .pid();
  }

  @Override
  public int exitCode() {
    return running()
        .map(StartedProcess::process)
        .map(Process::exitValue)
        .orElse(isDestroyed ? KILLED : NOT_STARTED);
  }

  @Override
  public Optional<String> explanation() {
    if (started.isCompletedExceptionally() && !isDestroyed) {
      var failure = started.exceptionNow();
      var reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
      return Optional.of("it cannot be started: " + reason);
    }
    return running().flatMap(StartedProcess::explanation);
  }

  @Override
  public Optional<String> progress() {
    return running().isPresent() ? Optional.empty() : Optional.of(start.progress());
  }

  @Override
  public boolean hasNoInput() {
    return running().map(StartedProcess::hasNoInput).orElse(false);
  }

  @Override
  public boolean isStartedByNode() {
    return running().map(StartedProcess::isStartedByNode).orElse(false);
  }

  @Override
  public boolean isOrphan() {
    return running().map(StartedProcess::isOrphan).orElse(false);
  }

  @Override
  public void checkEnd() {
    running().ifPresent(StartedProcess::checkEnd);
  }

  /** A process that has not started counts as ended at once; if it starts later, it is killed. */
  @Override
  public void destroy() {
    isDestroyed = true;
    running().map(StartedProcess::process).ifPresentOrElse(Process::destroyForcibly, () -> ended());
  }

  /**
   * Passes writes on once the process has started; before that, only the end of the input is
   * remembered.
   */
  private final class Input extends OutputStream {

    private OutputStream stream() throws IOException {
      return running()
          .orElseThrow(() -> new IOException("the process has not started yet"))
          .process()
          .getOutputStream();
    }

    @Override
    public void write(int b) throws IOException {
      stream().write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      stream().write(bytes, from, length);
    }

    @Override
    public void flush() throws IOException {
      stream().flush();
    }

    @Override
    public void close() throws IOException {
      isInputEnded = true;
      if (running().isPresent()) {
        stream().close();
      }
    }
  }

  /** Blocks until the process has started; one that cannot be started has no output. */
  private final class Output extends InputStream {

    private final Function<Process, InputStream> which;

    Output(Function<Process, InputStream> which) {
      this.which = which;
    }

    private InputStream stream() {
      try {
        return which.apply(started.join().process());
      } catch (CompletionException e) {
        return InputStream.nullInputStream();
      }
    }

    @Override
    public int read() throws IOException {
      return stream().read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      return stream().read(bytes, from, length);
    }

    @Override
    public int available() throws IOException {
      return started.isDone() ? stream().available() : 0;
    }

    @Override
    public void close() throws IOException {
      if (started.isDone()) {
        stream().close();
      }
    }
  }
}
