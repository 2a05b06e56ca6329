package ibis.mpj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that share memory: collectives and small messages of all lengths that matter. */
@Timeout(120)
class BoardTest {

  /** Lengths for a slot, for combining by shares, for one round of it, and for several rounds. */
  private static final int[] LENGTHS = {0, 1, 7, 2048, 2049, 5000, 70_000, 300_000};

  @Test
  void givesTheSameBitsAtAllRanksAndForEachRoot() throws MPJException {
    Ranks.runEachWay(
        3,
        rank -> {
          var world = MPJ.COMM_WORLD;
          for (var round = 0; round < 2; round++) {
            for (var length : LENGTHS) {
              var own = new Random(100 * round + length + rank).doubles(length + 2).toArray();
              var sums = new double[length + 3];
              world.allreduce(own, 1, sums, 2, length, MPJ.DOUBLE, MPJ.SUM);
              var hashes = new int[3];
              world.allgather(
                  new int[] {Arrays.hashCode(sums)}, 0, 1, MPJ.INT, hashes, 0, 1, MPJ.INT);
              assertThat(hashes).containsOnly(hashes[0]);
              for (var root = 0; root < 3; root++) {
                var combined = new double[length + 3];
                world.reduce(own, 1, combined, 2, length, MPJ.DOUBLE, MPJ.SUM, root);
                if (rank == root) {
                  assertThat(Arrays.equals(combined, sums)).isTrue();
                }
                var copy = rank == root ? sums.clone() : new double[length + 3];
                world.bcast(copy, 2, length, MPJ.DOUBLE, root);
                assertThat(Arrays.equals(copy, sums)).isTrue();
              }
            }
          }
        });
  }

  @Test
  void combinesPairsAndColumns() throws MPJException {
    Ranks.runEachWay(
        3,
        rank -> {
          var world = MPJ.COMM_WORLD;
          var count = 9_001;
          var pairs = new int[2 * count];
          for (var i = 0; i < count; i++) {
            pairs[2 * i] = (i + rank) % 3;
            pairs[2 * i + 1] = rank;
          }
          var greatest = new int[2 * count];
          for (var times = 0; times < 4; times++) {
            world.allreduce(pairs, 0, greatest, 0, count, MPJ.INT2, MPJ.MAXLOC);
          }
          for (var i = 0; i < count; i++) {
            assertThat(greatest[2 * i]).isEqualTo(2);
            assertThat(greatest[2 * i + 1]).isEqualTo(Math.floorMod(2 - i, 3));
          }
          var column = MPJ.LONG.vector(50, 1, 50);
          column.commit();
          var matrix = new long[2500];
          for (var i = 0; i < 50; i++) {
            matrix[50 * i + 7] = rank == 1 ? i : 0;
          }
          world.bcast(matrix, 7, 1, column, 1);
          var sums = new long[2500];
          world.allreduce(matrix, 7, sums, 7, 1, column, MPJ.SUM);
          for (var i = 0; i < 50; i++) {
            assertThat(sums[50 * i + 7]).isEqualTo(3L * i);
            assertThat(sums[50 * i + 8]).isZero();
          }
        });
  }

  @Test
  void namesMembersThatGiveNumbersAndOthers() throws MPJException {
    Ranks.runEachWay(
        3,
        rank -> {
          for (var other = 0; other < 3; other += 2) {
            var isOther = rank == other;
            var objects = (Intracomm) MPJ.COMM_WORLD.clone();
            var flags = (Intracomm) MPJ.COMM_WORLD.clone();
            for (var i = 0; i < 300; i++) {
              objects.barrier();
              flags.barrier(); // from here on with boards
            }
            assertThatThrownBy(
                    () -> {
                      if (isOther) {
                        objects.bcast(new Object[] {"a"}, 0, 1, MPJ.OBJECT, 0);
                      } else {
                        objects.bcast(new int[1], 0, 1, MPJ.INT, 0);
                      }
                      objects.barrier();
                    })
                .isInstanceOfSatisfying(
                    MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_TYPE))
                .hasMessageContaining("Bcast with root 0")
                .hasMessageContaining("type OBJECT")
                .hasMessageContaining("type INT")
                .hasMessageContaining("rank 0")
                .hasMessageMatching("(?s).*rank [12].*");
            assertThatThrownBy(
                    () -> {
                      if (isOther) {
                        var all = new boolean[1];
                        flags.allreduce(new boolean[1], 0, all, 0, 1, MPJ.BOOLEAN, MPJ.LOR);
                      } else {
                        flags.allreduce(new int[1], 0, new int[1], 0, 1, MPJ.INT, MPJ.SUM);
                      }
                      flags.barrier();
                    })
                .isInstanceOfSatisfying(
                    MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_TYPE))
                .hasMessageContaining("Allreduce")
                .hasMessageContaining("type BOOLEAN")
                .hasMessageContaining("type INT")
                .hasMessageContaining("rank " + other);
          }
        });
  }

  @Test
  void letsRootsRunAhead() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          for (var i = 0; i < 4; i++) {
            world.barrier(); // from here on with a board
          }
          if (rank == 1) {
            world.recv(new int[1], 0, 1, MPJ.INT, 0, 1); // when the root has run ahead
          }
          for (var i = 0; i < 20; i++) {
            var numbers = new int[i % 3 == 0 ? 4_000 : 3];
            if (rank == 0) {
              Arrays.fill(numbers, i);
            }
            world.bcast(numbers, 0, numbers.length, MPJ.INT, 0);
            assertThat(numbers).containsOnly(i);
            if (rank == 0 && i == 11) {
              world.send(new int[1], 0, 1, MPJ.INT, 1, 1);
            }
          }
        });
  }

  @Test
  void keepsTheOrderOfSmallAndLargeMessages() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          var other = 1 - rank;
          var random = new Random(17);
          var lengths = random.ints(400, 0, 300).toArray();
          for (var i = 0; i < lengths.length; i += 50) {
            lengths[i] = 20_000;
          }
          if (rank == 0) {
            for (var i = 0; i < lengths.length; i++) {
              var numbers = new int[lengths[i] + 1];
              numbers[lengths[i]] = i;
              world.send(numbers, 0, numbers.length, MPJ.INT, other, i % 2);
            }
          } else {
            var requests = new Request[lengths.length];
            var all = new int[lengths.length][20_001];
            for (var i = 0; i < lengths.length; i++) {
              requests[i] =
                  world.irecv(
                      all[i],
                      0,
                      all[i].length,
                      MPJ.INT,
                      i % 3 == 0 ? 0 : MPJ.ANY_SOURCE,
                      MPJ.ANY_TAG);
            }
            for (var i = 0; i < lengths.length; i++) {
              var status = requests[i].Wait();
              assertThat(status.tag).isEqualTo(i % 2);
              assertThat(status.getCount(MPJ.INT)).isEqualTo(lengths[i] + 1);
              assertThat(all[i][lengths[i]]).isEqualTo(i);
            }
          }
          var got = new double[1];
          for (var i = 0; i < 500; i++) {
            if (rank == 0) {
              world.send(new double[] {i}, 0, 1, MPJ.DOUBLE, 1, 5);
              world.recv(got, 0, 1, MPJ.DOUBLE, 1, 5);
            } else {
              world.recv(got, 0, 1, MPJ.DOUBLE, 0, 5);
              world.send(got, 0, 1, MPJ.DOUBLE, 0, 5);
            }
            assertThat(got[0]).isEqualTo(i);
          }
        });
  }
}
