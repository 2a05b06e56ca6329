package org.troupe.deployment.site;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.files.FileWriteException;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.SshMachine;

/** The standard output of a command on another machine, which becomes a file here. */
final class RemoteFile implements RemoteTroupe.Output {

  /*
   * The file is never on a disk there. It is whole if the command has ended by itself, or after Ctrl-C here: the end of
   * its input then lets the command end early by SIGTERM, and the rest of the file is awaited.
   */

  private static final int TERMINATED = 128 + 15; // what a shell says of an end by SIGTERM
  private static final int LAST_STEPS_SECONDS = 15; // more than a command takes to end early

  private final Path file;
  private final FileAttribute<?>[] attributes;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile @Nullable StartedProcess running;
  private volatile boolean isStopped;

  RemoteFile(Path file, FileAttribute<?>... attributes) {
    this.file = file;
    this.attributes = attributes;
  }

  /** The command has not written a whole file; its exit code, or the connection, tells why. */
  private static final class NoFileException extends IOException {
    private static final long serialVersionUID = 1;
  }

  @Override
  public void take(SshMachine machine, StartedProcess command) throws IOException {
    running = command;
    try {
      AtomicFile.write(file, channel -> copy(command, channel), attributes);
    } catch (FileWriteException e) {
      if (!(e.getCause() instanceof NoFileException)) {
        throw e;
      }
    } finally {
      done.countDown();
    }
  }

  private void copy(StartedProcess command, FileChannel to) throws IOException {
    var process = command.process();
    process.getInputStream().transferTo(Channels.newOutputStream(to));
    try {
      var code = process.waitFor();
      var hasEnded =
          code == 0 || code == RemoteTroupe.PARTIAL_FILE || isStopped && code == TERMINATED;
      if (!hasEnded || command.explanation().isPresent()) {
        throw new NoFileException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoFileException();
    }
  }

  @Override
  public void stop() {
    isStopped = true;
    var command = running;
    if (command == null) {
      return;
    }
    try {
      command.process().getOutputStream().close();
      var _ = done.await(LAST_STEPS_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      // The connection has broken.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
