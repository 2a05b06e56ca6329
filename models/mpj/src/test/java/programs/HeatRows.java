package programs;

import mpi.Cartcomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import mpi.ShiftParms;

/** Jacobi's iteration for a heated plate, divided by rows, with persistent requests. */
public class HeatRows {

  public static void main(String[] args) throws mpi.MPIException {
    MPI.Init(args);
    int[] dims = new int[1];
    Cartcomm.Dims_create(MPI.COMM_WORLD.Size(), dims);
    Cartcomm line = MPI.COMM_WORLD.Create_cart(dims, new boolean[] {false}, false);
    int rank = line.Rank();
    int size = line.Size();
    int n = 48;
    int rows = n / size + (rank < n % size ? 1 : 0);
    int width = n + 2;
    double[] now = new double[(rows + 2) * width];
    double[] next = new double[(rows + 2) * width];
    if (rank == 0) {
      java.util.Arrays.fill(now, 0, width, 100);
      java.util.Arrays.fill(next, 0, width, 100);
    }
    ShiftParms shift = line.Shift(0, 1);
    double[] change = new double[1];
    int steps = 0;
    double[] border = new double[4 * n];
    Prequest[] exchange = {
      line.Recv_init(border, 0, n, MPI.DOUBLE, shift.rank_source, 1),
      line.Recv_init(border, n, n, MPI.DOUBLE, shift.rank_dest, 2),
      line.Send_init(border, 2 * n, n, MPI.DOUBLE, shift.rank_source, 2),
      line.Send_init(border, 3 * n, n, MPI.DOUBLE, shift.rank_dest, 1)
    };
    do {
      System.arraycopy(now, width + 1, border, 2 * n, n);
      System.arraycopy(now, rows * width + 1, border, 3 * n, n);
      Prequest.Startall(exchange);
      Request.Waitall(exchange);
      if (shift.rank_source != MPI.PROC_NULL) {
        System.arraycopy(border, 0, now, 1, n);
      }
      if (shift.rank_dest != MPI.PROC_NULL) {
        System.arraycopy(border, n, now, (rows + 1) * width + 1, n);
      }
      double most = 0;
      for (int i = 1; i <= rows; i++) {
        for (int j = 1; j <= n; j++) {
          int at = i * width + j;
          next[at] = 0.25 * (now[at - 1] + now[at + 1] + now[at - width] + now[at + width]);
          most = Math.max(most, Math.abs(next[at] - now[at]));
        }
      }
      double[] swap = now;
      now = next;
      next = swap;
      line.Allreduce(new double[] {most}, 0, change, 0, 1, MPI.DOUBLE, MPI.MAX);
      steps++;
    } while (change[0] > 0.01);
    double heat = 0;
    for (int i = 1; i <= rows; i++) {
      for (int j = 1; j <= n; j++) {
        heat += now[i * width + j];
      }
    }
    double[] all = new double[1];
    line.Reduce(new double[] {heat}, 0, all, 0, 1, MPI.DOUBLE, MPI.SUM, 0);
    if (rank == 0) {
      System.out.printf(java.util.Locale.ROOT, "steps %d, heat %.6f%n", steps, all[0]);
    }
    MPI.Finalize();
  }
}
