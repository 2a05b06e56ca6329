package programs;

import mpi.MPI;

/** Integrates 4 / (1 + x * x); rank 0 reads the number of intervals. */
public class Pi {

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] n = new int[1];
    if (rank == 0) {
      java.io.BufferedReader in =
          new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
      n[0] = Integer.parseInt(in.readLine().trim());
    }
    MPI.COMM_WORLD.Bcast(n, 0, 1, MPI.INT, 0);
    double h = 1.0 / n[0];
    double sum = 0;
    for (int i = rank; i < n[0]; i += size) {
      double x = h * (i + 0.5);
      sum += 4.0 / (1.0 + x * x);
    }
    double[] mine = {h * sum};
    double[] pi = new double[1];
    MPI.COMM_WORLD.Reduce(mine, 0, pi, 0, 1, MPI.DOUBLE, MPI.SUM, 0);
    if (rank == 0) {
      System.out.printf(java.util.Locale.ROOT, "pi is %.6f%n", pi[0]);
    }
    MPI.Finalize();
  }
}
