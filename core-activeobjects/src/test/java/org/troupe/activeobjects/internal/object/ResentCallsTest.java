package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * A logged object that is made again sends a call again that a queue has accepted: the queue does
 * not refuse it then.
 */
@Timeout(120)
class ResentCallsTest {

  private static final String GATE = "ResentCallsTest";

  private final List<String> failures = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Serves its first call at a gate. */
  public static class Register {
    private volatile List<Integer> served = List.of();

    public int count(int number) {
      if (served.isEmpty()) {
        Cell.gate(GATE + " is reached").countDown();
        Waits.await(Cell.gate(GATE), "the gate");
      }
      served = Stream.concat(served.stream(), Stream.of(number)).toList();
      return number;
    }

    @Immediate
    public List<Integer> served() { // the queue may be full
      return served;
    }
  }

  /** Calls a register. */
  public static class Clerk {
    public int count(Register register, int number) {
      return register.count(number);
    }

    public int tell(Register register, int number) {
      ActiveObjects.ref(register).tell(each -> each.count(number));
      return number;
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failure -> failures.add(failure.toString()));
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areNotRefusedByAFullQueue(boolean isCalledKept) {
    var kept = Options.STANDARD.withKeep(Keep.calls(Store.directory(folder.resolve("store"))));
    var bounded = (isCalledKept ? kept : Options.STANDARD).withQueueBound(1).refusing();
    var register = ActiveObjects.on(grid.get(1)).with(bounded).create(Register.class);
    var restarted = kept.withRestart(Restart.elsewhere());
    var clerk =
        ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(restarted).create(Clerk.class));
    var answer = clerk.ask(each -> each.count(register, 1));
    Waits.await(Cell.gate(GATE + " is reached"), "the call");
    IntStream.of(1, 2)
        .mapToObj(each -> ActiveObjects.ref(ActiveObjects.on(grid.get(each)).create(Clerk.class)))
        .forEach(each -> valueOf(each.ask(other -> other.tell(register, 2)), "a full queue"));

    grid.kill(0);
    Waits.until(() -> answer.isDone() || waits(clerk), "the call, sent again");
    Cell.gate(GATE).countDown();

    assertThat((int) valueOf(answer, "the answer")).isEqualTo(1);
    Waits.until(() -> register.served().size() > 2, "all calls");
    assertThat(register.served()).containsExactly(1, 2, 2);
    assertThat(failures).isEmpty();
  }

  private boolean waits(Ref<Clerk> clerk) {
    var target = Reference.require(clerk.stub()).target();
    return IntStream.of(1, 2)
        .mapToObj(each -> grid.member(each).node().moved().here(target.birth(), target.number()))
        .anyMatch(body -> body != null && body.waitingFor != null);
  }
}
