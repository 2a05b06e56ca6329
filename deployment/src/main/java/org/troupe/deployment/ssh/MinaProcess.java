package org.troupe.deployment.ssh;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.sshd.client.channel.ClientChannel;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.process.ShellLine;

/** A command that runs over a channel of an ssh connection. */
final class SshProcess extends RemoteProcess {

  /** The exit code of ssh if its connection breaks. */
  private static final int BROKEN = 255;

  private static final int SIGNALLED = 128;

  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "HUP", 1, "INT", 2, "QUIT", 3, "ILL", 4, "ABRT", 6, "FPE", 8, "KILL", 9, "SEGV", 11,
          "PIPE", 13, "TERM", 15);

  private final ClientChannel channel;
  private final LongConsumer killer;
  private final InputStream output;
  private volatile long pid; // 0 before it is known
  private volatile boolean isDestroyed;

  /**
   * @param channel an open channel, for a line of {@link ShellLine#marked}
   * @param killer kills a process on the machine by its id, asynchronously
   */
  SshProcess(ClientChannel channel, LongConsumer killer) {
    this.channel = channel;
    this.killer = killer;
    output = new Marked(channel.getInvertedOut());
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
    if (pid == 0) {
      throw new UnsupportedOperationException("not known yet");
    }
    return pid;
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
    if (pid != 0 && isAlive()) {
      killer.accept(pid);
    }
    channel.close(true);
  }

  /**
   * The output after the mark and the process id; the whole output, if the shell failed before it
   * printed these.
   */
  private final class Marked extends FilterInputStream {

    private static final int LONGEST = 1 << 16;

    private boolean isPassed; // under this

    Marked(InputStream all) {
      super(all);
    }

    @Override
    public synchronized int read() throws IOException {
      pass();
      return in.read();
    }

    @Override
    public synchronized int read(byte[] bytes, int from, int length) throws IOException {
      pass();
      return in.read(bytes, from, length);
    }

    @Override
    public synchronized int available() throws IOException {
      return isPassed ? in.available() : 0;
    }

    private void pass() throws IOException {
      if (isPassed) {
        return;
      }
      isPassed = true;
      var before = new ByteArrayOutputStream();
      for (int c; before.size() < LONGEST && (c = in.read()) >= 0; before.write(c)) {
        if (c == ShellLine.MARK) {
          pid = number();
          return;
        }
      }
      in = new SequenceInputStream(new java.io.ByteArrayInputStream(before.toByteArray()), in);
    }

    private long number() throws IOException {
      var digits = new ByteArrayOutputStream();
      for (int c; (c = in.read()) >= '0'; ) {
        digits.write(c);
      }
      return Long.parseLong(digits.toString(StandardCharsets.US_ASCII));
    }
  }
}
