package org.troupe.deployment.ssh;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.sshd.client.channel.ClientChannel;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.process.ShellLine;

/** A command that runs over a channel of a connection of MINA. */
final class MinaProcess extends RemoteProcess {

  /** The exit code of ssh if its connection breaks. */
  private static final int BROKEN = 255;

  private static final int SIGNALLED = 128;

  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "HUP", 1, "INT", 2, "QUIT", 3, "ILL", 4, "ABRT", 6, "FPE", 8, "KILL", 9, "SEGV", 11,
          "PIPE", 13, "TERM", 15);

  private final ClientChannel channel;
  private final LongConsumer killer;
  private final MarkedOutput output;
  private volatile boolean isDestroyed;

  /**
   * @param channel an open channel, for a line of {@link ShellLine#marked}
   * @param killer kills a process on the machine by its id, asynchronously
   */
  MinaProcess(ClientChannel channel, LongConsumer killer) {
    this.channel = channel;
    this.killer = killer;
    output = new MarkedOutput(channel.getInvertedOut());
    channel.addCloseFutureListener(closed -> ended());
  }

  @Override
  public OutputStream getOutputStream() {
    return channel.getInvertedIn();
  }

  @Override
  public InputStream getInputStream() {
    return output;
  }

  @Override
  public InputStream getErrorStream() {
    return channel.getInvertedErr();
  }

  /** Returns the process id, which is known once some of the output has been read. */
  @Override
  public long pid() {
    if (output.pid() == 0) {
      throw new UnsupportedOperationException("not known yet");
    }
    return output.pid();
  }

  @Override
  public int exitCode() {
    if (channel.getExitStatus() != null) {
      return channel.getExitStatus();
    }
    if (channel.getExitSignal() != null) {
      return SIGNALLED + SIGNALS.getOrDefault(channel.getExitSignal(), 0);
    }
    return isDestroyed ? KILLED : BROKEN;
  }

  @Override
  public Optional<String> explanation() {
    return isAlive() || exitValue() != BROKEN || channel.getExitStatus() != null
        ? Optional.empty()
        : Optional.of("its ssh connection broke: " + SshConnector.end(channel.getClientSession()));
  }

  /** Ends the input and the connection, kills the process, and releases all waiting threads. */
  @Override
  public void destroy() {
    if (!channel.isClosing()) { // else its end has another cause, which it tells
      isDestroyed = true;
    }
    var pid = output.pid();
    if (pid != 0 && isAlive()) {
      killer.accept(pid);
    }
    channel.close(true);
  }
}
