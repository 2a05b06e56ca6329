package org.troupe.deployment.files;

/**
 * Checks whether the standard output was written completely, since Java's print streams hide
 * errors.
 */
public final class StandardOutput {

  private StandardOutput() {}

  /**
   * Returns the exit code of a program that is about to end: 1 instead of 0 if part of its standard
   * output was lost, which a message on standard error then reports.
   */
  public static int checked(int exitCode) {
    if (!System.out.checkError() || exitCode != 0) {
      return exitCode;
    }
    System.err.println(
        "some of the standard output is lost, as on a full disk, or behind a pipe whose reader has"
            + " ended; free some space, or redirect it");
    return 1;
  }
}
