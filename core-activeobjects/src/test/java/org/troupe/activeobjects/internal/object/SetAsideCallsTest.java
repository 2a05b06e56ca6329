package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.LoggedCallers.note;
import static org.troupe.activeobjects.LoggedCallers.served;
import static org.troupe.activeobjects.Waits.failureOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.LoggedCallers.Clerk;
import org.troupe.activeobjects.LoggedCallers.Register;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** The calls of a request that is set aside stay made, also if the node of the caller is lost. */
@Timeout(120)
class SetAsideCallsTest {

  private final FaultyTransport transport = new FaultyTransport();
  @TempDir private Path folder;
  private InProcessGrid grid;

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed");
    grid = InProcessGrid.start(3, transport);
  }

  @AfterEach
  void end() {
    transport.letThrough();
    grid.close();
  }

  private <T> Ref<T> kept(Class<T> type, int node) {
    return LoggedCallers.kept(type, grid.get(node), folder);
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void areSentAgain(boolean isCalledKept, boolean areOnTheirWay) {
    var register =
        isCalledKept
            ? kept(Register.class, 1)
            : ActiveObjects.ref(ActiveObjects.on(grid.get(1)).create(Register.class));
    var stub = register.stub();
    var caller = kept(Clerk.class, 0);
    note(caller, register, 0, 1);
    assertThat(served(caller, register)).containsExactly(0);
    if (areOnTheirWay) {
      transport.keep(1, 2); // from the first node to the second one
    }
    assertThat(failureOf(caller.ask(it -> it.noteAndFail(stub, 1)), "a failure"))
        .isInstanceOf(StackOverflowError.class);

    grid.kill(0);
    note(caller, register, 2, 1);
    transport.letThrough();

    assertThat(served(caller, register)).containsExactly(0, 1, 2);
  }
}
