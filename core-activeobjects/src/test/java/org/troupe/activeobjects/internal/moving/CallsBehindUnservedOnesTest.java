package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.LoggedCallers.note;
import static org.troupe.activeobjects.LoggedCallers.numbers;
import static org.troupe.activeobjects.LoggedCallers.served;
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
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.LoggedCallers.Clerk;
import org.troupe.activeobjects.LoggedCallers.Register;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Resumable;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * An object without a log leaves a call of a logged object unserved: that does not keep the later
 * one-way calls that were served.
 */
@Timeout(120)
class CallsBehindUnservedOnesTest {

  private static final String OPEN = "CallsBehindUnservedOnesTest";
  private static final int CALLS = 3_000;

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Passes over the calls that are to be answered with a count until a gate is open. */
  @Resumable
  public static class Selective extends Register implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest(each -> !each.isFor("count") || Cell.gate(OPEN).getCount() == 0);
      }
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private int untaken(Ref<Clerk> clerk, Ref<Selective> register) {
    var caller = Reference.require(clerk.stub()).target().number();
    var called = Reference.require(register.stub()).target();
    var body = (LoggedBody) grid.member(0).node().objects().body(caller);
    return body.log().untaken(new ObjectIdentity(called.birth(), "", called.number())).size();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areForgottenWhenTheyWereServed(boolean hasMoved) {
    var register = ActiveObjects.ref(ActiveObjects.on(grid.get(1)).create(Selective.class));
    var clerk = LoggedCallers.kept(Clerk.class, grid.get(0), folder.resolve("store"));
    var stub = register.stub();
    valueOf(clerk.tell(each -> each.askAll(stub, CALLS, 1)), "a call that is passed over");
    note(clerk, register, 0, CALLS);
    if (hasMoved) {
      valueOf(register.move(grid.get(2).id()), "a move");
      note(clerk, register, CALLS + 1, 1);
    }

    Waits.until(() -> untaken(clerk, register) == 1, "the reports of the calls behind that one");

    grid.kill(0);
    Cell.gate(OPEN).countDown();
    assertThat(served(clerk, register)).containsAll(numbers(CALLS + 1)).doesNotHaveDuplicates();
  }
}
