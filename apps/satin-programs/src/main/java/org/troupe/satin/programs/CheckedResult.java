package org.troupe.satin.programs;

/** What a program prints, and how it ends. */
final class CheckedResult {
  private CheckedResult() {}

  /**
   * Prints a result.
   *
   * @throws IllegalStateException if it differs from that of the sequential check
   */
  @SuppressWarnings("SystemOut") // the program's result
  static void print(String what, boolean right) {
    if (!right) {
      throw new IllegalStateException("the result is wrong: " + what);
    }
    System.out.println(what + " (checked)");
  }

  /** Returns the size that the first argument is, or a preset; ends the program if it is none. */
  @SuppressWarnings("SystemOut") // a message of the program
  static int size(String[] args, int preset, int least, int most) {
    if (args.length == 0) {
      return preset;
    }
    try {
      int size = Integer.parseInt(args[0]);
      if (size >= least && size <= most) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number out of range.
    }
    System.err.println(
        "'"
            + args[0]
            + "' is no size of this program; give a whole number from "
            + least
            + " to "
            + most);
    System.exit(2);
    return preset;
  }
}
