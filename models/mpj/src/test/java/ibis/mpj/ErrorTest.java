package ibis.mpj;

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

  private static void refused(int kind, String words, ThrowingCallable call) throws MPJException {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void sayWhatIsWrongWithAnArgument() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          var world = MPJ.COMM_WORLD;
          var one = new int[1];
          refused(MPJ.ERR_BUFFER, "null", () -> world.send(null, 0, 1, MPJ.INT, 0, 1));
          refused(MPJ.ERR_BUFFER, "not an array", () -> world.send("a", 0, 1, MPJ.INT, 0, 1));
          refused(MPJ.ERR_BUFFER, "array has 1", () -> world.send(one, 0, 2, MPJ.INT, 0, 1));
          refused(MPJ.ERR_BUFFER, "offset -1", () -> world.send(one, -1, 1, MPJ.INT, 0, 1));
          refused(MPJ.ERR_COUNT, "count is -1", () -> world.send(one, 0, -1, MPJ.INT, 0, 1));
          refused(MPJ.ERR_TYPE, "double[]", () -> world.send(one, 0, 1, MPJ.DOUBLE, 0, 1));
          refused(MPJ.ERR_TYPE, "null", () -> world.send(one, 0, 1, null, 0, 1));
          refused(MPJ.ERR_TAG, "tag is -5", () -> world.send(one, 0, 1, MPJ.INT, 0, -5));
          refused(MPJ.ERR_TAG, "tag is", () -> world.send(one, 0, 1, MPJ.INT, 0, MPJ.ANY_TAG));
          refused(MPJ.ERR_TAG, "tag is", () -> world.send(one, 0, 1, MPJ.INT, 0, 1 << 30));
          refused(MPJ.ERR_RANK, "rank 1", () -> world.send(one, 0, 1, MPJ.INT, 1, 1));
          refused(MPJ.ERR_RANK, "rank 9", () -> world.recv(one, 0, 1, MPJ.INT, 9, 1));
          refused(MPJ.ERR_RANK, "rank -2", () -> world.send(one, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, 1));
          refused(MPJ.ERR_ROOT, "root is rank 3", () -> world.bcast(one, 0, 1, MPJ.INT, 3));
          refused(MPJ.ERR_COMM, "null", () -> Comm.compare(world, null));
          refused(MPJ.ERR_COMM, "COMM_NULL", () -> MPJ.COMM_NULL.rank());
          refused(MPJ.ERR_GROUP, "null", () -> world.create(null));
          refused(MPJ.ERR_OP, "null", () -> world.allreduce(one, 0, one, 0, 1, MPJ.INT, null));
          refused(MPJ.ERR_REQUEST, "null", () -> MPJ.REQUEST_NULL.cancel());
          refused(MPJ.ERR_OTHER, "begun already", () -> MPJ.init(new String[0]));
          refused(MPJ.ERR_ARG, "colour", () -> world.split(-4, 0));
          assertThat(world.split(MPJ.UNDEFINED, 0)).isNull();
        });
  }

  @Test
  void refuseCallsBeforeTheBeginning() throws MPJException {
    TestRank.run(
        1,
        1,
        rank ->
            assertThatThrownBy(() -> MPJ.COMM_WORLD.rank())
                .hasMessageContaining("call Init first"));
  }

  @Test
  void refuseASecondThreadInACollective() throws MPJException {
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
                        MPJ.COMM_WORLD.barrier();
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
            refused(MPJ.ERR_OTHER, "already", () -> MPJ.COMM_WORLD.barrier());
            MPJ.COMM_WORLD.send(new int[0], 0, 0, MPJ.INT, 1, 1);
            other.join();
            assertThat(failures).isEmpty();
          } else {
            MPJ.COMM_WORLD.recv(new int[0], 0, 0, MPJ.INT, 0, 1);
            MPJ.COMM_WORLD.barrier();
          }
        });
  }

  @Test
  void tellOfALostRankAndLetOthersGoOn() throws Exception, MPJException {
    try (var nodes = LocalNodes.start(3)) {
      var results =
          TestRank.begin(
              nodes.list(),
              rank -> {
                MPJ.init(new String[0]);
                var world = MPJ.COMM_WORLD;
                var pair = world.split(rank == 2 ? 1 : 0, rank);
                if (rank == 2) {
                  world.send(new int[] {1}, 0, 1, MPJ.INT, 0, 5);
                  world.recv(new int[1], 0, 1, MPJ.INT, 0, 77); // never
                  return;
                }
                if (rank == 0) {
                  world.recv(new int[1], 0, 1, MPJ.INT, 2, 5);
                  nodes.kill(2);
                  refused(
                      MPJ.ERR_PROC_FAILED,
                      "rank 2",
                      () -> world.recv(new int[1], 0, 1, MPJ.INT, 2, 6));
                  refused(
                      MPJ.ERR_PROC_FAILED,
                      "rank 2",
                      () -> world.ssend(new int[1], 0, 1, MPJ.INT, 2, 6));
                }
                refused(MPJ.ERR_PROC_FAILED, "rank 2", world::barrier);
                var sum = new int[1];
                pair.allreduce(new int[] {1}, 0, sum, 0, 1, MPJ.INT, MPJ.SUM);
                assertThat(sum[0]).isEqualTo(2);
                if (rank == 0) {
                  refused(
                      MPJ.ERR_COUNT,
                      "gives itself 2 elements",
                      () -> pair.gather(new int[2], 0, 2, MPJ.INT, new int[4], 0, 1, MPJ.INT, 0));
                } else {
                  refused(
                      MPJ.ERR_ARG,
                      "failed in Gather",
                      () -> {
                        pair.gather(new int[1], 0, 1, MPJ.INT, new int[2], 0, 1, MPJ.INT, 0);
                        pair.barrier();
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
  void endReceivesFromAnyRankWhenNoneIsLeftThatSends() throws Exception, MPJException {
    var isReady = new CompletableFuture<Boolean>();
    var isOver = new CompletableFuture<Boolean>();
    try (var nodes = LocalNodes.start(3)) {
      var results =
          TestRank.begin(
              nodes.list(),
              rank -> {
                MPJ.init(new String[0]);
                if (rank == 2) {
                  isReady.complete(true);
                  isOver.join();
                  return;
                }
                var world = MPJ.COMM_WORLD;
                var got = new int[1];
                refused(
                    MPJ.ERR_PROC_FAILED,
                    "rank 2",
                    () -> world.recv(got, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, 5));
                world.send(new int[] {10 + rank}, 0, 1, MPJ.INT, 1 - rank, 6);
                world.recv(got, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, 6); // goes on
                assertThat(got[0]).isEqualTo(11 - rank);
                refused(
                    MPJ.ERR_OTHER,
                    "which is lost",
                    () -> world.recv(got, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, 7));
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
  void tellOfARankThatEndsWithoutFinalize() throws MPJException {
    TestRank.run(
        2,
        2,
        rank -> {
          MPJ.init(new String[0]);
          if (rank == 0) {
            org.troupe.mpj.comm.World.current()
                .tellOfDeath("its main has returned without Finalize");
          } else {
            refused(
                MPJ.ERR_PROC_FAILED,
                "without Finalize",
                () -> MPJ.COMM_WORLD.recv(new int[1], 0, 1, MPJ.INT, 0, 1));
          }
        });
  }
}
