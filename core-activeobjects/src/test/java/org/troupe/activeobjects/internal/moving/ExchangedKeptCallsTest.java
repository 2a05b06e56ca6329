package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Calls in exchanges with the host of an object that outlives its node with its calls. */
@Timeout(120)
class ExchangedKeptCallsTest {

  private static final String GATE = "ExchangedKeptCallsTest";
  private static final int LENGTH = 100_000; // of an array that is sent beside the call

  private final FaultyTransport transport = new FaultyTransport();
  @TempDir private Path folder;
  private InProcessGrid grid;
  private Ref<Register> ref;

  /** Records its calls. */
  public static class Register {
    private final List<Integer> served = new ArrayList<>();

    public int count(int number) {
      served.add(number);
      return number;
    }

    public int countBehind(String gate, int number) {
      Cell.gate(gate + " is reached").countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
      return count(number);
    }

    public double sum(double[] values) {
      return Arrays.stream(values).sum();
    }

    public List<Integer> served() {
      return List.copyOf(served);
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    grid = InProcessGrid.start(3, transport);
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder.resolve("store"))))
            .withRestart(Restart.elsewhere());
    ref = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Register.class));
    assertThat(ref.stub().count(0)).isEqualTo(0);
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private static <T> CompletableFuture<T> started(boolean isVirtual, Callable<T> call) {
    return isVirtual ? onVirtualThread(call) : onPlatformThread(call);
  }

  private List<Integer> served() {
    return valueOf(ref.ask(Register::served), "the calls");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areThoseThatWait(boolean isVirtual) {
    var before = transport.exchanges();

    var answer = valueOf(started(isVirtual, () -> ref.stub().count(1)), "the answer");

    assertThat(answer).isEqualTo(1);
    assertThat(transport.exchanges()).isEqualTo(before + 1);
    assertThat(served()).containsExactly(0, 1);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STACK_OVERFLOWS_BEFORE", "MEMORY_RUNS_OUT_AFTER"}) // the caller hears of those
  void areServedOnceAndInOrderAfterAFault(FaultyTransport.Fault fault) {
    ref.tell(it -> it.count(1));
    transport.breakNextExchange(fault);

    var answer = valueOf(onPlatformThread(() -> ref.stub().count(2)), "the answer");

    assertThat(answer).isEqualTo(2);
    ref.tell(it -> it.count(3));

    assertThat(served()).containsExactly(0, 1, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areAnsweredAfterTheLossOfTheHost(boolean isVirtual) {
    var before = transport.exchanges();
    var call = started(isVirtual, () -> ref.stub().countBehind(GATE, 1));
    Waits.await(Cell.gate(GATE + " is reached"), "the call that is served");
    assertThat(transport.exchanges()).isEqualTo(before + 1);

    grid.kill(0);
    Cell.gate(GATE).countDown();

    assertThat(valueOf(call, "the answer")).isEqualTo(1);
    assertThat(served()).containsExactly(0, 1);
  }

  /** The caller waits in the exchange; its array goes along when the call is sent again. */
  @Test
  void takeTheirArraysAlongAfterTheLossOfTheHost() {
    ref.tell(it -> it.countBehind(GATE, 1));
    Waits.await(Cell.gate(GATE + " is reached"), "the call that is served");
    var before = transport.exchanges();
    var values = IntStream.range(0, LENGTH).mapToDouble(each -> each).toArray();
    var sum = onPlatformThread(() -> ref.stub().sum(values));
    Waits.until(() -> transport.exchanges() > before, "the exchange");

    grid.kill(0);
    Cell.gate(GATE).countDown();

    assertThat(valueOf(sum, "the sum")).isEqualTo((LENGTH - 1) * (LENGTH / 2.0));
  }

  @Test
  void areServedInOrderWhileTheObjectMoves() {
    var calls =
        onPlatformThread(
            () -> {
              for (var number = 1; number < 300; number++) {
                assertThat(ref.stub().count(number)).isEqualTo(number);
              }
              return true;
            });
    for (var moves = 1; moves < 7 || !calls.isDone(); moves++) {
      valueOf(ref.move(grid.get(moves % 3).id()), "a move");
    }

    assertThat(valueOf(calls, "the calls")).isTrue();
    assertThat(served()).isEqualTo(IntStream.range(0, 300).boxed().toList());
  }
}
