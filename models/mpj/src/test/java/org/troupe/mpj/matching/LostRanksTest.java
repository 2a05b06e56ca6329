package org.troupe.mpj.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;

/** Receives of a rank when others are lost. */
class LostRanksTest {

  private static final int ALL = 0; // the context of all four ranks
  private static final int PAIR = 4; // that of the first two
  private static final int TAG = 5;

  private final MessageEngine engine = new MessageEngine(0, new SilentNetwork(4));

  LostRanksTest() {
    engine.open(ALL, new int[] {0, 1, 2, 3});
    engine.open(PAIR, new int[] {0, 1});
  }

  @Test
  void tellReceivesFromAnyRankOnceForEachRank() {
    var first = receive(ALL, MessageEngine.ANY);
    engine.lost(List.of(2, 3), "the node died");
    assertFailure(first, "rank 2 is lost: the node died");

    assertFailure(receive(ALL, MessageEngine.ANY), "rank 3 is lost: the node died");

    var third = receive(ALL, MessageEngine.ANY);
    assertThat(third.isDone()).isFalse();
    engine.lost(List.of(2), "the node is gone, too"); // known
    assertThat(third.isDone()).isFalse();

    Packet packet = () -> new int[] {7};
    var key = new MatchKey(ALL, 1, TAG);
    engine.received(1, Envelope.of(Envelope.EAGER, ElementType.INT, key), packet);
    assertThat(third.isDone()).isTrue();
    assertThat(third.completion().failure()).isNull();
    assertThat(third.completion().source()).isEqualTo(1);
  }

  @Test
  void areNamedToTheReceivesThatNeedThem() {
    var of3 = receive(ALL, 3);
    var of2 = receive(ALL, 2);
    var of1 = receive(ALL, 1);
    engine.lost(List.of(2, 3), "the node died");

    assertFailure(of3, "rank 3");
    assertFailure(of2, "rank 2");
    assertThat(of1.isDone()).isFalse();
  }

  @Test
  void doNotConcernCommunicatorsOfOthers() {
    var any = receive(PAIR, MessageEngine.ANY);
    engine.lost(List.of(2), "the node died");

    assertThat(any.isDone()).isFalse();
    assertThat(receive(PAIR, MessageEngine.ANY).isDone()).isFalse();
    assertThat(engine.hopeless(PAIR)).isNull();
    assertThat(engine.hopeless(ALL)).isNotNull();
    assertFailure(receive(ALL, MessageEngine.ANY), "rank 2");
  }

  private MessageOperation receive(int context, int source) {
    return engine.receive(
        context, source, TAG, MessageBuffer.range(ElementType.INT, new int[1], 0, 1));
  }

  private static void assertFailure(MessageOperation operation, String words) {
    assertThat(operation.isDone()).isTrue();
    var failure = operation.completion().failure();
    assertThat(failure).isNotNull();
    assertThat(failure.kind()).isEqualTo(ErrorClass.PROC_FAILED);
    assertThat(failure.sentence()).contains(words);
  }
}
