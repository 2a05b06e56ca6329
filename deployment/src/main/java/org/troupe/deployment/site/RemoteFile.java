package org.troupe.deployment.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.files.FileWriteException;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.SshMachine;

/** The standard output of a command on another machine, which becomes a file here. */
final class RemoteFile implements RemoteTroupe.Output {

  /*
   * The file is never on a disk there. Only the exit code of the command says that it is whole. After Ctrl-C here the end
   * of its input lets the command end by SIGTERM. A command that finishes its output then ends with a code of its own; the
   * code of an end by SIGTERM says that it did not, however much has come.
   */

  private static final int LAST_STEPS_SECONDS = 15; // more than a command takes to end early
  private static final int REMOVAL_SECONDS =
      2; // of the unfinished file, once the connection is closed

  private final Path file;
  private final PrintWriter err;
  private final IntConsumer report;
  private final FileAttribute<?>[] attributes;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile @Nullable StartedProcess running;

  /**
   * @param report takes the exit code of the command when the file is in its place, or has been
   *     given up; Ctrl-C awaits it
   */
  RemoteFile(Path file, Writer err, IntConsumer report, FileAttribute<?>... attributes) {
    this.file = file;
    this.err = new PrintWriter(err, true);
    this.report = report;
    this.attributes = attributes;
  }

  /** The command has not written a whole file; its exit code, or the connection, tells why. */
  private static final class NoFileException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** The output of the command could not be read. */
  private static final class BrokenOutputException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenOutputException(IOException cause) {
      super("its output has broken off: " + AtomicFile.reason(cause), cause);
    }
  }

  @Override
  public void take(SshMachine machine, StartedProcess command) throws IOException {
    running = command;
    try {
      AtomicFile.write(file, channel -> copy(command, channel), attributes);
    } catch (FileWriteException e) {
      if (e.getCause() instanceof BrokenOutputException broken) {
        throw broken;
      }
      if (!(e.getCause() instanceof NoFileException)) {
        throw e;
      }
    }
  }

  private static void copy(StartedProcess command, FileChannel to) throws IOException {
    var process = command.process();
    var from = process.getInputStream();
    var bytes = new byte[16_384];
    for (int read; (read = read(from, bytes)) >= 0; ) {
      var part = ByteBuffer.wrap(bytes, 0, read);
      while (part.hasRemaining()) {
        to.write(part);
      }
    }
    try {
      var code = process.waitFor();
      var isWhole = code == 0 || code == RemoteTroupe.PARTIAL_FILE;
      if (!isWhole || command.explanation().isPresent()) {
        throw new NoFileException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoFileException();
    }
  }

  private static int read(InputStream from, byte[] bytes) throws IOException {
    try {
      return from.read(bytes);
    } catch (IOException e) {
      throw new BrokenOutputException(e);
    }
  }

  @Override
  public void ended(int code) {
    report.accept(code);
  }

  @Override
  public void close() {
    done.countDown();
  }

  @Override
  public void stop() {
    var command = running;
    if (command == null || done.getCount() == 0) {
      return;
    }
    err.println("waiting for the rest of the output, at most %d s".formatted(LAST_STEPS_SECONDS));
    try {
      command.process().getOutputStream().close();
      var _ = done.await(LAST_STEPS_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      // The connection has broken.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void awaitEnd() {
    var command = running;
    if (command == null) {
      return;
    }
    command.process().destroyForcibly();
    try {
      var _ = done.await(REMOVAL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
