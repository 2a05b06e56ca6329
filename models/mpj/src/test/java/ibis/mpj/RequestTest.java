package ibis.mpj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestTest {

  @Test
  void becomesNullWhenItsStatusWasTold() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          var into = new int[1];
          var receive = MPJ.COMM_WORLD.irecv(into, 0, 1, MPJ.INT, 0, 1);
          assertThat(receive.test()).isNull();
          assertThat(receive.isVoid()).isFalse();
          MPJ.COMM_WORLD.send(new int[] {4}, 0, 1, MPJ.INT, 0, 1);
          assertThat(receive.Wait().getCount(MPJ.INT)).isEqualTo(1);
          assertThat(into[0]).isEqualTo(4);
          assertThat(receive.isVoid()).isTrue();
          var empty = receive.Wait();
          assertThat(empty.source).isEqualTo(MPJ.ANY_SOURCE);
          assertThat(empty.getCount(MPJ.INT)).isZero();
          assertThat(receive.test()).isNotNull();
          assertThat(MPJ.REQUEST_NULL.isVoid()).isTrue();
        });
  }

  @Test
  void waitsForAnyAndSomeOfSeveralAndPassesNullOnesOver() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var none = new Request[] {MPJ.REQUEST_NULL, null};
            assertThat(Request.waitAny(none).index).isEqualTo(MPJ.UNDEFINED);
            assertThat(Request.testAny(none).index).isEqualTo(MPJ.UNDEFINED);
            assertThat(Request.waitSome(none)).isEmpty();
            assertThat(Request.testSome(none)).isEmpty();
            assertThat(Request.waitAll(none)).hasSize(2);
            var into = new int[3];
            var requests =
                new Request[] {
                  MPJ.REQUEST_NULL,
                  MPJ.COMM_WORLD.irecv(into, 0, 1, MPJ.INT, 1, 1),
                  MPJ.COMM_WORLD.irecv(into, 1, 1, MPJ.INT, 1, 2),
                  MPJ.COMM_WORLD.irecv(into, 2, 1, MPJ.INT, 1, 3)
                };
            assertThat(Request.testAny(requests)).isNull();
            assertThat(Request.testAll(requests)).isNull();
            assertThat(Request.testSome(requests)).isEmpty();
            MPJ.COMM_WORLD.barrier();
            assertThat(Request.waitAny(requests).index).isEqualTo(2);
            assertThat(requests[2].isVoid()).isTrue();
            MPJ.COMM_WORLD.barrier();
            var left = 2;
            while (left > 0) {
              left -= Request.waitSome(requests).length;
            }
            assertThat(into).containsExactly(1, 2, 3);
            assertThat(Request.testAll(requests)).hasSize(4);
          } else {
            MPJ.COMM_WORLD.barrier();
            MPJ.COMM_WORLD.send(new int[] {2}, 0, 1, MPJ.INT, 0, 2);
            MPJ.COMM_WORLD.barrier();
            MPJ.COMM_WORLD.send(new int[] {3}, 0, 1, MPJ.INT, 0, 3);
            MPJ.COMM_WORLD.send(new int[] {1}, 0, 1, MPJ.INT, 0, 1);
          }
        });
  }

  @Test
  void isToldAlthoughAnotherOneHasFailed() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          if (rank == 1) {
            world.send(new int[] {7}, 0, 1, MPJ.INT, 0, 1);
            world.send(new Object[] {7}, 0, 1, MPJ.OBJECT, 0, 2);
            world.send(new int[] {9}, 0, 1, MPJ.INT, 0, 3);
            return;
          }
          var number = new int[2];
          var requests =
              new Request[] {
                world.irecv(number, 0, 1, MPJ.INT, 1, 1),
                world.irecv(new String[1], 0, 1, MPJ.OBJECT, 1, 2)
              };
          world.recv(number, 1, 1, MPJ.INT, 1, 3); // behind both
          var told = Request.waitSome(requests);
          assertThat(told).hasSize(1);
          assertThat(told[0].index).isZero();
          assertThat(number).containsExactly(7, 9);
          assertThatThrownBy(() -> Request.waitSome(requests))
              .isInstanceOfSatisfying(
                  MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_TYPE))
              .hasMessageContaining("does not fit into a String[]");
          assertThat(Request.waitSome(requests)).isEmpty();
        });
  }

  @Test
  void isStartedAgainAndAgainIfPersistent() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var number = new int[1];
          if (rank == 0) {
            var send = MPJ.COMM_WORLD.sendInit(number, 0, 1, MPJ.INT, 1, 1);
            var synchronous = MPJ.COMM_WORLD.ssendInit(number, 0, 1, MPJ.INT, 1, 1);
            assertThat(send.isVoid()).isFalse();
            assertThat(send.Wait().source).isEqualTo(MPJ.ANY_SOURCE);
            for (var i = 0; i < 6; i++) {
              number[0] = i;
              var each = i % 2 == 0 ? send : synchronous;
              each.start();
              each.Wait();
              assertThat(each.isVoid()).isFalse();
            }
            send.free();
            assertThat(send.isVoid()).isTrue();
            assertThatThrownBy(send::start)
                .isInstanceOfSatisfying(
                    MPJException.class,
                    e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_REQUEST));
          } else {
            var receive = MPJ.COMM_WORLD.recvInit(number, 0, 1, MPJ.INT, 0, MPJ.ANY_TAG);
            for (var i = 0; i < 6; i++) {
              Prequest.startAll(new Prequest[] {receive});
              var status = receive.Wait();
              assertThat(status.tag).isEqualTo(1);
              assertThat(number[0]).isEqualTo(i);
            }
          }
        });
  }

  @Test
  void cancelsReceivesThatAreNotMatched() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          var into = new int[1];
          var first = MPJ.COMM_WORLD.irecv(into, 0, 1, MPJ.INT, 0, 1);
          first.cancel();
          assertThat(first.Wait().testCancelled()).isTrue();
          var second = MPJ.COMM_WORLD.irecv(into, 0, 1, MPJ.INT, 0, 1);
          MPJ.COMM_WORLD.send(new int[] {6}, 0, 1, MPJ.INT, 0, 1);
          second.cancel();
          assertThat(second.Wait().testCancelled()).isFalse();
          assertThat(into[0]).isEqualTo(6);
        });
  }

  @Test
  void cancelsSendsThatHaveAskedAndAreNotMatched() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var cancelled = MPJ.COMM_WORLD.issend(new int[] {1}, 0, 1, MPJ.INT, 1, 1);
            cancelled.cancel();
            assertThat(cancelled.Wait().testCancelled()).isTrue();
            MPJ.COMM_WORLD.barrier();
            var eager = MPJ.COMM_WORLD.isend(new int[] {2}, 0, 1, MPJ.INT, 1, 1);
            eager.cancel();
            assertThat(eager.Wait().testCancelled()).isFalse();
            var matched = MPJ.COMM_WORLD.issend(new int[] {3}, 0, 1, MPJ.INT, 1, 2);
            MPJ.COMM_WORLD.recv(new int[1], 0, 1, MPJ.INT, 1, 3); // matched
            matched.cancel();
            assertThat(matched.Wait().testCancelled()).isFalse();
          } else {
            var into = new int[1];
            MPJ.COMM_WORLD.barrier();
            MPJ.COMM_WORLD.recv(into, 0, 1, MPJ.INT, 0, 1);
            assertThat(into[0]).isEqualTo(2);
            MPJ.COMM_WORLD.recv(into, 0, 1, MPJ.INT, 0, 2);
            MPJ.COMM_WORLD.send(into, 0, 1, MPJ.INT, 0, 3);
          }
        });
  }

  @Test
  void completesAllBeforeAFailureOfOneIsThrown() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            MPJ.COMM_WORLD.send(new int[] {1, 2}, 0, 2, MPJ.INT, 1, 1);
            MPJ.COMM_WORLD.send(new int[] {3}, 0, 1, MPJ.INT, 1, 2);
          } else {
            var into = new int[2];
            var requests =
                new Request[] {
                  MPJ.COMM_WORLD.irecv(into, 0, 1, MPJ.INT, 0, 1),
                  MPJ.COMM_WORLD.irecv(into, 1, 1, MPJ.INT, 0, 2)
                };
            assertThatThrownBy(() -> Request.waitAll(requests))
                .isInstanceOfSatisfying(
                    MPJException.class,
                    e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_TRUNCATE))
                .hasMessageContaining("2 elements")
                .hasMessageContaining("room for 1");
            assertThat(into).containsExactly(1, 3);
            assertThat(requests[0].isVoid()).isTrue();
          }
        });
  }

  @Test
  void buffersWithinTheAttachedBytes() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var numbers = new double[50_000];
            var needed = MPJ.COMM_WORLD.packSize(50_000, MPJ.DOUBLE) + MPJ.BSEND_OVERHEAD;
            assertThatThrownBy(() -> MPJ.COMM_WORLD.bsend(numbers, 0, 50_000, MPJ.DOUBLE, 1, 1))
                .hasMessageContaining("no buffer is attached");
            var attached = new byte[needed];
            MPJ.bufferAttach(attached);
            numbers[0] = 3;
            MPJ.COMM_WORLD.bsend(numbers, 0, 50_000, MPJ.DOUBLE, 1, 1);
            numbers[0] = 4; // returned at once, with a copy
            assertThatThrownBy(() -> MPJ.COMM_WORLD.bsend(numbers, 0, 1, MPJ.DOUBLE, 1, 1))
                .isInstanceOfSatisfying(
                    MPJException.class,
                    e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_BUFFER));
            MPJ.COMM_WORLD.barrier();
            assertThat(MPJ.bufferDetach()).isSameAs(attached);
          } else {
            MPJ.COMM_WORLD.barrier();
            var into = new double[50_000];
            MPJ.COMM_WORLD.recv(into, 0, 50_000, MPJ.DOUBLE, 0, 1);
            assertThat(into[0]).isEqualTo(3);
          }
        });
  }
}
