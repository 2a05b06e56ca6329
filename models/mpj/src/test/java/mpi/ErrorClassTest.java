package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each class of errors: what gets it, and which words the sentence has. */
@Timeout(60)
class ErrorClassTest {

  private record Line(int kind, String words, ThrowingCallable call) {}

  private static void check(List<Line> lines) {
    for (var each : lines) {
      assertThatThrownBy(each.call())
          .as(each.words())
          .isInstanceOfSatisfying(
              MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(each.kind()))
          .hasMessageContaining(each.words());
    }
  }

  @Test
  void isThatOfTheWrongArgument() {
    Ranks.run(
        1,
        1,
        rank -> {
          var world = MPI.COMM_WORLD;
          var one = new int[1];
          var objects = new Object[1];
          var pair = Datatype.Contiguous(2, MPI.INT);
          var huge = Datatype.Contiguous(1 << 30, MPI.INT);
          huge.Commit();
          var overlapping = Datatype.Vector(2, 2, 1, MPI.INT);
          overlapping.Commit();
          List<Line> lines = new ArrayList<>();
          lines.add(
              new Line(MPI.ERR_BUFFER, "array has 1", () -> world.Send(one, 0, 4, huge, 0, 1)));
          lines.add(
              new Line(
                  MPI.ERR_BUFFER, "array has 1", () -> world.Bcast(one, 0, 1 << 30, MPI.INT, 0)));
          lines.add(
              new Line(MPI.ERR_TYPE, "not committed", () -> world.Send(one, 0, 1, pair, 0, 1)));
          lines.add(
              new Line(
                  MPI.ERR_TYPE, "overlap", () -> world.Recv(new int[8], 0, 1, overlapping, 0, 1)));
          lines.add(new Line(MPI.ERR_TYPE, "int[]", () -> world.Send(one, 0, 1, MPI.OBJECT, 0, 1)));
          lines.add(new Line(MPI.ERR_TYPE, "LB", () -> world.Send(one, 0, 1, MPI.LB, 0, 1)));
          lines.add(
              new Line(
                  MPI.ERR_TYPE,
                  "cannot be packed",
                  () -> world.Pack(objects, 0, 1, MPI.OBJECT, new byte[999], 0)));
          lines.add(
              new Line(
                  MPI.ERR_TYPE,
                  "cannot be packed",
                  () -> world.Unpack(new byte[999], 0, objects, 0, 1, MPI.OBJECT)));
          lines.add(
              new Line(
                  MPI.ERR_BUFFER,
                  "take 4 bytes",
                  () -> world.Pack(one, 0, 1, MPI.INT, new byte[3], 0)));
          lines.add(
              new Line(
                  MPI.ERR_BUFFER,
                  "take 4 bytes",
                  () -> world.Unpack(new byte[7], 5, one, 0, 1, MPI.INT)));
          lines.add(new Line(MPI.ERR_COUNT, "-3", () -> world.Pack_size(-3, MPI.INT)));
          lines.add(new Line(MPI.ERR_RANK, "rank 7", () -> world.Ssend(one, 0, 1, MPI.INT, 7, 1)));
          lines.add(new Line(MPI.ERR_RANK, "rank 7", () -> world.Probe(7, 1)));
          lines.add(
              new Line(
                  MPI.ERR_RANK,
                  "rank 7",
                  () -> world.Sendrecv(one, 0, 1, MPI.INT, 7, 1, new int[1], 0, 1, MPI.INT, 0, 1)));
          lines.add(new Line(MPI.ERR_TAG, "tag is -9", () -> world.Probe(0, -9)));
          lines.add(
              new Line(
                  MPI.ERR_OP,
                  "LAND",
                  () -> world.Allreduce(one, 0, new int[1], 0, 1, MPI.INT, MPI.LAND)));
          lines.add(
              new Line(
                  MPI.ERR_OP,
                  "BAND",
                  () ->
                      world.Reduce(
                          new double[1], 0, new double[1], 0, 1, MPI.DOUBLE, MPI.BAND, 0)));
          lines.add(
              new Line(
                  MPI.ERR_BUFFER,
                  "no buffer is attached",
                  () -> world.Bsend(one, 0, 1, MPI.INT, 0, 1)));
          check(lines);
        });
  }

  @Test
  void isThatOfTheMessageThatDoesNotFit() {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPI.COMM_WORLD;
          for (var length : new int[] {10, 1_000, 100_000}) {
            if (rank == 0) {
              var numbers = new int[length];
              numbers[0] = length;
              world.Send(numbers, 0, length, MPI.INT, 1, 1);
              world.Send(numbers, 0, length, MPI.INT, 1, 1);
            } else {
              var shorter = new int[length - 1];
              List<Line> lines = new ArrayList<>();
              lines.add(
                  new Line(
                      MPI.ERR_TRUNCATE,
                      "room for " + (length - 1),
                      () -> world.Recv(shorter, 0, length - 1, MPI.INT, 0, 1)));
              lines.add(
                  new Line(
                      MPI.ERR_TYPE,
                      "elements of type INT",
                      () -> world.Recv(new float[length], 0, length, MPI.FLOAT, 0, 1)));
              check(lines);
              assertThat(shorter[0]).isEqualTo(length);
            }
          }
        });
  }
}
