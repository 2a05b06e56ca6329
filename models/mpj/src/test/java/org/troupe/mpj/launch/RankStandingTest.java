package org.troupe.mpj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.mpj.matching.RankAttachment;

/** Reports say which ranks wait for which. */
@Timeout(60)
class RankStandingTest {

  private static GroupStanding.OpenWait openWait(RankAttachment attachment) {
    while (true) {
      var standing = Objects.requireNonNull(attachment.standing());
      if (standing.openWait() != null) {
        assertThat(standing.rank()).isZero();
        assertThat(standing.size()).isEqualTo(2);
        return standing.openWait();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Test
  void aRankThatReceivesNamesTheRankThatItWaitsFor() {
    var waiting = new CompletableFuture<RankAttachment>();
    TestRank.run(
        2,
        2,
        rank -> {
          MPI.Init(new String[0]);
          var buffer = new int[1];
          if (rank == 0) {
            waiting.complete(
                Collectives.current().extensionsOfCurrent(RankAttachment.class).getLast());
            MPI.COMM_WORLD.Recv(buffer, 0, 1, MPI.INT, 1, 5);
          } else {
            var open = openWait(waiting.get(30, TimeUnit.SECONDS));
            assertThat(open.kind()).isEqualTo(GroupStanding.Kind.RECEIVE);
            assertThat(open.missing()).containsExactly(1);
            assertThat(open.first()).isNotNull();
            MPI.COMM_WORLD.Send(buffer, 0, 1, MPI.INT, 0, 5);
          }
          MPI.Finalize();
        });
  }

  @Test
  void aRankInACollectiveNamesTheRanksThatItWaitsFor() {
    var waiting = new CompletableFuture<RankAttachment>();
    TestRank.run(
        2,
        2,
        rank -> {
          MPI.Init(new String[0]);
          if (rank == 0) {
            waiting.complete(
                Collectives.current().extensionsOfCurrent(RankAttachment.class).getLast());
          } else {
            var open = openWait(waiting.get(30, TimeUnit.SECONDS));
            assertThat(open.kind()).isEqualTo(GroupStanding.Kind.COLLECTIVE);
            assertThat(open.missing()).containsExactly(1);
          }
          MPI.COMM_WORLD.Barrier();
          MPI.Finalize();
        });
  }
}
