package org.troupe.mpj.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.BoardMembers;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError.Failure;
import org.troupe.testing.Polling;

/** Searches among ranks whose waits end by what others write into memory. */
@Timeout(60)
class RankDeadlockSearchTest {

  private static final int RANKS = 3;
  private static final int COLLECTIVE = 1; // a context, of which ticks search seldom

  private final MessageEngine[] engines = new MessageEngine[RANKS];
  private Runnable beforeQuestion = () -> {}; // runs once, when the first question arrives

  RankDeadlockSearchTest() {
    for (var rank = 0; rank < RANKS; rank++) {
      engines[rank] = new MessageEngine(rank, new Direct(rank));
      engines[rank].onThreads(() -> true);
    }
  }

  private final MemoryWait first = new MemoryWait();
  private final MemoryWait second = new MemoryWait();

  @AfterEach
  void endWaits() {
    first.end();
    second.end();
  }

  @Test
  void findsRanksThatWaitForEachOther() {
    first.begin(engines[0], 1);
    second.begin(engines[1], 0);

    engines[0].searchDeadlock(first.its());

    assertThat(first.failure().kind()).isEqualTo(ErrorClass.OTHER);
    assertThat(first.failure().sentence())
        .contains("these ranks wait for each other")
        .contains("rank 0 waits for memory")
        .contains("rank 1 waits for memory");
    assertThat(second.failure().sentence()).isEqualTo(first.failure().sentence());
  }

  @Test
  void expectsNothingOfLostRanks() {
    engines[0].lost(List.of(1), "its node died");
    first.begin(engines[0], 1);

    engines[0].searchDeadlock(first.its());

    assertThat(first.failure().sentence())
        .contains("can never end")
        .contains("no longer for rank 1, which is lost");
  }

  @Test
  void accusesNoRankWhoseWaitHasGoneOnForAnotherOneMeanwhile() {
    first.begin(engines[0], 1);
    beforeQuestion =
        () -> {
          first.awaits(2); // rank 1 has done its part, and rank 2, which is late, has not
          second.begin(engines[1], 0);
        };

    engines[0].searchDeadlock(first.its());

    assertThat(first.its().failure).isNull();
    assertThat(second.its().failure).isNull();
  }

  @Test
  void countsMessagesThatComeByMemoryToAFreedCommunicator() {
    var freed = 4;
    var memory = Arena.ofAuto();
    var segments = new HashMap<Long, MemorySegment>();
    for (var rank = 0; rank < RANKS; rank++) {
      var board =
          Board.open(
              bytes ->
                  new Shared(segments.computeIfAbsent(bytes, each -> memory.allocate(each, 64))),
              BoardMembers.ofAll(RANKS, rank));
      engines[rank].use(Objects.requireNonNull(board, "as memory is small").messages());
    }
    engines[1].close(freed);
    var data = MessageBuffer.range(ElementType.INT, new int[] {1}, 0, 1);
    assertThat(engines[0].send(freed, 1, 0, data, SendMode.STANDARD).isDone()).isTrue();
    assertThat(engines[1].hasMessage(freed, 0)).isFalse();
    first.begin(engines[0], 1);
    second.begin(engines[1], 0);

    engines[0].searchDeadlock(first.its());

    assertThat(first.failure().kind()).isEqualTo(ErrorClass.OTHER);
  }

  @Test
  void takesNoProbeForStuckWhoseMessageIsThere() {
    var wanted = new MatchKey(0, 1, 0);
    var probe = new MessageWait(engines[0], wanted);
    assertThat(probe.isStuck()).isTrue();

    Packet packet = () -> new int[] {1};
    engines[0].received(1, Envelope.of(Envelope.EAGER, ElementType.INT, wanted), packet);

    assertThat(probe.isStuck()).isFalse();
  }

  /** Memory of this JVM. */
  private record Shared(MemorySegment all) implements SharedSegment {

    @Override
    public byte[] details() {
      return new byte[0];
    }

    @Override
    public void await(MemorySegment word, int value) {
      Thread.yield(); // the caller looks again
    }

    @Override
    public void wake(MemorySegment word) {}

    @Override
    public void close() {}
  }

  /** A wait on a thread of its own. */
  private static final class MemoryWait {

    private final CompletableFuture<Its> made = new CompletableFuture<>();
    private @Nullable Thread thread;

    /** The wait, which its thread has made. */
    private static final class Its extends RankWait {
      private volatile int awaited;
      private volatile boolean isOver;
      private volatile @Nullable Failure failure;

      Its(int awaited) {
        this.awaited = awaited;
      }

      @Override
      protected boolean isOver() {
        return isOver || failure != null;
      }

      @Override
      protected boolean isStuck() {
        return !isOver();
      }

      @Override
      protected void addAwaited(BitSet ranks) {
        ranks.set(awaited);
      }

      @Override
      protected String describe() {
        return "memory";
      }

      @Override
      protected int context() {
        return COLLECTIVE;
      }

      @Override
      protected void fail(Failure why) {
        failure = why;
        wake();
      }
    }

    /** Begins to wait for what a rank does. */
    void begin(MessageEngine engine, int awaited) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    var its = new Its(awaited);
                    made.complete(its);
                    engine.await(its);
                  });
      Polling.until("the rank waits", () -> engine.waits().onlyStuck() != null);
    }

    Its its() {
      return made.join();
    }

    void awaits(int rank) {
      its().awaited = rank;
    }

    Failure failure() {
      var failure = its().failure;
      assertThat(failure).isNotNull();
      return failure;
    }

    void end() {
      if (thread != null) {
        its().isOver = true;
        its().wake();
      }
    }
  }

  /** Carries notices at once, on the sending thread. */
  private final class Direct extends SilentNetwork {

    private final int rank;

    Direct(int rank) {
      super(RANKS);
      this.rank = rank;
    }

    @Override
    public void send(int to, long tag, @Nullable Object value) {
      var before = beforeQuestion;
      beforeQuestion = () -> {};
      before.run();
      Packet packet = () -> value;
      engines[to].received(rank, tag, packet);
    }
  }
}
