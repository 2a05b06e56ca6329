package programs;

import mpi.MPI;

/** Ends in a way that its argument names. */
public class Fails {

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    if (rank == 1) {
      switch (args[0]) {
        case "throw" -> throw new IllegalStateException("thrown at rank 1");
        case "abort" -> MPI.COMM_WORLD.Abort(42);
        case "exit" -> System.exit(7);
        case "forget" -> {
          return;
        }
        default -> {}
      }
    }
    MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 1);
    MPI.Finalize();
  }
}
