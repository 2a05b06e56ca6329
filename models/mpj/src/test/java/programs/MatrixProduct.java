package programs;

import mpi.Datatype;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/** A master hands out columns of B by a vector type; workers return columns of A * B. */
public class MatrixProduct {

  public static void main(String[] args) throws mpi.MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int n = 60;
    double[] a = new double[n * n];
    if (rank == 0) {
      for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
      }
    }
    MPI.COMM_WORLD.Bcast(a, 0, n * n, MPI.DOUBLE, 0);
    Datatype column = Datatype.Vector(n, 1, n, MPI.DOUBLE);
    column.Commit();
    if (rank == 0) {
      double[] b = new double[n * n];
      double[] c = new double[n * n];
      for (int i = 0; i < n; i++) {
        b[i * n + i] = 2;
      }
      int next = 0;
      int done = 0;
      if (size == 1) {
        for (int i = 0; i < n * n; i++) {
          c[i] = 2 * a[i];
        }
        done = n;
      }
      for (int worker = 1; worker < size && next < n; worker++) {
        MPI.COMM_WORLD.Send(b, next, 1, column, worker, next);
        next++;
      }
      while (done < n) {
        Status status = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        MPI.COMM_WORLD.Recv(c, status.tag, 1, column, status.source, status.tag);
        done++;
        if (next < n) {
          MPI.COMM_WORLD.Send(b, next, 1, column, status.source, next);
          next++;
        }
      }
      for (int worker = 1; worker < size; worker++) {
        MPI.COMM_WORLD.Send(b, 0, 0, MPI.DOUBLE, worker, n);
      }
      double trace = 0;
      boolean isRight = true;
      for (int i = 0; i < n; i++) {
        trace += c[i * n + i];
        for (int j = 0; j < n; j++) {
          isRight &= c[i * n + j] == 2 * a[i * n + j];
        }
      }
      System.out.println("product " + (isRight ? "right" : "wrong") + ", trace " + trace);
    } else {
      double[] in = new double[n];
      for (; ; ) {
        Status status = MPI.COMM_WORLD.Recv(in, 0, n, MPI.DOUBLE, 0, MPI.ANY_TAG);
        if (status.tag == n) {
          break;
        }
        double[] out = new double[n];
        for (int i = 0; i < n; i++) {
          for (int k = 0; k < n; k++) {
            out[i] += a[i * n + k] * in[k];
          }
        }
        Request send = MPI.COMM_WORLD.Isend(out, 0, n, MPI.DOUBLE, 0, status.tag);
        send.Wait();
      }
    }
    MPI.Finalize();
  }
}
