package ibis.mpj;

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
  void passesATokenAroundARing(int ranks) throws MPJException {
    Ranks.runEachWay(
        ranks,
        rank -> {
          var token = new int[1];
          var right = (rank + 1) % ranks;
          var left = (rank + ranks - 1) % ranks;
          if (rank == 0) {
            token[0] = 7;
            MPJ.COMM_WORLD.send(token, 0, 1, MPJ.INT, right, 3);
            MPJ.COMM_WORLD.recv(token, 0, 1, MPJ.INT, left, 3);
            assertThat(token[0]).isEqualTo(7 + ranks - 1);
          } else {
            MPJ.COMM_WORLD.recv(token, 0, 1, MPJ.INT, left, 3);
            token[0]++;
            MPJ.COMM_WORLD.send(token, 0, 1, MPJ.INT, right, 3);
          }
        });
  }

  @Test
  void carriesEachBaseTypeInRangesOfArrays() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          exchange(rank, new byte[] {1, 2, 3, 4}, new byte[5], MPJ.BYTE);
          exchange(rank, new char[] {'a', 'b', 'c', 'd'}, new char[5], MPJ.CHAR);
          exchange(rank, new short[] {1, 2, 3, 4}, new short[5], MPJ.SHORT);
          exchange(rank, new boolean[] {true, false, true, true}, new boolean[5], MPJ.BOOLEAN);
          exchange(rank, new int[] {1, 2, 3, 4}, new int[5], MPJ.INT);
          exchange(rank, new long[] {1, 2, 3, 4}, new long[5], MPJ.LONG);
          exchange(rank, new float[] {1, 2, 3, 4}, new float[5], MPJ.FLOAT);
          exchange(rank, new double[] {1, 2, 3, 4}, new double[5], MPJ.DOUBLE);
          exchange(rank, new Object[] {"a", 2, null, new int[] {4}}, new Object[5], MPJ.OBJECT);
          exchange(rank, new int[][] {{1}, {2, 3}, {}, {4}}, new int[5][], MPJ.OBJECT);
        });
  }

  /** Sends elements 1 to 3 to elements 2 to 4. */
  private static void exchange(int rank, Object from, Object to, Datatype type)
      throws MPJException {
    if (rank == 0) {
      MPJ.COMM_WORLD.send(from, 1, 3, type, 1, 5);
    } else {
      var status = MPJ.COMM_WORLD.recv(to, 2, 3, type, 0, 5);
      assertThat(status.getCount(type)).isEqualTo(3);
      assertThat(status.source).isZero();
      assertThat(status.tag).isEqualTo(5);
      var expected = java.lang.reflect.Array.newInstance(to.getClass().componentType(), 5);
      System.arraycopy(from, 1, expected, 2, 3);
      assertThat(Arrays.deepEquals(new Object[] {to}, new Object[] {expected})).isTrue();
    }
  }

  @Test
  void carriesLargeMessagesInBothDirectionsAtOnce() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          for (var type : new Datatype[] {MPJ.DOUBLE, MPJ.BOOLEAN, MPJ.OBJECT}) {
            var mine = filled(type, rank + 1);
            var its = filled(type, 0);
            var peer = 1 - rank;
            MPJ.COMM_WORLD.sendrecv(mine, 0, LARGE, type, peer, 1, its, 0, LARGE, type, peer, 1);
            assertThat(Arrays.deepEquals(new Object[] {its}, new Object[] {filled(type, 2 - rank)}))
                .isTrue();
          }
        });
  }

  private static Object filled(Datatype type, int with) throws MPJException {
    if (type == MPJ.DOUBLE) {
      var all = new double[LARGE];
      Arrays.setAll(all, each -> with * 1e6 + each);
      return all;
    }
    if (type == MPJ.BOOLEAN) {
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
  void keepsTheOrderOfMessagesWhateverTheirSizesAndModes() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var sizes = new int[] {1, LARGE, 3, 70_000, 0, 5, LARGE, 2};
          if (rank == 0) {
            var requests = new Request[sizes.length];
            MPJ.bufferAttach(new byte[10_000_000]);
            for (var i = 0; i < sizes.length; i++) {
              var numbers = new double[sizes[i]];
              Arrays.fill(numbers, i);
              requests[i] =
                  switch (i % 4) {
                    case 0 -> MPJ.COMM_WORLD.isend(numbers, 0, sizes[i], MPJ.DOUBLE, 1, 9);
                    case 1 -> MPJ.COMM_WORLD.issend(numbers, 0, sizes[i], MPJ.DOUBLE, 1, 9);
                    case 2 -> MPJ.COMM_WORLD.ibsend(numbers, 0, sizes[i], MPJ.DOUBLE, 1, 9);
                    default -> MPJ.COMM_WORLD.irsend(numbers, 0, sizes[i], MPJ.DOUBLE, 1, 9);
                  };
            }
            Request.waitAll(requests);
            MPJ.bufferDetach();
          } else {
            for (var i = 0; i < sizes.length; i++) {
              var into = new double[70_001];
              var status =
                  i % 2 == 0
                      ? MPJ.COMM_WORLD.recv(
                          into, 0, 70_001, MPJ.DOUBLE, MPJ.ANY_SOURCE, MPJ.ANY_TAG)
                      : MPJ.COMM_WORLD.recv(into, 0, 70_001, MPJ.DOUBLE, 0, 9);
              assertThat(status.getCount(MPJ.DOUBLE)).isEqualTo(sizes[i]);
              assertThat(into[0]).isEqualTo(sizes[i] == 0 ? 0 : i);
            }
          }
        });
  }

  @Test
  void matchesByTagAndSourceAndTakesTheFirstOfAny() throws MPJException {
    Ranks.runEachWay(
        3,
        rank -> {
          var number = new int[] {rank};
          if (rank > 0) {
            MPJ.COMM_WORLD.send(number, 0, 1, MPJ.INT, 0, 10 + rank);
            MPJ.COMM_WORLD.send(new int[] {100 + rank}, 0, 1, MPJ.INT, 0, 20);
            MPJ.COMM_WORLD.barrier();
          } else {
            MPJ.COMM_WORLD.barrier();
            MPJ.COMM_WORLD.recv(number, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, 12);
            assertThat(number[0]).isEqualTo(2);
            MPJ.COMM_WORLD.recv(number, 0, 1, MPJ.INT, 2, MPJ.ANY_TAG);
            assertThat(number[0]).isEqualTo(102);
            MPJ.COMM_WORLD.recv(number, 0, 1, MPJ.INT, 1, 20);
            assertThat(number[0]).isEqualTo(101);
            var status = MPJ.COMM_WORLD.recv(number, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, MPJ.ANY_TAG);
            assertThat(status.source).isEqualTo(1);
            assertThat(status.tag).isEqualTo(11);
          }
        });
  }

  @Test
  void givesReceivesOfOneMessageInTheOrderPosted() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            MPJ.COMM_WORLD.barrier();
            for (var i = 0; i < 4; i++) {
              MPJ.COMM_WORLD.send(new int[] {i}, 0, 1, MPJ.INT, 1, 4);
            }
          } else {
            var into = new int[4];
            var requests =
                new Request[] {
                  MPJ.COMM_WORLD.irecv(into, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, MPJ.ANY_TAG),
                  MPJ.COMM_WORLD.irecv(into, 1, 1, MPJ.INT, 0, 4),
                  MPJ.COMM_WORLD.irecv(into, 2, 1, MPJ.INT, 0, MPJ.ANY_TAG),
                  MPJ.COMM_WORLD.irecv(into, 3, 1, MPJ.INT, MPJ.ANY_SOURCE, 4)
                };
            MPJ.COMM_WORLD.barrier();
            Request.waitAll(requests);
            assertThat(into).containsExactly(0, 1, 2, 3);
          }
        });
  }

  @Test
  void finishesASynchronousSendOnlyAfterTheMatch() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var send = MPJ.COMM_WORLD.issend(new int[] {5}, 0, 1, MPJ.INT, 1, 1);
            MPJ.COMM_WORLD.sendrecv(
                new int[1], 0, 1, MPJ.INT, 1, 2, new int[1], 0, 1, MPJ.INT, 1, 2);
            assertThat(send.test()).isNull();
            MPJ.COMM_WORLD.send(new int[1], 0, 1, MPJ.INT, 1, 2);
            send.Wait();
            assertThat(send.isVoid()).isTrue();
          } else {
            var into = new int[1];
            MPJ.COMM_WORLD.sendrecv(
                new int[1], 0, 1, MPJ.INT, 0, 2, new int[1], 0, 1, MPJ.INT, 0, 2);
            MPJ.COMM_WORLD.recv(into, 0, 1, MPJ.INT, 0, 2);
            MPJ.COMM_WORLD.ssend(into, 0, 0, MPJ.INT, MPJ.PROC_NULL, 1);
            MPJ.COMM_WORLD.recv(into, 0, 1, MPJ.INT, 0, 1);
            assertThat(into[0]).isEqualTo(5);
          }
        });
  }

  @Test
  void reachesNoRankAtOnce() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          MPJ.COMM_WORLD.send(new int[1], 0, 1, MPJ.INT, MPJ.PROC_NULL, 1);
          var status = MPJ.COMM_WORLD.recv(new int[1], 0, 1, MPJ.INT, MPJ.PROC_NULL, 1);
          assertThat(status.source).isEqualTo(MPJ.PROC_NULL);
          assertThat(status.tag).isEqualTo(MPJ.ANY_TAG);
          assertThat(status.getCount(MPJ.INT)).isZero();
          assertThat(MPJ.COMM_WORLD.probe(MPJ.PROC_NULL, 1).source).isEqualTo(MPJ.PROC_NULL);
        });
  }

  @Test
  void tellsByAProbeWhatAReceiveWouldTake() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            assertThat(MPJ.COMM_WORLD.iprobe(1, 8)).isNull();
            MPJ.COMM_WORLD.send(new int[] {1, 2, 3}, 0, 3, MPJ.INT, 1, 7);
            MPJ.COMM_WORLD.send(new double[LARGE], 0, LARGE, MPJ.DOUBLE, 1, 8);
          } else {
            var status = MPJ.COMM_WORLD.probe(MPJ.ANY_SOURCE, MPJ.ANY_TAG);
            assertThat(status.tag).isEqualTo(7);
            assertThat(status.getCount(MPJ.INT)).isEqualTo(3);
            assertThat(status.getCount(MPJ.INT2)).isEqualTo(MPJ.UNDEFINED);
            assertThat(status.getElements(MPJ.INT2)).isEqualTo(3);
            var into = new int[3];
            MPJ.COMM_WORLD.recv(into, 0, 3, MPJ.INT, status.source, status.tag);
            assertThat(into).containsExactly(1, 2, 3);
            assertThat(MPJ.COMM_WORLD.probe(0, 8).getCount(MPJ.DOUBLE)).isEqualTo(LARGE);
            MPJ.COMM_WORLD.recv(new double[LARGE], 0, LARGE, MPJ.DOUBLE, 0, 8);
          }
        });
  }

  @Test
  void replacesWhatItSends() throws MPJException {
    Ranks.runEachWay(
        4,
        rank -> {
          var numbers = new int[] {-1, rank, 10 * rank, -1};
          MPJ.COMM_WORLD.sendrecvReplace(
              numbers, 1, 2, MPJ.INT, (rank + 1) % 4, 0, (rank + 3) % 4, 0);
          var left = (rank + 3) % 4;
          assertThat(numbers).containsExactly(-1, left, 10 * left, -1);
        });
  }

  @Test
  void sendsMoreThanTheCreditWithoutReceives() throws MPJException {
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
              requests[i] = MPJ.COMM_WORLD.isend(numbers, 0, size, MPJ.DOUBLE, 1, 1);
            }
            var pending = 0;
            for (var each : requests) {
              pending += each.test() == null ? 1 : 0;
            }
            assertThat(pending).isPositive();
            MPJ.COMM_WORLD.barrier();
            Request.waitAll(requests);
          } else {
            MPJ.COMM_WORLD.barrier();
            for (var i = 0; i < count; i++) {
              var into = new double[size];
              MPJ.COMM_WORLD.recv(into, 0, size, MPJ.DOUBLE, 0, 1);
              assertThat(into[size - 1]).isEqualTo(i);
            }
          }
        });
  }
}
