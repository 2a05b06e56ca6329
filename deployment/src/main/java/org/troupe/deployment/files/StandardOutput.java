package org.troupe.deployment.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks whether the standard output was written completely, since Java's print streams hide
 * errors, and whether the standard error is shown by a terminal.
 */
public final class StandardOutput {

  private static final Path ERROR = Path.of("/proc/self/fd/2");

  private static final String LOST =
      "some of the standard output is lost, as on a full disk, or behind a pipe whose reader has"
          + " ended; free some space, or redirect it";

  private StandardOutput() {}

  /** A stream to the standard output that reports errors. */
  private static final class CheckedStream extends OutputStream {

    @Override
    public void write(int each) throws IOException {
      System.out.write(each);
      check();
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      System.out.write(bytes, from, length);
      check();
    }

    @Override
    public void flush() throws IOException {
      check();
    }

    private static void check() throws IOException {
      if (System.out.checkError()) { // which flushes
        throw new FileWriteException(LOST, new IOException("the standard output is broken"));
      }
    }
  }

  /**
   * Returns a stream to the standard output that fails when part of the output is lost. Each write
   * is passed on at once. To close it closes nothing.
   */
  public static OutputStream stream() {
    return new CheckedStream();
  }

  /** Returns whether a terminal shows the standard error, and nothing keeps it in a file. */
  public static boolean isErrorShown() {
    var console = System.console(); // for input and output
    if (console == null || !console.isTerminal()) {
      return false;
    }
    try {
      return isTerminal(Files.readSymbolicLink(ERROR).toString());
    } catch (IOException | UnsupportedOperationException e) {
      return true; // not Linux: the console decides
    }
  }

  static boolean isTerminal(String device) {
    return device.startsWith("/dev/pts/")
        || device.startsWith("/dev/tty")
        || device.equals("/dev/console");
  }

  /**
   * Returns the exit code of a program that is about to end: 1 instead of 0 if part of its standard
   * output was lost, which a message on standard error then reports.
   */
  public static int checked(int exitCode) {
    if (!System.out.checkError() || exitCode != 0) {
      return exitCode;
    }
    System.err.println(LOST);
    return 1;
  }
}
