package programs;

import mpi.MPI;
import mpi.Status;

/** Passes a token around, as programs for mpiJava do. */
public class Ring {

  public static void main(String[] args) throws mpi.MPIException {
    args = MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int laps = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    int[] token = new int[1];
    for (int lap = 0; lap < laps; lap++) {
      if (me == 0) {
        token[0]++;
        MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, (me + 1) % size, 99);
        MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, (me + size - 1) % size, 99);
      } else {
        Status status = MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, MPI.ANY_SOURCE, 99);
        if (status.source != me - 1) {
          throw new IllegalStateException("from " + status.source);
        }
        token[0]++;
        MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, (me + 1) % size, 99);
      }
    }
    if (me == 0) {
      System.out.println("token " + token[0] + " after " + laps + " laps of " + size);
    }
    MPI.Finalize();
  }
}
