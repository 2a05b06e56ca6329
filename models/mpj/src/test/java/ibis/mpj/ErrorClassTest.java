package ibis.mpj;

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

  private static void check(List<Line> lines) throws MPJException {
    for (var each : lines) {
      assertThatThrownBy(each.call())
          .as(each.words())
          .isInstanceOfSatisfying(
              MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(each.kind()))
          .hasMessageContaining(each.words());
    }
  }

  @Test
  void isThatOfTheWrongArgument() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          var world = MPJ.COMM_WORLD;
          var one = new int[1];
          var objects = new Object[1];
          var pair = MPJ.INT.contiguous(2);
          var huge = MPJ.INT.contiguous(1 << 30);
          huge.commit();
          var overlapping = MPJ.INT.vector(2, 2, 1);
          overlapping.commit();
          List<Line> lines = new ArrayList<>();
          lines.add(
              new Line(MPJ.ERR_BUFFER, "array has 1", () -> world.send(one, 0, 4, huge, 0, 1)));
          lines.add(
              new Line(
                  MPJ.ERR_BUFFER, "array has 1", () -> world.bcast(one, 0, 1 << 30, MPJ.INT, 0)));
          lines.add(
              new Line(MPJ.ERR_TYPE, "not committed", () -> world.send(one, 0, 1, pair, 0, 1)));
          lines.add(
              new Line(
                  MPJ.ERR_TYPE, "overlap", () -> world.recv(new int[8], 0, 1, overlapping, 0, 1)));
          lines.add(new Line(MPJ.ERR_TYPE, "int[]", () -> world.send(one, 0, 1, MPJ.OBJECT, 0, 1)));
          lines.add(new Line(MPJ.ERR_TYPE, "LB", () -> world.send(one, 0, 1, MPJ.LB, 0, 1)));
          lines.add(
              new Line(
                  MPJ.ERR_TYPE,
                  "cannot be packed",
                  () -> world.pack(objects, 0, 1, MPJ.OBJECT, new byte[999], 0)));
          lines.add(
              new Line(
                  MPJ.ERR_TYPE,
                  "cannot be packed",
                  () -> world.unpack(new byte[999], 0, objects, 0, 1, MPJ.OBJECT)));
          lines.add(
              new Line(
                  MPJ.ERR_BUFFER,
                  "take 4 bytes",
                  () -> world.pack(one, 0, 1, MPJ.INT, new byte[3], 0)));
          lines.add(
              new Line(
                  MPJ.ERR_BUFFER,
                  "take 4 bytes",
                  () -> world.unpack(new byte[7], 5, one, 0, 1, MPJ.INT)));
          lines.add(new Line(MPJ.ERR_COUNT, "-3", () -> world.packSize(-3, MPJ.INT)));
          lines.add(new Line(MPJ.ERR_RANK, "rank 7", () -> world.ssend(one, 0, 1, MPJ.INT, 7, 1)));
          lines.add(new Line(MPJ.ERR_RANK, "rank 7", () -> world.probe(7, 1)));
          lines.add(
              new Line(
                  MPJ.ERR_RANK,
                  "rank 7",
                  () -> world.sendrecv(one, 0, 1, MPJ.INT, 7, 1, new int[1], 0, 1, MPJ.INT, 0, 1)));
          lines.add(new Line(MPJ.ERR_TAG, "tag is -9", () -> world.probe(0, -9)));
          lines.add(
              new Line(
                  MPJ.ERR_OP,
                  "LAND",
                  () -> world.allreduce(one, 0, new int[1], 0, 1, MPJ.INT, MPJ.LAND)));
          lines.add(
              new Line(
                  MPJ.ERR_OP,
                  "BAND",
                  () ->
                      world.reduce(
                          new double[1], 0, new double[1], 0, 1, MPJ.DOUBLE, MPJ.BAND, 0)));
          lines.add(
              new Line(
                  MPJ.ERR_BUFFER,
                  "no buffer is attached",
                  () -> world.bsend(one, 0, 1, MPJ.INT, 0, 1)));
          check(lines);
        });
  }

  @Test
  void isThatOfTheMessageThatDoesNotFit() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          for (var length : new int[] {10, 1_000, 100_000}) {
            if (rank == 0) {
              var numbers = new int[length];
              numbers[0] = length;
              world.send(numbers, 0, length, MPJ.INT, 1, 1);
              world.send(numbers, 0, length, MPJ.INT, 1, 1);
            } else {
              var shorter = new int[length - 1];
              List<Line> lines = new ArrayList<>();
              lines.add(
                  new Line(
                      MPJ.ERR_TRUNCATE,
                      "room for " + (length - 1),
                      () -> world.recv(shorter, 0, length - 1, MPJ.INT, 0, 1)));
              lines.add(
                  new Line(
                      MPJ.ERR_TYPE,
                      "elements of type INT",
                      () -> world.recv(new float[length], 0, length, MPJ.FLOAT, 0, 1)));
              check(lines);
              assertThat(shorter[0]).isEqualTo(length);
            }
          }
        });
  }
}
