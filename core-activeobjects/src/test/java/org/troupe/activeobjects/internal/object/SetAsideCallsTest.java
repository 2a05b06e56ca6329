package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** The calls of a request that is set aside stay made, also if the node of the caller is lost. */
@Timeout(120)
class SetAsideCallsTest {

  private final FaultyTransport transport = new FaultyTransport();
  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Records its calls. */
  public static class Register {
    private final List<Integer> served = new ArrayList<>();

    public void note(int number) {
      served.add(number);
    }

    public List<Integer> served() {
      return List.copyOf(served);
    }
  }

  /** Calls a register. */
  public static class Caller {
    public void note(Register register, int number) {
      register.note(number);
    }

    public int noteAndFail(Register register, int number) {
      register.note(number);
      throw new StackOverflowError("deep");
    }

    public List<Integer> served(Register register) {
      return register.served();
    }
  }

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
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder)))
            .withRestart(Restart.elsewhere());
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).with(options).create(type));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void areSentAgain(boolean isCalledKept, boolean areOnTheirWay) {
    var register =
        isCalledKept
            ? kept(Register.class, 1).stub()
            : ActiveObjects.on(grid.get(1)).create(Register.class);
    var caller = kept(Caller.class, 0);
    valueOf(caller.tell(it -> it.note(register, 0)), "a call");
    assertThat(served(caller, register)).containsExactly(0);
    if (areOnTheirWay) {
      transport.keep(1, 2); // from the first node to the second one
    }
    assertThat(failureOf(caller.ask(it -> it.noteAndFail(register, 1)), "a failure"))
        .isInstanceOf(StackOverflowError.class);

    grid.kill(0);
    valueOf(caller.tell(it -> it.note(register, 2)), "a later call");
    transport.letThrough();

    assertThat(served(caller, register)).containsExactly(0, 1, 2);
  }

  private static List<Integer> served(Ref<Caller> caller, Register register) {
    return valueOf(caller.ask(it -> it.served(register)), "the calls");
  }
}
