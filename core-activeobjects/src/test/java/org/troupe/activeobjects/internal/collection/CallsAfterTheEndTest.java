package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Calls to an object that has moved and ended fail with the same reason for ever. */
@Timeout(120)
class CallsAfterTheEndTest {

  /** Fails when it is told to. */
  public static class Climber implements LifeCycle {

    @Override
    public void arrived() {
      CollectedGrid.register("climber", this);
    }

    public int fall() {
      throw new StackOverflowError("a fault of the test");
    }

    public int height() {
      return 1;
    }
  }

  @Test
  void aCallNamesTheReasonAfterTheBodyWasCollected(LogRecords records) {
    records.allow(System.Logger.Level.WARNING, "has failed");
    try (var grid = InProcessGrid.start(2)) {
      var ref = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Climber.class));
      valueOf(ref.move(grid.get(1).id()), "the move");
      assertThat(failureOf(ref.ask(Climber::fall), "the fall"))
          .isInstanceOf(StackOverflowError.class);
      assertThat(valueOf(ref.end(), "the end").how()).isEqualTo(End.How.FAILED);
      assertThat(CollectedGrid.eventually(grid, () -> CollectedGrid.isGone("climber"))).isTrue();

      assertThat(failureOf(ref.ask(Climber::height), "a call after the end"))
          .isInstanceOf(ObjectTerminatedException.class)
          .hasMessageContaining("has failed: ")
          .hasMessageContaining("a fault of the test");
    }
  }
}
