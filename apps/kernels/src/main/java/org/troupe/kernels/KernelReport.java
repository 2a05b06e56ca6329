package org.troupe.kernels;

import java.util.Locale;
import mpi.MPI;

/** Prints the result of a kernel at rank 0, and fails everywhere if it is wrong. */
final class KernelReport {

  private KernelReport() {}

  /**
   * Ends a kernel.
   *
   * @param isRight whether the check at this rank was passed
   */
  @SuppressWarnings("SystemOut") // the program's result
  static void end(String what, double seconds, boolean isRight) {
    var wrong = new int[1];
    MPI.COMM_WORLD.Allreduce(new int[] {isRight ? 0 : 1}, 0, wrong, 0, 1, MPI.INT, MPI.SUM);
    var ranks = MPI.COMM_WORLD.Size();
    if (wrong[0] == 0 && MPI.COMM_WORLD.Rank() == 0) {
      System.out.println(
          String.format(Locale.ROOT, "%s on %d ranks: verified, %.3f s", what, ranks, seconds));
    }
    MPI.Finalize();
    if (wrong[0] > 0) {
      throw new IllegalStateException(what + " on " + ranks + " ranks: the result is wrong");
    }
  }

  /** Returns the number of an argument, or a preset. */
  static int number(String[] arguments, int index, int preset) {
    return arguments.length > index ? Integer.parseInt(arguments[index]) : preset;
  }

  /** Returns the first of the elements that a rank has of so many. */
  static int begin(int elements, int rank, int ranks) {
    return (int) ((long) elements * rank / ranks);
  }
}
