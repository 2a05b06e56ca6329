package ibis.mpj;

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

  private static void refused(int kind, String words, ThrowingCallable call) throws MPJException {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void endsWithTheRanksAndCallsOfTwoReceivesThatWaitForEachOther() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          assertThatThrownBy(() -> world.recv(new int[1], 0, 1, MPJ.INT, 1 - rank, 40 + rank))
              .isInstanceOf(MPJException.class)
              .hasMessageContaining("rank 0")
              .hasMessageContaining("rank 1")
              .hasMessageContaining("with tag 40")
              .hasMessageContaining("with tag 41")
              .hasMessageContaining("WaitTest.java");
          world.sendrecv(
              new int[1], 0, 1, MPJ.INT, 1 - rank, 1, new int[1], 0, 1, MPJ.INT, 1 - rank, 1);
        });
  }

  @Test
  void endsForSendsInACircle(LogRecords logs) throws MPJException {
    logs.allow(Level.WARNING, "messages that it has not received"); // unless withdrawn before
    Ranks.runEachWay(
        3,
        rank -> {
          var world = MPJ.COMM_WORLD;
          assertThatThrownBy(() -> world.ssend(new int[1], 0, 1, MPJ.INT, (rank + 1) % 3, 1))
              .isInstanceOf(MPJException.class)
              .hasMessageContaining("a send to rank 0")
              .hasMessageContaining("a send to rank 1")
              .hasMessageContaining("a send to rank 2");
        });
  }

  @Test
  void endsForReceivesFromAnyRankAndProbes() throws MPJException {
    Ranks.runEachWay(
        3,
        rank -> {
          var world = MPJ.COMM_WORLD;
          assertThatThrownBy(
                  () -> {
                    if (rank == 1) {
                      world.probe(0, 3);
                    } else {
                      world.recv(new int[1], 0, 1, MPJ.INT, MPJ.ANY_SOURCE, MPJ.ANY_TAG);
                    }
                  })
              .isInstanceOf(MPJException.class)
              .hasMessageContaining("a receive from any rank with any tag")
              .hasMessageContaining("a probe for a message of rank 0");
        });
  }

  @Test
  void endsForAReceiveFromOneselfAlone() throws MPJException {
    Ranks.run(
        2,
        2,
        rank -> {
          if (rank == 0) {
            refused(
                MPJ.ERR_OTHER,
                "can never end",
                () -> MPJ.COMM_WORLD.recv(new int[1], 0, 1, MPJ.INT, 0, 1));
          }
        });
  }

  @Test
  void lastsIfAnotherThreadOfARankMaySend() throws MPJException {
    var found = new Semaphore(0);
    Ranks.runEachWay(
        4,
        rank -> {
          if (rank < 2) {
            sendFromAnotherThread(rank, found);
            return;
          }
          for (var i = 0; i < 2; i++) { // the others are searched for as long as these
            assertThatThrownBy(() -> MPJ.COMM_WORLD.recv(new int[1], 0, 1, MPJ.INT, 5 - rank, 1))
                .isInstanceOf(MPJException.class);
          }
          found.release();
        });
  }

  /** Sends when ranks that wait for each other have been found. */
  private static void sendFromAnotherThread(int rank, Semaphore found) throws Throwable {
    var world = MPJ.COMM_WORLD;
    var got = new int[1];
    if (rank == 0) {
      var other =
          new Thread(
              () -> {
                found.acquireUninterruptibly(2);
                try {
                  world.send(new int[] {7}, 0, 1, MPJ.INT, 1, 1);
                } catch (Throwable e) {
                  throw new AssertionError(e);
                }
              });
      other.start();
      world.recv(got, 0, 1, MPJ.INT, 1, 1);
      other.join();
    } else {
      world.recv(got, 0, 1, MPJ.INT, 0, 1);
      world.send(got, 0, 1, MPJ.INT, 0, 1);
    }
    assertThat(got[0]).isEqualTo(7);
  }

  @Test
  void endsAtBothSidesIfObjectsCannotBeSent() throws MPJException {
    Ranks.run(
        2,
        2,
        rank -> {
          var world = MPJ.COMM_WORLD;
          var unsendable = new Object[] {Thread.currentThread()};
          if (rank == 0) {
            refused(
                MPJ.ERR_TYPE,
                "cannot be sent",
                () -> world.ssend(unsendable, 0, 1, MPJ.OBJECT, 1, 1));
            world.send(new int[] {1}, 0, 1, MPJ.INT, 1, 2);
            refused(
                MPJ.ERR_TYPE,
                "cannot be sent",
                () -> world.send(unsendable, 0, 1, MPJ.OBJECT, 1, 1));
            world.send(new int[] {2}, 0, 1, MPJ.INT, 1, 2);
          } else {
            refused(
                MPJ.ERR_TYPE,
                "could not send the objects",
                () -> world.recv(new Object[1], 0, 1, MPJ.OBJECT, 0, 1));
            var got = new int[1];
            world.recv(got, 0, 1, MPJ.INT, 0, 2);
            world.recv(got, 0, 1, MPJ.INT, 0, 2);
            assertThat(got[0]).isEqualTo(2);
          }
        });
  }

  @Test
  void endsWhenTheCommunicatorIsFreed() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var part = (Intracomm) MPJ.COMM_WORLD.clone();
          var send = part.issend(new int[1], 0, 1, MPJ.INT, 1 - rank, 1);
          var objects = part.isend(new Object[] {"a"}, 0, 1, MPJ.OBJECT, 1 - rank, 2);
          var receive = part.irecv(new int[1], 0, 1, MPJ.INT, 1 - rank, 3);
          objects.Wait();
          part.free();
          refused(MPJ.ERR_COMM, "was freed", receive::Wait);
          refused(MPJ.ERR_COMM, "was freed", send::Wait);
        });
  }

  @Test
  void failsAReadySendWithoutAPostedReceiveIfStrict() throws MPJException {
    System.setProperty("troupe.mpj.strict", "true");
    try {
      Ranks.runEachWay(
          2,
          rank -> {
            var world = MPJ.COMM_WORLD;
            var got = new int[1];
            if (rank == 0) {
              refused(
                  MPJ.ERR_OTHER,
                  "no posted receive",
                  () -> world.rsend(new int[1], 0, 1, MPJ.INT, 1, 1));
              world.barrier();
              world.barrier();
              world.rsend(new int[] {5}, 0, 1, MPJ.INT, 1, 2);
            } else {
              world.barrier();
              var receive = world.irecv(got, 0, 1, MPJ.INT, 0, 2);
              world.barrier();
              receive.Wait();
              assertThat(got[0]).isEqualTo(5);
            }
          });
    } finally {
      System.clearProperty("troupe.mpj.strict");
    }
  }

  @Test
  void showsTheLineOfTheProgramFirst() throws MPJException {
    Ranks.run(
        1,
        1,
        rank ->
            assertThatThrownBy(() -> MPJ.COMM_WORLD.send(null, 0, 1, MPJ.INT, 0, 1))
                .satisfies(
                    e ->
                        assertThat(e.getStackTrace()[0].getClassName())
                            .isEqualTo(WaitTest.class.getName())));
  }
}
