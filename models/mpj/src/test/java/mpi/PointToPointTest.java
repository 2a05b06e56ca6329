package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PointToPointTest {

  private static final int LARGE = 20_003; // as doubles, above the eager limit

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void passesATokenAroundARing(int ranks) {
    Ranks.runEachWay(
        ranks,
        rank -> {
          var token = new int[1];
          var right = (rank + 1) % ranks;
          var left = (rank + ranks - 1) % ranks;
          if (rank == 0) {
            token[0] = 7;
            MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, right, 3);
            MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, left, 3);
            assertThat(token[0]).isEqualTo(7 + ranks - 1);
          } else {
            MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, left, 3);
            token[0]++;
            MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, right, 3);
          }
        });
  }

  @Test
  void carriesEachBaseTypeInRangesOfArrays() {
    Ranks.runEachWay(
        2,
        rank -> {
          exchange(rank, new byte[] {1, 2, 3, 4}, new byte[5], MPI.BYTE);
          exchange(rank, new char[] {'a', 'b', 'c', 'd'}, new char[5], MPI.CHAR);
          exchange(rank, new short[] {1, 2, 3, 4}, new short[5], MPI.SHORT);
          exchange(rank, new boolean[] {true, false, true, true}, new boolean[5], MPI.BOOLEAN);
          exchange(rank, new int[] {1, 2, 3, 4}, new int[5], MPI.INT);
          exchange(rank, new long[] {1, 2, 3, 4}, new long[5], MPI.LONG);
          exchange(rank, new float[] {1, 2, 3, 4}, new float[5], MPI.FLOAT);
          exchange(rank, new double[] {1, 2, 3, 4}, new double[5], MPI.DOUBLE);
          exchange(rank, new Object[] {"a", 2, null, new int[] {4}}, new Object[5], MPI.OBJECT);
          exchange(rank, new int[][] {{1}, {2, 3}, {}, {4}}, new int[5][], MPI.OBJECT);
        });
  }

  /** Sends elements 1 to 3 to elements 2 to 4. */
  private static void exchange(int rank, Object from, Object to, Datatype type) {
    if (rank == 0) {
      MPI.COMM_WORLD.Send(from, 1, 3, type, 1, 5);
    } else {
      var status = MPI.COMM_WORLD.Recv(to, 2, 3, type, 0, 5);
      assertThat(status.Get_count(type)).isEqualTo(3);
      assertThat(status.source).isZero();
      assertThat(status.tag).isEqualTo(5);
      var expected = java.lang.reflect.Array.newInstance(to.getClass().componentType(), 5);
      System.arraycopy(from, 1, expected, 2, 3);
      assertThat(Arrays.deepEquals(new Object[] {to}, new Object[] {expected})).isTrue();
    }
  }

  @Test
  void carriesLargeMessagesInBothDirectionsAtOnce() {
    Ranks.runEachWay(
        2,
        rank -> {
          for (var type : new Datatype[] {MPI.DOUBLE, MPI.BOOLEAN, MPI.OBJECT}) {
            var mine = filled(type, rank + 1);
            var its = filled(type, 0);
            var peer = 1 - rank;
            MPI.COMM_WORLD.Sendrecv(mine, 0, LARGE, type, peer, 1, its, 0, LARGE, type, peer, 1);
            assertThat(Arrays.deepEquals(new Object[] {its}, new Object[] {filled(type, 2 - rank)}))
                .isTrue();
          }
        });
  }

  private static Object filled(Datatype type, int with) {
    if (type == MPI.DOUBLE) {
      var all = new double[LARGE];
      Arrays.setAll(all, each -> with * 1e6 + each);
      return all;
    }
    if (type == MPI.BOOLEAN) {
      var all = new boolean[LARGE];
      for (var i = 0; i < LARGE; i++) {
        all[i] = i % (with + 2) == 0;
      }
      return all;
    }
    var all = new Object[LARGE];
    Arrays.setAll(all, each -> with + ":" + each);
    return all;
  }

  @Test
  void keepsTheOrderOfMessagesWhateverTheirSizesAndModes() {
    Ranks.runEachWay(
        2,
        rank -> {
          var sizes = new int[] {1, LARGE, 3, 70_000, 0, 5, LARGE, 2};
          if (rank == 0) {
            var requests = new Request[sizes.length];
            MPI.Buffer_attach(new byte[10_000_000]);
            for (var i = 0; i < sizes.length; i++) {
              var numbers = new double[sizes[i]];
              Arrays.fill(numbers, i);
              requests[i] =
                  switch (i % 4) {
                    case 0 -> MPI.COMM_WORLD.Isend(numbers, 0, sizes[i], MPI.DOUBLE, 1, 9);
                    case 1 -> MPI.COMM_WORLD.Issend(numbers, 0, sizes[i], MPI.DOUBLE, 1, 9);
                    case 2 -> MPI.COMM_WORLD.Ibsend(numbers, 0, sizes[i], MPI.DOUBLE, 1, 9);
                    default -> MPI.COMM_WORLD.Irsend(numbers, 0, sizes[i], MPI.DOUBLE, 1, 9);
                  };
            }
            Request.Waitall(requests);
            MPI.Buffer_detach();
          } else {
            for (var i = 0; i < sizes.length; i++) {
              var into = new double[70_001];
              var status =
                  i % 2 == 0
                      ? MPI.COMM_WORLD.Recv(
                          into, 0, 70_001, MPI.DOUBLE, MPI.ANY_SOURCE, MPI.ANY_TAG)
                      : MPI.COMM_WORLD.Recv(into, 0, 70_001, MPI.DOUBLE, 0, 9);
              assertThat(status.Get_count(MPI.DOUBLE)).isEqualTo(sizes[i]);
              assertThat(into[0]).isEqualTo(sizes[i] == 0 ? 0 : i);
            }
          }
        });
  }

  @Test
  void matchesByTagAndSourceAndTakesTheFirstOfAny() {
    Ranks.runEachWay(
        3,
        rank -> {
          var number = new int[] {rank};
          if (rank > 0) {
            MPI.COMM_WORLD.Send(number, 0, 1, MPI.INT, 0, 10 + rank);
            MPI.COMM_WORLD.Send(new int[] {100 + rank}, 0, 1, MPI.INT, 0, 20);
            MPI.COMM_WORLD.Barrier();
          } else {
            MPI.COMM_WORLD.Barrier();
            MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, MPI.ANY_SOURCE, 12);
            assertThat(number[0]).isEqualTo(2);
            MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, 2, MPI.ANY_TAG);
            assertThat(number[0]).isEqualTo(102);
            MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, 1, 20);
            assertThat(number[0]).isEqualTo(101);
            var status = MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            assertThat(status.source).isEqualTo(1);
            assertThat(status.tag).isEqualTo(11);
          }
        });
  }

  @Test
  void givesReceivesOfOneMessageInTheOrderPosted() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            MPI.COMM_WORLD.Barrier();
            for (var i = 0; i < 4; i++) {
              MPI.COMM_WORLD.Send(new int[] {i}, 0, 1, MPI.INT, 1, 4);
            }
          } else {
            var into = new int[4];
            var requests =
                new Request[] {
                  MPI.COMM_WORLD.Irecv(into, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG),
                  MPI.COMM_WORLD.Irecv(into, 1, 1, MPI.INT, 0, 4),
                  MPI.COMM_WORLD.Irecv(into, 2, 1, MPI.INT, 0, MPI.ANY_TAG),
                  MPI.COMM_WORLD.Irecv(into, 3, 1, MPI.INT, MPI.ANY_SOURCE, 4)
                };
            MPI.COMM_WORLD.Barrier();
            Request.Waitall(requests);
            assertThat(into).containsExactly(0, 1, 2, 3);
          }
        });
  }

  @Test
  void finishesASynchronousSendOnlyAfterTheMatch() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var send = MPI.COMM_WORLD.Issend(new int[] {5}, 0, 1, MPI.INT, 1, 1);
            MPI.COMM_WORLD.Sendrecv(
                new int[1], 0, 1, MPI.INT, 1, 2, new int[1], 0, 1, MPI.INT, 1, 2);
            assertThat(send.Test()).isNull();
            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 1, 2);
            send.Wait();
            assertThat(send.Is_null()).isTrue();
          } else {
            var into = new int[1];
            MPI.COMM_WORLD.Sendrecv(
                new int[1], 0, 1, MPI.INT, 0, 2, new int[1], 0, 1, MPI.INT, 0, 2);
            MPI.COMM_WORLD.Recv(into, 0, 1, MPI.INT, 0, 2);
            MPI.COMM_WORLD.Ssend(into, 0, 0, MPI.INT, MPI.PROC_NULL, 1);
            MPI.COMM_WORLD.Recv(into, 0, 1, MPI.INT, 0, 1);
            assertThat(into[0]).isEqualTo(5);
          }
        });
  }

  @Test
  void reachesNoRankAtOnce() {
    Ranks.run(
        1,
        1,
        rank -> {
          MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, MPI.PROC_NULL, 1);
          var status = MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.PROC_NULL, 1);
          assertThat(status.source).isEqualTo(MPI.PROC_NULL);
          assertThat(status.tag).isEqualTo(MPI.ANY_TAG);
          assertThat(status.Get_count(MPI.INT)).isZero();
          assertThat(MPI.COMM_WORLD.Probe(MPI.PROC_NULL, 1).source).isEqualTo(MPI.PROC_NULL);
        });
  }

  @Test
  void tellsByAProbeWhatAReceiveWouldTake() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            assertThat(MPI.COMM_WORLD.Iprobe(1, 8)).isNull();
            MPI.COMM_WORLD.Send(new int[] {1, 2, 3}, 0, 3, MPI.INT, 1, 7);
            MPI.COMM_WORLD.Send(new double[LARGE], 0, LARGE, MPI.DOUBLE, 1, 8);
          } else {
            var status = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
            assertThat(status.tag).isEqualTo(7);
            assertThat(status.Get_count(MPI.INT)).isEqualTo(3);
            assertThat(status.Get_count(MPI.INT2)).isEqualTo(MPI.UNDEFINED);
            assertThat(status.Get_elements(MPI.INT2)).isEqualTo(3);
            var into = new int[3];
            MPI.COMM_WORLD.Recv(into, 0, 3, MPI.INT, status.source, status.tag);
            assertThat(into).containsExactly(1, 2, 3);
            assertThat(MPI.COMM_WORLD.Probe(0, 8).Get_count(MPI.DOUBLE)).isEqualTo(LARGE);
            MPI.COMM_WORLD.Recv(new double[LARGE], 0, LARGE, MPI.DOUBLE, 0, 8);
          }
        });
  }

  @Test
  void replacesWhatItSends() {
    Ranks.runEachWay(
        4,
        rank -> {
          var numbers = new int[] {-1, rank, 10 * rank, -1};
          MPI.COMM_WORLD.Sendrecv_replace(
              numbers, 1, 2, MPI.INT, (rank + 1) % 4, 0, (rank + 3) % 4, 0);
          var left = (rank + 3) % 4;
          assertThat(numbers).containsExactly(-1, left, 10 * left, -1);
        });
  }

  @Test
  void sendsMoreThanTheCreditWithoutReceives() {
    Ranks.run(
        2,
        2,
        rank -> {
          var size = 8_000; // as doubles just below the eager limit
          var count = 400; // 25 MB
          if (rank == 0) {
            var requests = new Request[count];
            for (var i = 0; i < count; i++) {
              var numbers = new double[size];
              numbers[size - 1] = i;
              requests[i] = MPI.COMM_WORLD.Isend(numbers, 0, size, MPI.DOUBLE, 1, 1);
            }
            var pending = 0;
            for (var each : requests) {
              pending += each.Test() == null ? 1 : 0;
            }
            assertThat(pending).isPositive();
            MPI.COMM_WORLD.Barrier();
            Request.Waitall(requests);
          } else {
            MPI.COMM_WORLD.Barrier();
            for (var i = 0; i < count; i++) {
              var into = new double[size];
              MPI.COMM_WORLD.Recv(into, 0, size, MPI.DOUBLE, 0, 1);
              assertThat(into[size - 1]).isEqualTo(i);
            }
          }
        });
  }
}
