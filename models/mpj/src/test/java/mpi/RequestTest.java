package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestTest {

  @Test
  void becomesNullWhenItsStatusWasTold() {
    Ranks.run(
        1,
        1,
        rank -> {
          var into = new int[1];
          var receive = MPI.COMM_WORLD.Irecv(into, 0, 1, MPI.INT, 0, 1);
          assertThat(receive.Test()).isNull();
          assertThat(receive.Is_null()).isFalse();
          MPI.COMM_WORLD.Send(new int[] {4}, 0, 1, MPI.INT, 0, 1);
          assertThat(receive.Wait().Get_count(MPI.INT)).isEqualTo(1);
          assertThat(into[0]).isEqualTo(4);
          assertThat(receive.Is_null()).isTrue();
          var empty = receive.Wait();
          assertThat(empty.source).isEqualTo(MPI.ANY_SOURCE);
          assertThat(empty.Get_count(MPI.INT)).isZero();
          assertThat(receive.Test()).isNotNull();
          assertThat(MPI.REQUEST_NULL.Is_null()).isTrue();
        });
  }

  @Test
  void waitsForAnyAndSomeOfSeveralAndPassesNullOnesOver() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var none = new Request[] {MPI.REQUEST_NULL, null};
            assertThat(Request.Waitany(none).index).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.Testany(none).index).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.Waitsome(none)).isEmpty();
            assertThat(Request.Testsome(none)).isEmpty();
            assertThat(Request.Waitall(none)).hasSize(2);
            var into = new int[3];
            var requests =
                new Request[] {
                  MPI.REQUEST_NULL,
                  MPI.COMM_WORLD.Irecv(into, 0, 1, MPI.INT, 1, 1),
                  MPI.COMM_WORLD.Irecv(into, 1, 1, MPI.INT, 1, 2),
                  MPI.COMM_WORLD.Irecv(into, 2, 1, MPI.INT, 1, 3)
                };
            assertThat(Request.Testany(requests)).isNull();
            assertThat(Request.Testall(requests)).isNull();
            assertThat(Request.Testsome(requests)).isEmpty();
            MPI.COMM_WORLD.Barrier();
            assertThat(Request.Waitany(requests).index).isEqualTo(2);
            assertThat(requests[2].Is_null()).isTrue();
            MPI.COMM_WORLD.Barrier();
            var left = 2;
            while (left > 0) {
              left -= Request.Waitsome(requests).length;
            }
            assertThat(into).containsExactly(1, 2, 3);
            assertThat(Request.Testall(requests)).hasSize(4);
          } else {
            MPI.COMM_WORLD.Barrier();
            MPI.COMM_WORLD.Send(new int[] {2}, 0, 1, MPI.INT, 0, 2);
            MPI.COMM_WORLD.Barrier();
            MPI.COMM_WORLD.Send(new int[] {3}, 0, 1, MPI.INT, 0, 3);
            MPI.COMM_WORLD.Send(new int[] {1}, 0, 1, MPI.INT, 0, 1);
          }
        });
  }

  @Test
  void isToldAlthoughAnotherOneHasFailed() {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPI.COMM_WORLD;
          if (rank == 1) {
            world.Send(new int[] {7}, 0, 1, MPI.INT, 0, 1);
            world.Send(new Object[] {7}, 0, 1, MPI.OBJECT, 0, 2);
            world.Send(new int[] {9}, 0, 1, MPI.INT, 0, 3);
            return;
          }
          var number = new int[2];
          var requests =
              new Request[] {
                world.Irecv(number, 0, 1, MPI.INT, 1, 1),
                world.Irecv(new String[1], 0, 1, MPI.OBJECT, 1, 2)
              };
          world.Recv(number, 1, 1, MPI.INT, 1, 3); // behind both
          var told = Request.Waitsome(requests);
          assertThat(told).hasSize(1);
          assertThat(told[0].index).isZero();
          assertThat(number).containsExactly(7, 9);
          assertThatThrownBy(() -> Request.Waitsome(requests))
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_TYPE))
              .hasMessageContaining("does not fit into a String[]");
          assertThat(Request.Waitsome(requests)).isEmpty();
        });
  }

  @Test
  void isStartedAgainAndAgainIfPersistent() {
    Ranks.runEachWay(
        2,
        rank -> {
          var number = new int[1];
          if (rank == 0) {
            var send = MPI.COMM_WORLD.Send_init(number, 0, 1, MPI.INT, 1, 1);
            var synchronous = MPI.COMM_WORLD.Ssend_init(number, 0, 1, MPI.INT, 1, 1);
            assertThat(send.Is_null()).isFalse();
            assertThat(send.Wait().source).isEqualTo(MPI.ANY_SOURCE);
            for (var i = 0; i < 6; i++) {
              number[0] = i;
              var each = i % 2 == 0 ? send : synchronous;
              each.Start();
              each.Wait();
              assertThat(each.Is_null()).isFalse();
            }
            send.Free();
            assertThat(send.Is_null()).isTrue();
            assertThatThrownBy(send::Start)
                .isInstanceOfSatisfying(
                    MPIException.class,
                    e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_REQUEST));
          } else {
            var receive = MPI.COMM_WORLD.Recv_init(number, 0, 1, MPI.INT, 0, MPI.ANY_TAG);
            for (var i = 0; i < 6; i++) {
              Prequest.Startall(new Prequest[] {receive});
              var status = receive.Wait();
              assertThat(status.tag).isEqualTo(1);
              assertThat(number[0]).isEqualTo(i);
            }
          }
        });
  }

  @Test
  void cancelsReceivesThatAreNotMatched() {
    Ranks.run(
        1,
        1,
        rank -> {
          var into = new int[1];
          var first = MPI.COMM_WORLD.Irecv(into, 0, 1, MPI.INT, 0, 1);
          first.Cancel();
          assertThat(first.Wait().Test_cancelled()).isTrue();
          var second = MPI.COMM_WORLD.Irecv(into, 0, 1, MPI.INT, 0, 1);
          MPI.COMM_WORLD.Send(new int[] {6}, 0, 1, MPI.INT, 0, 1);
          second.Cancel();
          assertThat(second.Wait().Test_cancelled()).isFalse();
          assertThat(into[0]).isEqualTo(6);
        });
  }

  @Test
  void cancelsSendsThatHaveAskedAndAreNotMatched() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var cancelled = MPI.COMM_WORLD.Issend(new int[] {1}, 0, 1, MPI.INT, 1, 1);
            cancelled.Cancel();
            assertThat(cancelled.Wait().Test_cancelled()).isTrue();
            MPI.COMM_WORLD.Barrier();
            var eager = MPI.COMM_WORLD.Isend(new int[] {2}, 0, 1, MPI.INT, 1, 1);
            eager.Cancel();
            assertThat(eager.Wait().Test_cancelled()).isFalse();
            var matched = MPI.COMM_WORLD.Issend(new int[] {3}, 0, 1, MPI.INT, 1, 2);
            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 3); // matched
            matched.Cancel();
            assertThat(matched.Wait().Test_cancelled()).isFalse();
          } else {
            var into = new int[1];
            MPI.COMM_WORLD.Barrier();
            MPI.COMM_WORLD.Recv(into, 0, 1, MPI.INT, 0, 1);
            assertThat(into[0]).isEqualTo(2);
            MPI.COMM_WORLD.Recv(into, 0, 1, MPI.INT, 0, 2);
            MPI.COMM_WORLD.Send(into, 0, 1, MPI.INT, 0, 3);
          }
        });
  }

  @Test
  void completesAllBeforeAFailureOfOneIsThrown() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            MPI.COMM_WORLD.Send(new int[] {1, 2}, 0, 2, MPI.INT, 1, 1);
            MPI.COMM_WORLD.Send(new int[] {3}, 0, 1, MPI.INT, 1, 2);
          } else {
            var into = new int[2];
            var requests =
                new Request[] {
                  MPI.COMM_WORLD.Irecv(into, 0, 1, MPI.INT, 0, 1),
                  MPI.COMM_WORLD.Irecv(into, 1, 1, MPI.INT, 0, 2)
                };
            assertThatThrownBy(() -> Request.Waitall(requests))
                .isInstanceOfSatisfying(
                    MPIException.class,
                    e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_TRUNCATE))
                .hasMessageContaining("2 elements")
                .hasMessageContaining("room for 1");
            assertThat(into).containsExactly(1, 3);
            assertThat(requests[0].Is_null()).isTrue();
          }
        });
  }

  @Test
  void buffersWithinTheAttachedBytes() {
    Ranks.runEachWay(
        2,
        rank -> {
          if (rank == 0) {
            var numbers = new double[50_000];
            var needed = MPI.COMM_WORLD.Pack_size(50_000, MPI.DOUBLE) + MPI.BSEND_OVERHEAD;
            assertThatThrownBy(() -> MPI.COMM_WORLD.Bsend(numbers, 0, 50_000, MPI.DOUBLE, 1, 1))
                .hasMessageContaining("no buffer is attached");
            var attached = new byte[needed];
            MPI.Buffer_attach(attached);
            numbers[0] = 3;
            MPI.COMM_WORLD.Bsend(numbers, 0, 50_000, MPI.DOUBLE, 1, 1);
            numbers[0] = 4; // returned at once, with a copy
            assertThatThrownBy(() -> MPI.COMM_WORLD.Bsend(numbers, 0, 1, MPI.DOUBLE, 1, 1))
                .isInstanceOfSatisfying(
                    MPIException.class,
                    e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_BUFFER));
            MPI.COMM_WORLD.Barrier();
            assertThat(MPI.Buffer_detach()).isSameAs(attached);
          } else {
            MPI.COMM_WORLD.Barrier();
            var into = new double[50_000];
            MPI.COMM_WORLD.Recv(into, 0, 50_000, MPI.DOUBLE, 0, 1);
            assertThat(into[0]).isEqualTo(3);
          }
        });
  }
}
