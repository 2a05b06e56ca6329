package org.troupe.deployment.batch;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.troupe.deployment.process.QueueInputStream;
import org.troupe.deployment.process.RemoteProcess;

/** The JVM of a node that a batch system starts, sooner or later, seen as a process. */
final class BatchProcess extends RemoteProcess {

  /*
   * Its input takes the node's settings, up to the first flush; they go into the job's settings file. The end of its
   * input is a wish only: the coordinator ends the nodes that have joined, the bundle sees to the rest.
   */
  private final BatchJob bundle;
  private final int rank;
  private final QueueInputStream printed = new QueueInputStream();
  private final QueueInputStream complained = new QueueInputStream();
  private volatile int exitCode;
  private volatile String explanation = "";
  private volatile String scheduler = "";
  private final OutputStream input = new Input();

  BatchProcess(BatchJob bundle, int rank) {
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
    (isError ? complained : printed).add(bytes);
  }

  /** Says how it ended; called once, by the bundle. */
  void ended(int code, String why, String account) {
    exitCode = code;
    explanation = why;
    scheduler = account;
    ended();
    printed.end();
    complained.end();
  }

  @Override
  public int exitCode() {
    return exitCode;
  }

  @Override
  public Optional<String> explanation() {
    return explanation.isEmpty() ? Optional.empty() : Optional.of(explanation);
  }

  @Override
  public String scheduler() {
    return scheduler;
  }

  @Override
  public boolean hasNoInput() {
    return true;
  }

  @Override
  public void checkEnd() {
    bundle.checkEnd();
  }

  @Override
  public Optional<String> progress() {
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

  /**
   * No batch system can end one process of a job; the job ends when none of its nodes is wanted.
   */
  @Override
  public void destroy() {
    bundle.givenUp(rank, KILLED);
  }
}
