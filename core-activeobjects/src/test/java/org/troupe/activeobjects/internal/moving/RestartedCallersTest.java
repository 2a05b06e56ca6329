package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.LoggedCallers.note;
import static org.troupe.activeobjects.LoggedCallers.numbers;
import static org.troupe.activeobjects.LoggedCallers.restartInPlace;
import static org.troupe.activeobjects.LoggedCallers.served;
import static org.troupe.activeobjects.LoggedCallers.waitAtGate;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.LoggedCallers.Clerk;
import org.troupe.activeobjects.LoggedCallers.Register;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * An object that is kept by its calls fails and is made again on its node, which does not send its
 * calls again. The called object has not taken them, and its node is lost after the caller has
 * moved.
 */
@Timeout(120)
class RestartedCallersTest {

  private static final int CALLS = 3;

  @TempDir private Path folder;
  private InProcessGrid grid;

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed");
    grid = InProcessGrid.start(3, new FaultyTransport());
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendTheCallsAgainWhereTheyHaveMoved(boolean areAwaited) {
    var register = LoggedCallers.kept(Register.class, grid.get(0), folder.resolve("store"));
    var clerk = LoggedCallers.kept(Clerk.class, grid.get(2), folder.resolve("store"));
    valueOf(clerk.move(grid.get(1).id()), "a move before the calls");
    waitAtGate(register);
    var stub = register.stub();
    if (areAwaited) {
      valueOf(clerk.tell(each -> each.askAll(stub, 0, CALLS)), "calls with answers");
    } else {
      note(clerk, register, 0, CALLS);
    }
    restartInPlace(clerk);
    valueOf(clerk.checkpoint(), "an image");
    valueOf(clerk.move(grid.get(2).id()), "a move behind the calls");

    LoggedCallers.loseAtGate(() -> grid.kill(0));
    LoggedCallers.openGate();

    note(clerk, register, CALLS, 1);
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS + 1));
  }
}
