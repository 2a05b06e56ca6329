package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CollectiveTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8})
  void givesWhatTheSameLoopsGive(int ranks) {
    Ranks.runEachWay(
        ranks,
        rank -> {
          var world = MPI.COMM_WORLD;
          for (var root = 0; root < ranks; root++) {
            var few = new int[] {0, rank, rank * rank};
            world.Bcast(few, 1, 2, MPI.INT, root);
            assertThat(few).containsExactly(0, root, root * root);

            var all = new int[2 * ranks + 1];
            world.Gather(new int[] {rank, -rank}, 0, 2, MPI.INT, all, 1, 2, MPI.INT, root);
            if (rank == root) {
              for (var i = 0; i < ranks; i++) {
                assertThat(all[2 * i + 1]).isEqualTo(i);
                assertThat(all[2 * i + 2]).isEqualTo(-i);
              }
            }
            var from = IntStream.range(0, 3 * ranks).toArray();
            var part = new int[3];
            world.Scatter(from, 0, 3, MPI.INT, part, 0, 3, MPI.INT, root);
            assertThat(part).containsExactly(3 * rank, 3 * rank + 1, 3 * rank + 2);

            var sum = new double[2];
            world.Reduce(new double[] {rank, 1}, 0, sum, 0, 2, MPI.DOUBLE, MPI.SUM, root);
            if (rank == root) {
              assertThat(sum).containsExactly(ranks * (ranks - 1) / 2.0, ranks);
            }
          }
          var every = new long[ranks];
          world.Allgather(new long[] {rank + 5}, 0, 1, MPI.LONG, every, 0, 1, MPI.LONG);
          assertThat(every).containsExactly(IntStream.range(5, ranks + 5).asLongStream().toArray());

          var out = IntStream.range(0, ranks).map(to -> 100 * rank + to).toArray();
          var in = new int[ranks];
          world.Alltoall(out, 0, 1, MPI.INT, in, 0, 1, MPI.INT);
          assertThat(in)
              .containsExactly(IntStream.range(0, ranks).map(i -> 100 * i + rank).toArray());

          var most = new int[1];
          world.Allreduce(new int[] {rank * 3}, 0, most, 0, 1, MPI.INT, MPI.MAX);
          assertThat(most[0]).isEqualTo(3 * ranks - 3);

          var upTo = new int[1];
          world.Scan(new int[] {rank + 1}, 0, upTo, 0, 1, MPI.INT, MPI.SUM);
          assertThat(upTo[0]).isEqualTo((rank + 1) * (rank + 2) / 2);

          var counts = IntStream.range(0, ranks).map(i -> i % 3).toArray();
          var total = Arrays.stream(counts).sum();
          var own = new int[counts[rank]];
          var whole = IntStream.range(0, total).toArray();
          world.Reduce_scatter(whole, 0, own, 0, counts, MPI.INT, MPI.SUM);
          var begin = Arrays.stream(counts, 0, rank).sum();
          assertThat(own)
              .containsExactly(
                  IntStream.range(begin, begin + counts[rank]).map(i -> i * ranks).toArray());
          world.Barrier();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void movesPartsOfDifferentLengths(int ranks) {
    Ranks.runEachWay(
        ranks,
        rank -> {
          var world = MPI.COMM_WORLD;
          var counts = IntStream.range(0, ranks).map(i -> i + 1).toArray();
          var displacements = IntStream.range(0, ranks).map(i -> i * (i + 1) / 2 + i).toArray();
          var own = new int[rank + 1];
          Arrays.fill(own, rank + 10);
          var all = new int[displacements[ranks - 1] + ranks];
          var expected = new int[all.length];
          for (var i = 0; i < ranks; i++) {
            Arrays.fill(expected, displacements[i], displacements[i] + counts[i], i + 10);
          }
          world.Allgatherv(own, 0, rank + 1, MPI.INT, all, 0, counts, displacements, MPI.INT);
          assertThat(all).containsExactly(expected);
          var atRoot = new int[all.length];
          world.Gatherv(own, 0, rank + 1, MPI.INT, atRoot, 0, counts, displacements, MPI.INT, 1);
          assertThat(atRoot).containsExactly(rank == 1 ? expected : new int[all.length]);
          var back = new int[rank + 1];
          world.Scatterv(all, 0, counts, displacements, MPI.INT, back, 0, rank + 1, MPI.INT, 0);
          assertThat(back).containsExactly(own);

          // To rank r go r + 1 numbers, from each.
          var out = new int[all.length];
          for (var i = 0; i < ranks; i++) {
            Arrays.fill(out, displacements[i], displacements[i] + counts[i], 10 * rank + i);
          }
          var equal = new int[ranks];
          Arrays.fill(equal, rank + 1);
          var places = IntStream.range(0, ranks).map(i -> i * (rank + 1)).toArray();
          var in = new int[ranks * (rank + 1)];
          world.Alltoallv(out, 0, counts, displacements, MPI.INT, in, 0, equal, places, MPI.INT);
          for (var i = 0; i < in.length; i++) {
            assertThat(in[i]).isEqualTo(10 * (i / (rank + 1)) + rank);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void combinesLargeArraysWithTheSameBitsAtAllRanks(int ranks) {
    Ranks.runEachWay(
        ranks,
        rank -> {
          var own = new double[50_001];
          Arrays.setAll(own, i -> Math.sin(i + rank * 0.37) * Math.pow(10, rank));
          var sum = new double[own.length];
          MPI.COMM_WORLD.Allreduce(own, 0, sum, 0, own.length, MPI.DOUBLE, MPI.SUM);
          var first = sum.clone();
          MPI.COMM_WORLD.Bcast(first, 0, first.length, MPI.DOUBLE, 0);
          assertThat(Arrays.equals(sum, first)).isTrue();
          assertThat(own[1]).isEqualTo(Math.sin(1 + rank * 0.37) * Math.pow(10, rank));
          var expected = 0.0;
          for (var i = 0; i < ranks; i++) {
            expected += Math.sin(50_000 + i * 0.37) * Math.pow(10, i);
          }
          assertThat(sum[50_000]).isCloseTo(expected, org.assertj.core.data.Offset.offset(1e-9));
        });
  }

  /** Text is put together in an order. */
  private static final class Append extends User_function {
    @Override
    public void Call(
        Object in, int inOffset, Object inout, int inoutOffset, int count, Datatype type) {
      for (var i = 0; i < count; i++) {
        ((Object[]) inout)[inoutOffset + i] =
            ((Object[]) in)[inOffset + i].toString() + ((Object[]) inout)[inoutOffset + i];
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void combinesInTheOrderOfRanks(int ranks) {
    Ranks.runEachWay(
        ranks,
        rank -> {
          var append = new Op(new Append(), false);
          var own = new Object[] {"" + (char) ('a' + rank)};
          var result = new Object[1];
          var all = "abcdefgh".substring(0, ranks);
          MPI.COMM_WORLD.Allreduce(own, 0, result, 0, 1, MPI.OBJECT, append);
          assertThat(result[0]).isEqualTo(all);
          MPI.COMM_WORLD.Reduce(own, 0, result, 0, 1, MPI.OBJECT, append, ranks - 1);
          assertThat(result[0]).isEqualTo(all);
          MPI.COMM_WORLD.Scan(own, 0, result, 0, 1, MPI.OBJECT, append);
          assertThat(result[0]).isEqualTo(all.substring(0, rank + 1));
          append.free();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void leavesTheObjectsAsTheyAreThatItCombines(int ranks) {
    Ranks.run(
        ranks,
        ranks,
        rank -> {
          var add =
              new Op(
                  new User_function() {
                    @Override
                    public void Call(
                        Object in, int i, Object inout, int j, int count, Datatype type) {
                      ((int[]) ((Object[]) inout)[j])[0] += ((int[]) ((Object[]) in)[i])[0];
                    }
                  },
                  true);
          var own = new Object[] {new int[] {rank + 1}};
          var result = new Object[1];
          for (var times = 0; times < 2; times++) {
            MPI.COMM_WORLD.Allreduce(own, 0, result, 0, 1, MPI.OBJECT, add);
            assertThat((int[]) result[0]).containsExactly(ranks * (ranks + 1) / 2);
            MPI.COMM_WORLD.Scan(own, 0, result, 0, 1, MPI.OBJECT, add);
            assertThat((int[]) result[0]).containsExactly((rank + 1) * (rank + 2) / 2);
            assertThat(result[0]).isNotSameAs(own[0]);
            assertThat((int[]) own[0]).containsExactly(rank + 1);
          }
        });
  }

  @Test
  void knowsEachOperation() {
    Ranks.runEachWay(
        4,
        rank -> {
          var world = MPI.COMM_WORLD;
          var number = new int[] {rank + 1, 7 - rank};
          assertThat(reduced(number, MPI.MAX)).containsExactly(4, 7);
          assertThat(reduced(number, MPI.MIN)).containsExactly(1, 4);
          assertThat(reduced(number, MPI.SUM)).containsExactly(10, 22);
          assertThat(reduced(number, MPI.PROD)).containsExactly(24, 840);
          assertThat(reduced(number, MPI.BAND)).containsExactly(0, 4);
          assertThat(reduced(number, MPI.BOR)).containsExactly(7, 7);
          assertThat(reduced(number, MPI.BXOR)).containsExactly(4, 0);
          var flags = new boolean[1];
          var own = new boolean[] {rank == 2};
          world.Allreduce(own, 0, flags, 0, 1, MPI.BOOLEAN, MPI.LOR);
          assertThat(flags[0]).isTrue();
          world.Allreduce(own, 0, flags, 0, 1, MPI.BOOLEAN, MPI.LAND);
          assertThat(flags[0]).isFalse();
          world.Allreduce(own, 0, flags, 0, 1, MPI.BOOLEAN, MPI.LXOR);
          assertThat(flags[0]).isTrue();
          var pairs = new double[] {rank % 2, rank, -rank / 2, rank};
          var best = new double[4];
          world.Allreduce(pairs, 0, best, 0, 2, MPI.DOUBLE2, MPI.MAXLOC);
          assertThat(best).containsExactly(1, 1, 0, 0);
          world.Allreduce(pairs, 0, best, 0, 2, MPI.DOUBLE2, MPI.MINLOC);
          assertThat(best).containsExactly(0, 0, -1, 2);
          var bytes = new byte[1];
          world.Allreduce(new byte[] {(byte) rank}, 0, bytes, 0, 1, MPI.BYTE, MPI.SUM);
          assertThat(bytes[0]).isEqualTo((byte) 6);
          var chars = new char[1];
          world.Allreduce(new char[] {(char) ('a' + rank)}, 0, chars, 0, 1, MPI.CHAR, MPI.MAX);
          assertThat(chars[0]).isEqualTo('d');
          var floats = new float[1];
          world.Allreduce(new float[] {rank + 1}, 0, floats, 0, 1, MPI.FLOAT, MPI.PROD);
          assertThat(floats[0]).isEqualTo(24);
          assertThatThrownBy(
                  () ->
                      world.Allreduce(new double[1], 0, new double[1], 0, 1, MPI.DOUBLE, MPI.BAND))
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_OP))
              .hasMessageContaining("BAND is not defined for DOUBLE");
        });
  }

  private static int[] reduced(int[] own, Op op) {
    var result = new int[own.length];
    MPI.COMM_WORLD.Allreduce(own, 0, result, 0, own.length, MPI.INT, op);
    return result;
  }

  @Test
  void failsEverywhereByNameIfMembersDisagreeInKind() {
    Ranks.runEachWay(
        3,
        rank -> {
          var part = (Intracomm) MPI.COMM_WORLD.clone();
          assertThatThrownBy(
                  () -> {
                    if (rank == 2) {
                      part.Gather(new int[1], 0, 1, MPI.INT, new int[3], 0, 1, MPI.INT, 2);
                    } else {
                      part.Bcast(new int[1], 0, 1, MPI.INT, 0);
                    }
                    part.Barrier();
                  })
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_ARG))
              .hasMessageContaining("Gather with root 2")
              .hasMessageContaining("Bcast with root 0");
        });
  }

  @Test
  void failsEverywhereIfTwoMembersWaitForEachOther() {
    Ranks.runEachWay(
        2,
        rank -> {
          var part = (Intracomm) MPI.COMM_WORLD.clone();
          assertThatThrownBy(
                  () -> {
                    if (rank == 0) {
                      part.Gather(new int[1], 0, 1, MPI.INT, new int[2], 0, 1, MPI.INT, 0);
                    } else {
                      part.Scatter(new int[2], 0, 1, MPI.INT, new int[1], 0, 1, MPI.INT, 0);
                    }
                  })
              .isInstanceOf(MPIException.class)
              .hasMessageContaining("Gather with root 0")
              .hasMessageContaining("Scatter with root 0");
        });
  }

  @Test
  void failsEverywhereIfMembersDisagreeInRootOrLength() {
    Ranks.runEachWay(
        3,
        rank -> {
          var roots = (Intracomm) MPI.COMM_WORLD.clone();
          assertThatThrownBy(
                  () -> {
                    roots.Bcast(new int[1], 0, 1, MPI.INT, rank == 1 ? 1 : 0);
                    roots.Barrier();
                  })
              .hasMessageContaining("Bcast with root 1")
              .hasMessageContaining("Bcast with root 0");
          var lengths = (Intracomm) MPI.COMM_WORLD.clone();
          assertThatThrownBy(
                  () -> {
                    lengths.Bcast(new int[2], 0, rank == 2 ? 1 : 2, MPI.INT, 0);
                    lengths.Barrier();
                  })
              .hasMessageContaining("counts and datatypes must agree");
        });
  }

  @Test
  void tellsAllIfTheFunctionOfOneMemberFails() {
    Ranks.runEachWay(
        2,
        rank -> {
          var part = (Intracomm) MPI.COMM_WORLD.clone();
          var op =
              new Op(
                  new User_function() {
                    @Override
                    public void Call(
                        Object in, int i, Object inout, int j, int count, Datatype type) {
                      throw new IllegalStateException("no such sum");
                    }
                  },
                  true);
          assertThatThrownBy(
                  () -> {
                    part.Reduce(new int[1], 0, new int[1], 0, 1, MPI.INT, op, 0);
                    part.Barrier();
                  })
              .hasMessageContaining("no such sum");
        });
  }
}
