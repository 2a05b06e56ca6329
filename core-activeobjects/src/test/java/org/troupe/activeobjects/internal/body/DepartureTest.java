package org.troupe.activeobjects.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.object.Reference;

/** The departure of an object from its body. */
@Timeout(120)
class DepartureTest {

  /** Waits when it is told to. */
  public static class Sleeper {
    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public boolean isIdle() {
      return true;
    }
  }

  @Test
  void theThreadThatLooksForTheSafePointServesNoRequests() {
    var sleeper = ActiveObjects.here().create(Sleeper.class);
    var body = bodyOf(sleeper);
    assertThat(sleeper.isIdle()).isTrue();
    Waits.until(() -> !body.hasServingThread(), "the end of the service");

    var departure =
        body.departures()
            .begin(
                begun -> {
                  sleeper.waitAt("held"); // is put into the queue
                  begun.cancel(); // as when the other node is lost at this moment
                });
    var looked = Waits.onVirtualThread(() -> looksIn(departure));
    valueOf(looked, "the return of the thread that looks");

    Cell.gate("held").countDown();
    assertThat(departure.isCancelled()).isTrue();
    assertThat(sleeper.isIdle()).as("serves on").isTrue();
  }

  private static boolean looksIn(Departure departure) {
    departure.checkHere();
    return true;
  }

  private static Body bodyOf(Object stub) {
    return Reference.require(stub).target() instanceof Reference.Target.Here(Body body)
        ? body
        : null;
  }
}
