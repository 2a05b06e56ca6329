package org.troupe.deployment.files;

/** Says whether all that a program has printed was taken: Java's streams keep failures back. */
public final class StandardOutput {

  private StandardOutput() {}

  /**
   * Returns the exit code of a program that is about to end: 1 instead of 0 if some of what it has
   * printed was lost, which it then says on the standard error.
   */
  public static int checked(int exitCode) {
    if (!System.out.checkError() || exitCode != 0) {
      return exitCode;
    }
    System.err.println(
        "some of the standard output is lost, as on a full disk, or behind a pipe whose reader has"
            + " ended; make room, or direct it elsewhere");
    return 1;
  }
}
