package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.mpj.launch.TestRank;
import org.troupe.testing.Polling;

@Timeout(60)
class ErrorTest {

  private static void refused(int kind, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void sayWhatIsWrongWithAnArgument() {
    Ranks.run(
        1,
        1,
        rank -> {
          var world = MPI.COMM_WORLD;
          var one = new int[1];
          refused(MPI.ERR_BUFFER, "null", () -> world.Send(null, 0, 1, MPI.INT, 0, 1));
          refused(MPI.ERR_BUFFER, "not an array", () -> world.Send("a", 0, 1, MPI.INT, 0, 1));
          refused(MPI.ERR_BUFFER, "array has 1", () -> world.Send(one, 0, 2, MPI.INT, 0, 1));
          refused(MPI.ERR_BUFFER, "offset -1", () -> world.Send(one, -1, 1, MPI.INT, 0, 1));
          refused(MPI.ERR_COUNT, "count is -1", () -> world.Send(one, 0, -1, MPI.INT, 0, 1));
          refused(MPI.ERR_TYPE, "double[]", () -> world.Send(one, 0, 1, MPI.DOUBLE, 0, 1));
          refused(MPI.ERR_TYPE, "null", () -> world.Send(one, 0, 1, null, 0, 1));
          refused(MPI.ERR_TAG, "tag is -5", () -> world.Send(one, 0, 1, MPI.INT, 0, -5));
          refused(MPI.ERR_TAG, "tag is", () -> world.Send(one, 0, 1, MPI.INT, 0, MPI.ANY_TAG));
          refused(MPI.ERR_TAG, "tag is", () -> world.Send(one, 0, 1, MPI.INT, 0, 1 << 30));
          refused(MPI.ERR_RANK, "rank 1", () -> world.Send(one, 0, 1, MPI.INT, 1, 1));
          refused(MPI.ERR_RANK, "rank 9", () -> world.Recv(one, 0, 1, MPI.INT, 9, 1));
          refused(MPI.ERR_RANK, "rank -2", () -> world.Send(one, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1));
          refused(MPI.ERR_ROOT, "root is rank 3", () -> world.Bcast(one, 0, 1, MPI.INT, 3));
          refused(MPI.ERR_COMM, "null", () -> Comm.Compare(world, null));
          refused(MPI.ERR_COMM, "COMM_NULL", () -> MPI.COMM_NULL.Rank());
          refused(MPI.ERR_GROUP, "null", () -> world.Create(null));
          refused(MPI.ERR_OP, "null", () -> world.Allreduce(one, 0, one, 0, 1, MPI.INT, null));
          refused(MPI.ERR_REQUEST, "null", () -> MPI.REQUEST_NULL.Cancel());
          refused(MPI.ERR_OTHER, "begun already", () -> MPI.Init(new String[0]));
          refused(MPI.ERR_ARG, "colour", () -> world.Split(-4, 0));
          assertThat(world.Split(MPI.UNDEFINED, 0)).isNull();
        });
  }

  @Test
  void refuseCallsBeforeTheBeginning() {
    TestRank.run(
        1,
        1,
        rank ->
            assertThatThrownBy(() -> MPI.COMM_WORLD.Rank())
                .hasMessageContaining("call Init first"));
  }

  @Test
  void refuseASecondThreadInACollective() {
    Ranks.run(
        2,
        2,
        rank -> {
          if (rank == 0) {
            var failures = new ConcurrentLinkedQueue<Throwable>();
            var other =
                new Thread(
                    () -> {
                      try {
                        MPI.COMM_WORLD.Barrier();
                      } catch (Throwable e) {
                        failures.add(e);
                      }
                    });
            other.start();
            Polling.until(
                "the other thread waits for rank 1",
                () ->
                    other.getState() == Thread.State.WAITING
                        || other.getState() == Thread.State.TIMED_WAITING);
            refused(MPI.ERR_OTHER, "already", () -> MPI.COMM_WORLD.Barrier());
            MPI.COMM_WORLD.Send(new int[0], 0, 0, MPI.INT, 1, 1);
            other.join();
            assertThat(failures).isEmpty();
          } else {
            MPI.COMM_WORLD.Recv(new int[0], 0, 0, MPI.INT, 0, 1);
            MPI.COMM_WORLD.Barrier();
          }
        });
  }

  @Test
  void tellOfALostRankAndLetOthersGoOn() throws Exception {
    try (var nodes = LocalNodes.start(3)) {
      var results =
          TestRank.begin(
              nodes.list(),
              rank -> {
                MPI.Init(new String[0]);
                var world = MPI.COMM_WORLD;
                var pair = world.Split(rank == 2 ? 1 : 0, rank);
                if (rank == 2) {
                  world.Send(new int[] {1}, 0, 1, MPI.INT, 0, 5);
                  world.Recv(new int[1], 0, 1, MPI.INT, 0, 77); // never
                  return;
                }
                if (rank == 0) {
                  world.Recv(new int[1], 0, 1, MPI.INT, 2, 5);
                  nodes.kill(2);
                  refused(
                      MPI.ERR_PROC_FAILED,
                      "rank 2",
                      () -> world.Recv(new int[1], 0, 1, MPI.INT, 2, 6));
                  refused(
                      MPI.ERR_PROC_FAILED,
                      "rank 2",
                      () -> world.Ssend(new int[1], 0, 1, MPI.INT, 2, 6));
                }
                refused(MPI.ERR_PROC_FAILED, "rank 2", world::Barrier);
                var sum = new int[1];
                pair.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                assertThat(sum[0]).isEqualTo(2);
                if (rank == 0) {
                  refused(
                      MPI.ERR_COUNT,
                      "gives itself 2 elements",
                      () -> pair.Gather(new int[2], 0, 2, MPI.INT, new int[4], 0, 1, MPI.INT, 0));
                } else {
                  refused(
                      MPI.ERR_ARG,
                      "failed in Gather",
                      () -> {
                        pair.Gather(new int[1], 0, 1, MPI.INT, new int[2], 0, 1, MPI.INT, 0);
                        pair.Barrier();
                      });
                }
              });
      for (var i = 0; i < 2; i++) {
        assertThat(results.get(i).get(50, TimeUnit.SECONDS)).isTrue();
      }
      assertThatThrownBy(() -> results.get(2).get(50, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
  }

  @Test
  void endReceivesFromAnyRankWhenNoneIsLeftThatSends() throws Exception {
    var isReady = new CompletableFuture<Boolean>();
    var isOver = new CompletableFuture<Boolean>();
    try (var nodes = LocalNodes.start(3)) {
      var results =
          TestRank.begin(
              nodes.list(),
              rank -> {
                MPI.Init(new String[0]);
                if (rank == 2) {
                  isReady.complete(true);
                  isOver.join();
                  return;
                }
                var world = MPI.COMM_WORLD;
                var got = new int[1];
                refused(
                    MPI.ERR_PROC_FAILED,
                    "rank 2",
                    () -> world.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, 5));
                world.Send(new int[] {10 + rank}, 0, 1, MPI.INT, 1 - rank, 6);
                world.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, 6); // goes on
                assertThat(got[0]).isEqualTo(11 - rank);
                refused(
                    MPI.ERR_OTHER,
                    "which is lost",
                    () -> world.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, 7));
              });
      isReady.get(50, TimeUnit.SECONDS);
      nodes.kill(2);
      for (var i = 0; i < 2; i++) {
        assertThat(results.get(i).get(50, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      isOver.complete(true);
    }
  }

  @Test
  void tellOfARankThatEndsWithoutFinalize() {
    TestRank.run(
        2,
        2,
        rank -> {
          MPI.Init(new String[0]);
          if (rank == 0) {
            org.troupe.mpj.comm.World.current()
                .tellOfDeath("its main has returned without Finalize");
          } else {
            refused(
                MPI.ERR_PROC_FAILED,
                "without Finalize",
                () -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 1));
          }
        });
  }
}
