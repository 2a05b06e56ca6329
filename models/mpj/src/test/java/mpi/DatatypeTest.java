package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DatatypeTest {

  private static Datatype committed(Datatype type) {
    type.Commit();
    return type;
  }

  @Test
  void sendsAColumnOfAMatrixAsAVector() {
    Ranks.runEachWay(
        2,
        rank -> {
          var rows = 300;
          var columns = 40;
          var column = committed(Datatype.Vector(rows, 1, columns, MPI.DOUBLE));
          assertThat(column.Size()).isEqualTo(rows);
          assertThat(column.Extent()).isEqualTo((rows - 1) * columns + 1);
          var matrix = new double[rows * columns];
          if (rank == 0) {
            for (var i = 0; i < rows; i++) {
              matrix[i * columns + 3] = i;
            }
            MPI.COMM_WORLD.Send(matrix, 3, 1, column, 1, 1);
            MPI.COMM_WORLD.Send(matrix, 3, 1, column, 1, 2);
          } else {
            MPI.COMM_WORLD.Recv(matrix, 7, 1, column, 0, 1);
            assertThat(matrix[5 * columns + 7]).isEqualTo(5);
            assertThat(matrix[5 * columns + 8]).isZero();
            var row = new double[rows];
            MPI.COMM_WORLD.Recv(row, 0, rows, MPI.DOUBLE, 0, 2);
            assertThat(row[299]).isEqualTo(299);
          }
        });
  }

  @Test
  void takesTheElementsThatEachKindOfTypeNames() {
    Ranks.run(
        1,
        1,
        rank -> {
          assertThat(taken(Datatype.Contiguous(3, MPI.INT), 2)).containsExactly(0, 1, 2, 3, 4, 5);
          assertThat(taken(Datatype.Vector(2, 2, 3, MPI.INT), 2))
              .containsExactly(0, 1, 3, 4, 5, 6, 8, 9);
          assertThat(taken(Datatype.Hvector(2, 1, 5, Datatype.Contiguous(2, MPI.INT)), 1))
              .containsExactly(0, 1, 5, 6);
          assertThat(taken(Datatype.Vector(2, 1, 2, Datatype.Contiguous(2, MPI.INT)), 1))
              .containsExactly(0, 1, 4, 5);
          assertThat(taken(Datatype.Indexed(new int[] {1, 2}, new int[] {4, 0}, MPI.INT), 1))
              .containsExactly(4, 0, 1);
          assertThat(
                  taken(
                      Datatype.Indexed(
                          new int[] {1, 1}, new int[] {2, 0}, Datatype.Contiguous(2, MPI.INT)),
                      1))
              .containsExactly(4, 5, 0, 1);
          assertThat(
                  taken(
                      Datatype.Hindexed(
                          new int[] {1, 1}, new int[] {3, 0}, Datatype.Contiguous(2, MPI.INT)),
                      1))
              .containsExactly(3, 4, 0, 1);
          var padded =
              Datatype.Struct(
                  new int[] {1, 2, 1},
                  new int[] {0, 1, 6},
                  new Datatype[] {MPI.LB, MPI.INT, MPI.UB});
          assertThat(padded.Lb()).isZero();
          assertThat(padded.Ub()).isEqualTo(6);
          assertThat(padded.Size()).isEqualTo(2);
          assertThat(taken(padded, 3)).containsExactly(1, 2, 7, 8, 13, 14);
          assertThat(Datatype.Contiguous(2, padded).Extent()).isEqualTo(12);
          assertThat(taken(Datatype.Indexed(new int[] {0, 1}, new int[] {90, 2}, MPI.INT), 1))
              .containsExactly(2);
          assertThat(Datatype.Contiguous(0, MPI.INT).Size()).isZero();
        });
  }

  private static int[] taken(Datatype type, int count) {
    type.Commit();
    var from = IntStream.range(0, 40).toArray();
    var into = new int[type.Size() * count];
    MPI.COMM_WORLD.Sendrecv(from, 0, count, type, 0, 1, into, 0, into.length, MPI.INT, 0, 1);
    return into;
  }

  @Test
  void refusesWhatIsWrongWithATypeByClass() {
    Ranks.run(
        1,
        1,
        rank -> {
          var raw = Datatype.Contiguous(2, MPI.INT);
          refused(MPI.ERR_TYPE, "not committed", () -> send(new int[2], raw));
          refused(
              MPI.ERR_TYPE,
              "base types",
              () ->
                  Datatype.Struct(
                      new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {MPI.INT, MPI.DOUBLE}));
          var freed = committed(Datatype.Contiguous(2, MPI.INT));
          freed.free();
          refused(MPI.ERR_TYPE, "freed", () -> send(new int[2], freed));
          refused(MPI.ERR_COUNT, "count", () -> Datatype.Contiguous(-1, MPI.INT));
          refused(
              MPI.ERR_ARG, "displacement", () -> Datatype.Indexed(new int[2], new int[1], MPI.INT));
          var twice = committed(Datatype.Indexed(new int[] {2, 2}, new int[] {0, 1}, MPI.INT));
          send(new int[3], twice, MPI.PROC_NULL);
          refused(
              MPI.ERR_TYPE,
              "overlap",
              () -> MPI.COMM_WORLD.Recv(new int[3], 0, 1, twice, MPI.PROC_NULL, 1));
          var huge = committed(Datatype.Contiguous(1 << 20, MPI.INT));
          refused(
              MPI.ERR_BUFFER,
              "make it longer",
              () -> MPI.COMM_WORLD.Send(new int[1], 0, 1 << 20, huge, 0, 1));
        });
  }

  private static void send(Object buffer, Datatype type) {
    send(buffer, type, 0);
  }

  private static void send(Object buffer, Datatype type, int to) {
    MPI.COMM_WORLD.Send(buffer, 0, 1, type, to, 1);
  }

  private static void refused(
      int kind, String words, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void meetsAnotherTypeOfTheSameElementsOnly() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            MPI.COMM_WORLD.Send(new int[] {1}, 0, 1, MPI.INT, 1, 1);
            MPI.COMM_WORLD.Send(new byte[] {5}, 0, 1, MPI.BYTE, 1, 2);
            MPI.COMM_WORLD.Send(new byte[] {6}, 0, 1, MPI.PACKED, 1, 3);
          } else {
            refused(
                MPI.ERR_TYPE,
                "elements of type INT, but the receive names FLOAT",
                () -> MPI.COMM_WORLD.Recv(new float[1], 0, 1, MPI.FLOAT, 0, 1));
            var bytes = new byte[2];
            MPI.COMM_WORLD.Recv(bytes, 0, 1, MPI.PACKED, 0, 2);
            MPI.COMM_WORLD.Recv(bytes, 1, 1, MPI.BYTE, 0, 3);
            assertThat(bytes).containsExactly(5, 6);
          }
        });
  }

  @Test
  void packsElementsOfSeveralTypesIntoBytes() {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPI.COMM_WORLD;
          var size =
              world.Pack_size(2, MPI.INT)
                  + world.Pack_size(3, MPI.DOUBLE)
                  + world.Pack_size(1, MPI.BOOLEAN);
          var packed = new byte[size];
          if (rank == 0) {
            var at = world.Pack(new int[] {1, 2}, 0, 2, MPI.INT, packed, 0);
            at = world.Pack(new double[] {3, 4, 5}, 0, 3, MPI.DOUBLE, packed, at);
            at = world.Pack(new boolean[] {true}, 0, 1, MPI.BOOLEAN, packed, at);
            assertThat(at).isEqualTo(size);
            world.Send(packed, 0, at, MPI.PACKED, 1, 1);
            refused(
                MPI.ERR_BUFFER,
                "Pack_size",
                () -> world.Pack(new int[1], 0, 1, MPI.INT, packed, size));
          } else {
            world.Recv(packed, 0, size, MPI.PACKED, 0, 1);
            var whole = new int[2];
            var real = new double[3];
            var flag = new boolean[1];
            var at = world.Unpack(packed, 0, whole, 0, 2, MPI.INT);
            at = world.Unpack(packed, at, real, 0, 3, MPI.DOUBLE);
            world.Unpack(packed, at, flag, 0, 1, MPI.BOOLEAN);
            assertThat(whole).containsExactly(1, 2);
            assertThat(real).containsExactly(3, 4, 5);
            assertThat(flag).containsExactly(true);
          }
        });
  }

  /** An ordinary class. */
  static final class Point {
    final int x;

    Point(int x) {
      this.x = x;
    }
  }

  @Test
  void copiesObjectsAndKeepsSharingWithinAMessage() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var one = new Point(3);
            MPI.COMM_WORLD.Send(new Object[] {one, one, new Point(4)}, 0, 3, MPI.OBJECT, 1, 1);
          } else {
            var into = new Point[3];
            MPI.COMM_WORLD.Recv(into, 0, 3, MPI.OBJECT, 0, 1);
            assertThat(into[0].x).isEqualTo(3);
            assertThat(into[1]).isSameAs(into[0]);
            assertThat(into[2].x).isEqualTo(4);
          }
        });
  }
}
