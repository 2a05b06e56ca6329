package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.util.concurrent.Semaphore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;

@Timeout(60)
class WaitTest {

  private static void refused(int kind, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void endsWithTheRanksAndCallsOfTwoReceivesThatWaitForEachOther() {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPI.COMM_WORLD;
          assertThatThrownBy(() -> world.Recv(new int[1], 0, 1, MPI.INT, 1 - rank, 40 + rank))
              .isInstanceOf(MPIException.class)
              .hasMessageContaining("rank 0")
              .hasMessageContaining("rank 1")
              .hasMessageContaining("with tag 40")
              .hasMessageContaining("with tag 41")
              .hasMessageContaining("WaitTest.java");
          world.Sendrecv(
              new int[1], 0, 1, MPI.INT, 1 - rank, 1, new int[1], 0, 1, MPI.INT, 1 - rank, 1);
        });
  }

  @Test
  void endsForSendsInACircle(LogRecords logs) {
    logs.allow(Level.WARNING, "messages that it has not received"); // unless withdrawn before
    Ranks.runEachWay(
        3,
        rank -> {
          var world = MPI.COMM_WORLD;
          assertThatThrownBy(() -> world.Ssend(new int[1], 0, 1, MPI.INT, (rank + 1) % 3, 1))
              .isInstanceOf(MPIException.class)
              .hasMessageContaining("a send to rank 0")
              .hasMessageContaining("a send to rank 1")
              .hasMessageContaining("a send to rank 2");
        });
  }

  @Test
  void endsForReceivesFromAnyRankAndProbes() {
    Ranks.runEachWay(
        3,
        rank -> {
          var world = MPI.COMM_WORLD;
          assertThatThrownBy(
                  () -> {
                    if (rank == 1) {
                      world.Probe(0, 3);
                    } else {
                      world.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                    }
                  })
              .isInstanceOf(MPIException.class)
              .hasMessageContaining("a receive from any rank with any tag")
              .hasMessageContaining("a probe for a message of rank 0");
        });
  }

  @Test
  void endsForAReceiveFromOneselfAlone() {
    Ranks.run(
        2,
        2,
        rank -> {
          if (rank == 0) {
            refused(
                MPI.ERR_OTHER,
                "can never end",
                () -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 1));
          }
        });
  }

  @Test
  void lastsIfAnotherThreadOfARankMaySend() {
    var found = new Semaphore(0);
    Ranks.runEachWay(
        4,
        rank -> {
          if (rank < 2) {
            sendFromAnotherThread(rank, found);
            return;
          }
          for (var i = 0; i < 2; i++) { // the others are searched for as long as these
            assertThatThrownBy(() -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 5 - rank, 1))
                .isInstanceOf(MPIException.class);
          }
          found.release();
        });
  }

  /** Sends when ranks that wait for each other have been found. */
  private static void sendFromAnotherThread(int rank, Semaphore found) throws Throwable {
    var world = MPI.COMM_WORLD;
    var got = new int[1];
    if (rank == 0) {
      var other =
          new Thread(
              () -> {
                found.acquireUninterruptibly(2);
                try {
                  world.Send(new int[] {7}, 0, 1, MPI.INT, 1, 1);
                } catch (Throwable e) {
                  throw new AssertionError(e);
                }
              });
      other.start();
      world.Recv(got, 0, 1, MPI.INT, 1, 1);
      other.join();
    } else {
      world.Recv(got, 0, 1, MPI.INT, 0, 1);
      world.Send(got, 0, 1, MPI.INT, 0, 1);
    }
    assertThat(got[0]).isEqualTo(7);
  }

  @Test
  void endsAtBothSidesIfObjectsCannotBeSent() {
    Ranks.run(
        2,
        2,
        rank -> {
          var world = MPI.COMM_WORLD;
          var unsendable = new Object[] {Thread.currentThread()};
          if (rank == 0) {
            refused(
                MPI.ERR_TYPE,
                "cannot be sent",
                () -> world.Ssend(unsendable, 0, 1, MPI.OBJECT, 1, 1));
            world.Send(new int[] {1}, 0, 1, MPI.INT, 1, 2);
            refused(
                MPI.ERR_TYPE,
                "cannot be sent",
                () -> world.Send(unsendable, 0, 1, MPI.OBJECT, 1, 1));
            world.Send(new int[] {2}, 0, 1, MPI.INT, 1, 2);
          } else {
            refused(
                MPI.ERR_TYPE,
                "could not send the objects",
                () -> world.Recv(new Object[1], 0, 1, MPI.OBJECT, 0, 1));
            var got = new int[1];
            world.Recv(got, 0, 1, MPI.INT, 0, 2);
            world.Recv(got, 0, 1, MPI.INT, 0, 2);
            assertThat(got[0]).isEqualTo(2);
          }
        });
  }

  @Test
  void endsWhenTheCommunicatorIsFreed() {
    Ranks.runEachWay(
        2,
        rank -> {
          var part = (Intracomm) MPI.COMM_WORLD.clone();
          var send = part.Issend(new int[1], 0, 1, MPI.INT, 1 - rank, 1);
          var objects = part.Isend(new Object[] {"a"}, 0, 1, MPI.OBJECT, 1 - rank, 2);
          var receive = part.Irecv(new int[1], 0, 1, MPI.INT, 1 - rank, 3);
          objects.Wait();
          part.Free();
          refused(MPI.ERR_COMM, "was freed", receive::Wait);
          refused(MPI.ERR_COMM, "was freed", send::Wait);
        });
  }

  @Test
  void failsAReadySendWithoutAPostedReceiveIfStrict() {
    System.setProperty("troupe.mpj.strict", "true");
    try {
      Ranks.runEachWay(
          2,
          rank -> {
            var world = MPI.COMM_WORLD;
            var got = new int[1];
            if (rank == 0) {
              refused(
                  MPI.ERR_OTHER,
                  "no posted receive",
                  () -> world.Rsend(new int[1], 0, 1, MPI.INT, 1, 1));
              world.Barrier();
              world.Barrier();
              world.Rsend(new int[] {5}, 0, 1, MPI.INT, 1, 2);
            } else {
              world.Barrier();
              var receive = world.Irecv(got, 0, 1, MPI.INT, 0, 2);
              world.Barrier();
              receive.Wait();
              assertThat(got[0]).isEqualTo(5);
            }
          });
    } finally {
      System.clearProperty("troupe.mpj.strict");
    }
  }

  @Test
  void showsTheLineOfTheProgramFirst() {
    Ranks.run(
        1,
        1,
        rank ->
            assertThatThrownBy(() -> MPI.COMM_WORLD.Send(null, 0, 1, MPI.INT, 0, 1))
                .satisfies(
                    e ->
                        assertThat(e.getStackTrace()[0].getClassName())
                            .isEqualTo(WaitTest.class.getName())));
  }
}
