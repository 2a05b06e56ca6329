package org.troupe.benchmarks.sides;

import mpi.Datatype;
import mpi.MPI;
import org.troupe.mpj.launch.RankRun;

/**
 * A rank. Each method is called on all ranks, repeats an operation and returns the nanoseconds of
 * all repetitions.
 */
class RankMember {

  private static final int BALL = 2;
  private static final int QUEUED = 1_000_000; // tags of queued messages begin here

  boolean begin() {
    RankRun.enter();
    MPI.Init(new String[0]);
    return true;
  }

  long pingPongs(int doubles, int times) {
    var array = new double[doubles];
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      if (MPI.COMM_WORLD.Rank() == 0) {
        MPI.COMM_WORLD.Send(array, 0, doubles, MPI.DOUBLE, 1, BALL);
        MPI.COMM_WORLD.Recv(array, 0, doubles, MPI.DOUBLE, 1, BALL);
      } else if (MPI.COMM_WORLD.Rank() == 1) {
        MPI.COMM_WORLD.Recv(array, 0, doubles, MPI.DOUBLE, 0, BALL);
        array[doubles - 1]++;
        MPI.COMM_WORLD.Send(array, 0, doubles, MPI.DOUBLE, 0, BALL);
      }
    }
    var nanos = System.nanoTime() - began;
    if (MPI.COMM_WORLD.Rank() < 2 && array[doubles - 1] != times) {
      throw new AssertionError(times + " ping-pongs were counted as " + array[doubles - 1]);
    }
    return nanos;
  }

  long barriers(int times) {
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      MPI.COMM_WORLD.Barrier();
    }
    return System.nanoTime() - began;
  }

  long allReduces(int doubles, int times) {
    var values = new double[doubles];
    var sums = new double[doubles];
    values[doubles - 1] = 1;
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      MPI.COMM_WORLD.Allreduce(values, 0, sums, 0, doubles, MPI.DOUBLE, MPI.SUM);
    }
    var nanos = System.nanoTime() - began;
    if (sums[doubles - 1] != MPI.COMM_WORLD.Size()) {
      throw new AssertionError("an all-reduce gave " + sums[doubles - 1]);
    }
    return nanos;
  }

  /** Broadcasts from each rank in turn, so that none runs ahead. */
  long broadcasts(int doubles, int times) {
    var values = new double[doubles];
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      MPI.COMM_WORLD.Bcast(values, 0, doubles, MPI.DOUBLE, i % MPI.COMM_WORLD.Size());
    }
    return System.nanoTime() - began;
  }

  long allToAlls(int doubles, int times) {
    var size = MPI.COMM_WORLD.Size();
    var out = new double[doubles * size];
    var in = new double[doubles * size];
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      MPI.COMM_WORLD.Alltoall(out, 0, doubles, MPI.DOUBLE, in, 0, doubles, MPI.DOUBLE);
    }
    return System.nanoTime() - began;
  }

  /** Sends messages to itself that stay, and then sends and receives others by tag. */
  long unexpected(int queued, int times) {
    var own = MPI.COMM_WORLD.Rank();
    var value = new int[1];
    for (var i = 0; i < queued; i++) {
      MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, own, QUEUED + i);
    }
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, own, BALL);
      MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, own, BALL);
    }
    var nanos = System.nanoTime() - began;
    for (var i = 0; i < queued; i++) {
      MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
    }
    return nanos;
  }

  long columns(int order, boolean byType, int times) {
    var matrix = new double[order * order];
    var packed = new double[order];
    var column = Datatype.Vector(order, 1, order, MPI.DOUBLE);
    column.Commit();
    var own = MPI.COMM_WORLD.Rank();
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    for (var i = 0; i < times && own < 2; i++) {
      for (var turn = 0; turn < 2; turn++) {
        if (turn == own && byType) {
          MPI.COMM_WORLD.Send(matrix, 1, 1, column, 1 - own, BALL);
        } else if (turn == own) {
          for (var row = 0; row < order; row++) {
            packed[row] = matrix[row * order + 1];
          }
          MPI.COMM_WORLD.Send(packed, 0, order, MPI.DOUBLE, 1 - own, BALL);
        } else if (byType) {
          MPI.COMM_WORLD.Recv(matrix, 1, 1, column, 1 - own, BALL);
        } else {
          MPI.COMM_WORLD.Recv(packed, 0, order, MPI.DOUBLE, 1 - own, BALL);
          for (var row = 0; row < order; row++) {
            matrix[row * order + 1] = packed[row];
          }
        }
      }
    }
    return System.nanoTime() - began;
  }
}
