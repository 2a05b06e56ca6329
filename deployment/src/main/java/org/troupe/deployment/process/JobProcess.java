package org.troupe.deployment.process;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** The JVM of a node that is a part of a job, as a process. */
public final class JobProcess extends RemoteProcess {

  /*
   * Its input accepts the node's settings, up to the first flush; they go into the job's settings file. The end of its
   * input is only a request: the coordinator ends the nodes that have joined, the job ends the others.
   */
  private final Job job;
  private final int rank;
  private final QueueInputStream output = new QueueInputStream();
  private final QueueInputStream errors = new QueueInputStream();
  private volatile int exitCode;
  private volatile String explanation = "";
  private volatile String scheduler = "";
  private final OutputStream input = new Input();

  /** The job that starts the process, with those of other nodes. */
  public interface Job {

    /** Receives the settings of a node. */
    void setSettings(int rank, byte[] settings);

    /**
     * Called when the input of a node has ended: the node is no longer needed, or its coordinator
     * ends it.
     */
    void inputEnded(int rank);

    /** Gives a node up, which then counts as ended with the exit code. */
    void kill(int rank, int code);

    /** Looks soon whether a node has ended, since it does not answer. */
    void checkEnd();

    /** Describes what a node that has not ended waits for. */
    String progress(int rank);
  }

  public JobProcess(Job job, int rank) {
    this.job = job;
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
        job.setSettings(rank, settings.toByteArray());
        settings.reset();
      }
    }

    @Override
    public void close() {
      flush();
      job.inputEnded(rank);
    }
  }

  public void print(boolean isError, byte[] bytes) {
    (isError ? errors : output).add(bytes);
  }

  /** Marks the process as ended; called once, by the job. */
  public void ended(int code, String why, String account) {
    exitCode = code;
    explanation = why;
    scheduler = account;
    ended();
    output.end();
    errors.end();
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
    job.checkEnd();
  }

  @Override
  public Optional<String> progress() {
    return isAlive() ? Optional.of(job.progress(rank)) : Optional.empty();
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

  /**
   * Gives the process up: no batch system can end one process of a job. The job ends when none of
   * its nodes is needed.
   */
  @Override
  public void destroy() {
    job.kill(rank, KILLED);
  }
}
