package org.troupe.deployment.ssh;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.troupe.deployment.process.RemoteProcess;

/** A command that runs over a connection of the ssh program. */
final class OpenSshProcess extends RemoteProcess {

  /** The exit code of ssh if its connection breaks; commands may end with it, too. */
  static final int BROKEN = 255;

  private final Process process;
  private final OpenSshConnection connection;
  private final MarkedOutput output;
  private final LongConsumer killer;
  private volatile boolean isDestroyed;
  private volatile Optional<String> breakage = Optional.empty();

  /**
   * @param process the ssh process of the command
   * @param output its output, whose mark has been read
   * @param killer kills a process on the machine by its id, asynchronously
   */
  OpenSshProcess(
      Process process, OpenSshConnection connection, MarkedOutput output, LongConsumer killer) {
    this.process = process;
    this.connection = connection;
    this.output = output;
    this.killer = killer;
    process.onExit().thenRunAsync(this::exited, Thread::startVirtualThread);
  }

  private void exited() {
    if (process.exitValue() == BROKEN && !isDestroyed && !connection.isOpen()) {
      breakage = Optional.of("its ssh connection broke: " + connection.end());
    }
    ended();
  }

  @Override
  public OutputStream getOutputStream() {
    return process.getOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return output;
  }

  @Override
  public InputStream getErrorStream() {
    return process.getErrorStream();
  }

  /** Returns the process id on the machine. */
  @Override
  public long pid() {
    if (output.pid() == 0) {
      throw new UnsupportedOperationException("the shell there has failed");
    }
    return output.pid();
  }

  @Override
  public int exitCode() {
    return isDestroyed ? KILLED : process.exitValue();
  }

  @Override
  public Optional<String> explanation() {
    return isAlive() ? Optional.empty() : breakage;
  }

  /** Ends the input and the connection, kills the process, and releases all waiting threads. */
  @Override
  public void destroy() {
    if (!process.isAlive()) {
      return; // its end has another cause, which it tells
    }
    isDestroyed = true;
    if (output.pid() != 0) {
      killer.accept(output.pid());
    }
    process.destroyForcibly();
  }
}
