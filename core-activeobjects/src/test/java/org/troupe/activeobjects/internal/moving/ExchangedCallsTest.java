package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.valueOf;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Calls in exchanges with the host of an object that has moved. */
@Timeout(120)
class ExchangedCallsTest {

  private static final String GATE = "ExchangedCallsTest";

  private final FaultyTransport transport = new FaultyTransport();
  private InProcessGrid grid;
  private Ref<Traveller> ref;

  /** Records its calls. */
  public static class Traveller {
    private final List<Integer> served = new ArrayList<>();

    public int count(int number) {
      served.add(number);
      return number;
    }

    public double sum(double[] values) {
      return Arrays.stream(values).sum();
    }

    public void waitAt(String gate) {
      Cell.gate(gate + " is reached").countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    /** Moves without the knowledge of the caller. */
    public CompletableFuture<Void> goTo(NodeId node) {
      return ActiveObjects.self(Traveller.class).move(node);
    }

    public List<Integer> served() {
      return List.copyOf(served);
    }
  }

  /**
   * Lets an object move from node 0 to node 1, and the callers of this node take the direct way.
   */
  @BeforeEach
  void settle() {
    grid = InProcessGrid.start(3, transport);
    ref = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Traveller.class));
    assertThat(ref.stub().count(0)).isEqualTo(0);
    valueOf(ref.move(node(1)), "the move");
    assertThat(ref.stub().count(1)).isEqualTo(1); // it is forwarded
    Waits.until(() -> ref.node().equals(node(1)), "the direct way");
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private NodeId node(int index) {
    return grid.get(index).id();
  }

  private static <T> CompletableFuture<T> started(boolean isVirtual, Callable<T> call) {
    return isVirtual ? onVirtualThread(call) : onPlatformThread(call);
  }

  private List<Integer> served() {
    return valueOf(ref.ask(Traveller::served), "the calls");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areThoseThatWait(boolean isVirtual) {
    var before = transport.exchanges();

    var answer = valueOf(started(isVirtual, () -> ref.stub().count(2)), "the answer");

    assertThat(answer).isEqualTo(2);

    assertThat(transport.exchanges()).isEqualTo(before + 1);
    assertThat(served()).containsExactly(0, 1, 2);
  }

  @Test
  void takeLargeArrays() {
    var values = IntStream.range(0, 100_000).mapToDouble(each -> each).toArray();
    var before = transport.exchanges();

    var sum = valueOf(onPlatformThread(() -> ref.stub().sum(values)), "the sum");

    assertThat(sum).isEqualTo(99_999 * 50_000.0);

    assertThat(transport.exchanges()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STACK_OVERFLOWS_BEFORE", "MEMORY_RUNS_OUT_AFTER"}) // the caller hears of those
  void areServedOnceAndInOrderAfterAFault(FaultyTransport.Fault fault) {
    ref.tell(it -> it.count(2));
    transport.breakNextExchange(fault);

    var answer = valueOf(onPlatformThread(() -> ref.stub().count(3)), "the answer");

    assertThat(answer).isEqualTo(3);
    ref.tell(it -> it.count(4));

    assertThat(served()).containsExactly(0, 1, 2, 3, 4);
  }

  /** The call waits in the queue of the object, with which it goes along. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void followAnObjectThatLeavesAgain(boolean isVirtual) {
    var before = transport.exchanges();
    ref.tell(it -> it.waitAt(GATE));
    Waits.await(Cell.gate(GATE + " is reached"), "the call that is served");
    var call = started(isVirtual, () -> ref.stub().count(2));
    Waits.until(() -> transport.exchanges() > before, "the exchange");
    var move = ref.move(node(2));

    Cell.gate(GATE).countDown();

    assertThat(valueOf(call, "the answer")).isEqualTo(2);
    valueOf(move, "the move");
    assertThat(served()).containsExactly(0, 1, 2);
  }

  /** The former host forwards the call, and ends the exchange with the news of the move. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellTheCallerOfAMove(boolean isVirtual) {
    valueOf(ref.stub().goTo(node(2)), "the move");
    var before = transport.exchanges();

    var answer = valueOf(started(isVirtual, () -> ref.stub().count(2)), "the answer");

    assertThat(answer).isEqualTo(2);
    assertThat(transport.exchanges()).isEqualTo(before + 1);
    Waits.until(() -> ref.node().equals(node(2)), "the news of the move");
    assertThat(served()).containsExactly(0, 1, 2);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STACK_OVERFLOWS_BEFORE", "MEMORY_RUNS_OUT_AFTER"}) // the caller hears of those
  void areForwardedOnceAndInOrderAfterAFault(FaultyTransport.Fault fault) {
    valueOf(ref.stub().goTo(node(2)), "the move");
    transport.breakNextExchange(fault);

    var answer = valueOf(onPlatformThread(() -> ref.stub().count(2)), "the answer");

    assertThat(answer).isEqualTo(2);
    ref.tell(it -> it.count(3));

    assertThat(served()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void areServedInOrderWhileTheObjectMoves() {
    var calls =
        onPlatformThread(
            () -> {
              for (var number = 2; number < 1_000; number++) {
                assertThat(ref.stub().count(number)).isEqualTo(number);
              }
              return true;
            });
    for (var moves = 0; moves < 12 || !calls.isDone(); moves++) {
      valueOf(ref.move(node(moves % 3)), "a move");
    }

    assertThat(valueOf(calls, "the calls")).isTrue();
    assertThat(served()).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
  }

  @Test
  void failWithTheHost() {
    var before = transport.exchanges();
    ref.tell(it -> it.waitAt(GATE));
    Waits.await(Cell.gate(GATE + " is reached"), "the call that is served");
    var call = onPlatformThread(() -> ref.stub().count(2));
    Waits.until(() -> transport.exchanges() > before, "the exchange");

    grid.kill(1);

    assertThat(failureOf(call, "the call")).isInstanceOf(NodeLostException.class);
  }
}
