package ibis.mpj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DatatypeTest {

  private static Datatype committed(Datatype type) throws MPJException {
    type.commit();
    return type;
  }

  @Test
  void sendsAColumnOfAMatrixAsAVector() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var rows = 300;
          var columns = 40;
          var column = committed(MPJ.DOUBLE.vector(rows, 1, columns));
          assertThat(column.size()).isEqualTo(rows);
          assertThat(column.extent()).isEqualTo((rows - 1) * columns + 1);
          var matrix = new double[rows * columns];
          if (rank == 0) {
            for (var i = 0; i < rows; i++) {
              matrix[i * columns + 3] = i;
            }
            MPJ.COMM_WORLD.send(matrix, 3, 1, column, 1, 1);
            MPJ.COMM_WORLD.send(matrix, 3, 1, column, 1, 2);
          } else {
            MPJ.COMM_WORLD.recv(matrix, 7, 1, column, 0, 1);
            assertThat(matrix[5 * columns + 7]).isEqualTo(5);
            assertThat(matrix[5 * columns + 8]).isZero();
            var row = new double[rows];
            MPJ.COMM_WORLD.recv(row, 0, rows, MPJ.DOUBLE, 0, 2);
            assertThat(row[299]).isEqualTo(299);
          }
        });
  }

  @Test
  void takesTheElementsThatEachKindOfTypeNames() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          assertThat(taken(MPJ.INT.contiguous(3), 2)).containsExactly(0, 1, 2, 3, 4, 5);
          assertThat(taken(MPJ.INT.vector(2, 2, 3), 2)).containsExactly(0, 1, 3, 4, 5, 6, 8, 9);
          assertThat(taken(MPJ.INT.contiguous(2).hvector(2, 1, 5), 1)).containsExactly(0, 1, 5, 6);
          assertThat(taken(MPJ.INT.contiguous(2).vector(2, 1, 2), 1)).containsExactly(0, 1, 4, 5);
          assertThat(taken(MPJ.INT.indexed(new int[] {1, 2}, new int[] {4, 0}), 1))
              .containsExactly(4, 0, 1);
          assertThat(taken(MPJ.INT.contiguous(2).indexed(new int[] {1, 1}, new int[] {2, 0}), 1))
              .containsExactly(4, 5, 0, 1);
          assertThat(taken(MPJ.INT.contiguous(2).hindexed(new int[] {1, 1}, new int[] {3, 0}), 1))
              .containsExactly(3, 4, 0, 1);
          var padded =
              Datatype.struct(
                  new int[] {1, 2, 1},
                  new int[] {0, 1, 6},
                  new Datatype[] {MPJ.LB, MPJ.INT, MPJ.UB});
          assertThat(padded.lb()).isZero();
          assertThat(padded.ub()).isEqualTo(6);
          assertThat(padded.size()).isEqualTo(2);
          assertThat(taken(padded, 3)).containsExactly(1, 2, 7, 8, 13, 14);
          assertThat(padded.contiguous(2).extent()).isEqualTo(12);
          assertThat(taken(MPJ.INT.indexed(new int[] {0, 1}, new int[] {90, 2}), 1))
              .containsExactly(2);
          assertThat(MPJ.INT.contiguous(0).size()).isZero();
        });
  }

  private static int[] taken(Datatype type, int count) throws MPJException {
    type.commit();
    var from = IntStream.range(0, 40).toArray();
    var into = new int[type.size() * count];
    MPJ.COMM_WORLD.sendrecv(from, 0, count, type, 0, 1, into, 0, into.length, MPJ.INT, 0, 1);
    return into;
  }

  @Test
  void refusesWhatIsWrongWithATypeByClass() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          var raw = MPJ.INT.contiguous(2);
          refused(MPJ.ERR_TYPE, "not committed", () -> send(new int[2], raw));
          refused(
              MPJ.ERR_TYPE,
              "base types",
              () ->
                  Datatype.struct(
                      new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {MPJ.INT, MPJ.DOUBLE}));
          var freed = committed(MPJ.INT.contiguous(2));
          freed.free();
          refused(MPJ.ERR_TYPE, "freed", () -> send(new int[2], freed));
          refused(MPJ.ERR_COUNT, "count", () -> MPJ.INT.contiguous(-1));
          refused(MPJ.ERR_ARG, "displacement", () -> MPJ.INT.indexed(new int[2], new int[1]));
          var twice = committed(MPJ.INT.indexed(new int[] {2, 2}, new int[] {0, 1}));
          send(new int[3], twice, MPJ.PROC_NULL);
          refused(
              MPJ.ERR_TYPE,
              "overlap",
              () -> MPJ.COMM_WORLD.recv(new int[3], 0, 1, twice, MPJ.PROC_NULL, 1));
          var huge = committed(MPJ.INT.contiguous(1 << 20));
          refused(
              MPJ.ERR_BUFFER,
              "make it longer",
              () -> MPJ.COMM_WORLD.send(new int[1], 0, 1 << 20, huge, 0, 1));
        });
  }

  private static void send(Object buffer, Datatype type) throws MPJException {
    send(buffer, type, 0);
  }

  private static void send(Object buffer, Datatype type, int to) throws MPJException {
    MPJ.COMM_WORLD.send(buffer, 0, 1, type, to, 1);
  }

  private static void refused(
      int kind, String words, org.assertj.core.api.ThrowableAssert.ThrowingCallable call)
      throws MPJException {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void meetsAnotherTypeOfTheSameElementsOnly() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            MPJ.COMM_WORLD.send(new int[] {1}, 0, 1, MPJ.INT, 1, 1);
            MPJ.COMM_WORLD.send(new byte[] {5}, 0, 1, MPJ.BYTE, 1, 2);
            MPJ.COMM_WORLD.send(new byte[] {6}, 0, 1, MPJ.PACKED, 1, 3);
          } else {
            refused(
                MPJ.ERR_TYPE,
                "elements of type INT, but the receive names FLOAT",
                () -> MPJ.COMM_WORLD.recv(new float[1], 0, 1, MPJ.FLOAT, 0, 1));
            var bytes = new byte[2];
            MPJ.COMM_WORLD.recv(bytes, 0, 1, MPJ.PACKED, 0, 2);
            MPJ.COMM_WORLD.recv(bytes, 1, 1, MPJ.BYTE, 0, 3);
            assertThat(bytes).containsExactly(5, 6);
          }
        });
  }

  @Test
  void packsElementsOfSeveralTypesIntoBytes() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          var size =
              world.packSize(2, MPJ.INT)
                  + world.packSize(3, MPJ.DOUBLE)
                  + world.packSize(1, MPJ.BOOLEAN);
          var packed = new byte[size];
          if (rank == 0) {
            var at = world.pack(new int[] {1, 2}, 0, 2, MPJ.INT, packed, 0);
            at = world.pack(new double[] {3, 4, 5}, 0, 3, MPJ.DOUBLE, packed, at);
            at = world.pack(new boolean[] {true}, 0, 1, MPJ.BOOLEAN, packed, at);
            assertThat(at).isEqualTo(size);
            world.send(packed, 0, at, MPJ.PACKED, 1, 1);
            refused(
                MPJ.ERR_BUFFER,
                "Pack_size",
                () -> world.pack(new int[1], 0, 1, MPJ.INT, packed, size));
          } else {
            world.recv(packed, 0, size, MPJ.PACKED, 0, 1);
            var whole = new int[2];
            var real = new double[3];
            var flag = new boolean[1];
            var at = world.unpack(packed, 0, whole, 0, 2, MPJ.INT);
            at = world.unpack(packed, at, real, 0, 3, MPJ.DOUBLE);
            world.unpack(packed, at, flag, 0, 1, MPJ.BOOLEAN);
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
  void copiesObjectsAndKeepsSharingWithinAMessage() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var one = new Point(3);
            MPJ.COMM_WORLD.send(new Object[] {one, one, new Point(4)}, 0, 3, MPJ.OBJECT, 1, 1);
          } else {
            var into = new Point[3];
            MPJ.COMM_WORLD.recv(into, 0, 3, MPJ.OBJECT, 0, 1);
            assertThat(into[0].x).isEqualTo(3);
            assertThat(into[1]).isSameAs(into[0]);
            assertThat(into[2].x).isEqualTo(4);
          }
        });
  }
}
