package org.troupe.activeobjects.internal.mobility;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The arrivals of objects that have left a node together. */
@Timeout(60)
class ArrivalsTest {

  private static final NodeId HOST = new NodeId("host", 1);
  private static final NodeId OTHER = new NodeId("other", 2);
  private static final long LONG = Duration.ofHours(1).toNanos();

  private final List<Integer> sizes = new ArrayList<>(); // of the questions
  private final List<CompletableFuture<Void>> answers = new ArrayList<>();
  private final Arrivals arrivals =
      new Arrivals(
          (host, objects) -> {
            sizes.add(objects.size());
            var answer = new CompletableFuture<Void>();
            answers.add(answer);
            return answer;
          });

  private void add(NodeId host, int objects) {
    for (var i = 0; i < objects; i++) {
      arrivals.add(host, new ObjectEpoch(new ObjectIdentity(OTHER, "", i), 1));
    }
  }

  @Test
  void manyAreAskedForInOneQuestion() throws InterruptedException {
    add(HOST, Arrivals.AT_ONCE + 1);
    assertThat(sizes).containsExactly(Arrivals.AT_ONCE);
    answers.getFirst().complete(null);
    assertThat(arrivals.await(System.nanoTime(), LONG)).containsExactly(HOST);
    assertThat(sizes).containsExactly(Arrivals.AT_ONCE, 1);
  }

  @Test
  void aNodeThatDoesNotAnswerEndsTheWaitAtItsTime() throws InterruptedException {
    add(HOST, 1);
    add(OTHER, 1);
    assertThat(arrivals.await(System.nanoTime(), LONG)).containsExactlyInAnyOrder(HOST, OTHER);
    assertThat(arrivals.await(System.nanoTime() + LONG, 1)).hasSize(2);
  }

  @Test
  void theLossOfANodeEndsTheWait() throws InterruptedException {
    add(HOST, Arrivals.AT_ONCE);
    answers.getFirst().completeExceptionally(new NodeLostException("the host is lost"));
    assertThat(arrivals.await(System.nanoTime() + LONG, LONG)).isEmpty();
  }
}
