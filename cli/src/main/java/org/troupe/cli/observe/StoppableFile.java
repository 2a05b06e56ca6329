package org.troupe.cli.observe;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.troupe.cli.command.FileCommand;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.files.StandardOutput;
import org.troupe.deployment.runs.SilentProgramException;

/**
 * A file, or the standard output, that a verb fills for some time. Ctrl-C only ends the filling,
 * and then waits until the verb has reported what the file has. If the standard output was filled,
 * the process then ends with the exit code of the verb instead of the one of a signal, so that a
 * reader of the output learns whether it is whole.
 */
final class StoppableFile {

  private static final Duration LAST_STEPS = Duration.ofSeconds(10); // after Ctrl-C

  private final Path file;
  private final IntConsumer halt;
  private final FileAttribute<?>[] attributes;
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile OptionalInt exitCode = OptionalInt.empty(); // known before done

  StoppableFile(Path file, FileAttribute<?>... attributes) {
    this(file, Runtime.getRuntime()::halt, attributes);
  }

  /** Creates a file that ends the process in another way, for a test. */
  StoppableFile(Path file, IntConsumer halt, FileAttribute<?>... attributes) {
    this.file = file;
    this.halt = halt;
    this.attributes = attributes;
  }

  /** Writes what comes until it ends, or is to be stopped. */
  @FunctionalInterface
  interface Content {

    /** Writes to a stream; returns whether there was anything worth a file. */
    boolean writeTo(OutputStream out, BooleanSupplier isStopped) throws IOException;
  }

  /** Reports to the user what was written. */
  @FunctionalInterface
  interface Report {

    /** Reports whether a file was written; returns the exit code. */
    int print(boolean isWritten);
  }

  /** Nothing is worth a file, so that a former one stays. */
  private static final class EmptyContentException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** Writes the file and the report; returns the exit code. */
  int write(Content content, Report report) throws IOException {
    var hook = new Thread(this::stop);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      var code = report.print(isWritten(content));
      exitCode = OptionalInt.of(code);
      return code;
    } finally {
      done.countDown();
      forget(hook);
    }
  }

  private boolean isWritten(Content content) throws IOException {
    if (FileCommand.isStandardOutput(file)) {
      var out = StandardOutput.stream();
      var isWritten = content.writeTo(out, isStopped::get);
      out.flush();
      return isWritten;
    }
    try {
      AtomicFile.write(
          file,
          channel -> {
            if (!content.writeTo(Channels.newOutputStream(channel), isStopped::get)) {
              throw new EmptyContentException();
            }
          },
          attributes);
      return true;
    } catch (IOException e) {
      if (e.getCause() instanceof EmptyContentException) {
        return false;
      }
      throw e.getCause() instanceof SilentProgramException silent ? silent : e; // not of the file
    }
  }

  /** Ends the filling, and waits for the report; what Ctrl-C does. */
  void stop() {
    isStopped.set(true); // seen with the next record, at the latest after half a second
    try {
      if (!done.await(LAST_STEPS.toSeconds(), TimeUnit.SECONDS)) {
        return; // the file is left unfinished
      }
      if (FileCommand.isStandardOutput(file)) {
        exitCode.ifPresent(halt); // a failure is reported by the exit code of a signal
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook has been waiting for this thread.
    }
  }
}
