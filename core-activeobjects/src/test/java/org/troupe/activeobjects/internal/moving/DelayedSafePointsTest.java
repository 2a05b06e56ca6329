package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** A move that finds no safe point names the requests that have prevented it. */
@Timeout(120)
class DelayedSafePointsTest {

  private static final String GATE = "safe point";

  private InProcessGrid grid;

  /** Serves requests until a gate is open. */
  public static class Walker {
    public int walk(String gate) {
      return wait(gate);
    }

    @Immediate
    public int look(String gate) {
      return wait(gate);
    }

    private static int wait(String gate) {
      Cell.gate("at " + gate).countDown();
      Waits.await(Cell.gate(gate), "the gate");
      return 1;
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private Ref<Walker> walker() {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Walker.class));
  }

  private void isRefused(Ref<Walker> ref, CompletableFuture<Integer> running, String why) {
    Waits.await(Cell.gate("at " + GATE), "the begin of the request");
    assertThatThrownBy(() -> ref.move(grid.get(1).id(), Duration.ofMillis(50)).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining(why + " after PT0.05S; let them end, or move with more patience");
    Cell.gate(GATE).countDown();
    valueOf(running, "the request");
  }

  @Test
  void theRequestOfTheQueueIsNamed() {
    var ref = walker();
    isRefused(ref, ref.ask(it -> it.walk(GATE)), ": Walker.walk(String) was still running");
  }

  @Test
  void aRequestBesideTheQueueIsNamed() {
    var ref = walker();
    isRefused(
        ref,
        ref.ask(it -> it.look(GATE)),
        ": 1 of its requests were still running beside its queue (Walker.look(String))");
  }
}
