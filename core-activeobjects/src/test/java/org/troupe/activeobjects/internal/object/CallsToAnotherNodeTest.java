package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Cell.Note;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.internal.service.NodeService;
import org.troupe.futures.Futures;

@Timeout(60)
class CallsToAnotherNodeTest {

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(2, new FaultyTransport());
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private final Cell cell = cellOn(0);

  private static Cell cellOn(int node) {
    return ActiveObjects.on(grid.get(node)).create(Cell.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void haveEveryKindOfResult(boolean fromVirtualThread) {
    java.util.concurrent.Callable<List<Object>> calls =
        () -> {
          cell.add(3);
          cell.add(4);
          cell.set(new Note("a note"));
          cell.resolve("kept");
          return List.of(
              cell.sum(), cell.note().text(), cell.promise().join(), cell.received().toString());
        };

    var results = valueOf(fromVirtualThread ? onVirtualThread(calls) : onPlatformThread(calls), "");

    assertThat(results).isEqualTo(List.of(7, "a note", "kept", "[3, 4]"));
  }

  @Test
  void askTheObjectForItsText() {
    var note = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Note.class, "a note"));

    assertThat(valueOf(note.ask(Note::toString), "its text")).startsWith(Note.class.getName());
  }

  /** Waits at a gate, and says that its caller may be interrupted. */
  public static class Queue {
    public int take() throws InterruptedException {
      Waits.await(Cell.gate("queue"), "the gate");
      return 1;
    }
  }

  @Test
  void throwTheInterruptThatTheMethodDeclares() {
    var queue = ActiveObjects.on(grid.get(0)).create(Queue.class);
    var flag = new CompletableFuture<Boolean>();
    var failure = new CompletableFuture<Throwable>();
    var caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  failure.complete(catchThrowable(queue::take));
                  flag.complete(Thread.currentThread().isInterrupted());
                });
    caller.interrupt();

    assertThat(valueOf(failure, "the interrupt")).isInstanceOf(InterruptedException.class);
    assertThat(valueOf(flag, "the flag")).isFalse();
    Cell.gate("queue").countDown();
  }

  @Test
  void passCopies() {
    cell.set(new Note("a note"));

    assertThat(cell.note()).isNotSameAs(cell.note());
    assertThat(Futures.value(cell.nothing())).isNull();
  }

  /** Compares stubs on the node of one of them. */
  public static class Registry {
    private final Map<Object, String> names = new HashMap<>();

    public void name(Object stub, String name) {
      names.put(stub, name);
    }

    public String nameOf(Object stub) {
      return names.getOrDefault(stub, "unknown");
    }

    public int hashOf(Object stub) {
      return stub.hashCode();
    }
  }

  @Test
  void compareReferencesByIdentityOnEveryNode() {
    var registry = ActiveObjects.on(grid.get(0)).create(Registry.class);
    var elsewhere = ActiveObjects.on(grid.get(1)).create(Registry.class);
    var here = ActiveObjects.here().create(Cell.class);
    registry.name(cell, "on its node");
    registry.name(here, "of the caller's node");

    assertThat(registry.nameOf(cell)).isEqualTo("on its node");
    assertThat(registry.nameOf(here)).isEqualTo("of the caller's node");
    assertThat(registry.nameOf(cellOn(0))).isEqualTo("unknown");
    assertThat(List.of(registry.hashOf(cell), elsewhere.hashOf(cell)))
        .containsOnly(cell.hashCode());
    assertThat(List.of(registry.hashOf(here), elsewhere.hashOf(here)))
        .containsOnly(here.hashCode());
  }

  @Test
  void passStubsOfAThirdNodeAsReferences() {
    var third = cellOn(1);

    cell.setOther(third);
    cell.tellOther(5);
    assertThat(cell.sumOfOther()).isEqualTo(5);

    assertThat(third.sum()).isEqualTo(5);
    assertThat(cell.nodeOf(third)).isEqualTo("node-2");
  }

  @Test
  void passExplicitReferencesAsSuch() {
    var third = ActiveObjects.ref(cellOn(1));
    var here = ActiveObjects.ref(ActiveObjects.here().create(Cell.class));

    var returned = cell.same(List.of(third, here));

    assertThat(returned).isEqualTo(List.of(third, here));
    assertThat(third.node().name()).isEqualTo("node-2");
  }

  @Test
  void bringStubsHomeAsLocalReferencesEqualToTheOriginal() {
    var here = ActiveObjects.here().create(Cell.class);
    cell.setOther(here);

    var home = ActiveObjects.ref(Futures.value(cell.other()));

    assertThat(home).isEqualTo(ActiveObjects.ref(here));
    assertThat(((Reference<?>) home).target()).isInstanceOf(Reference.Target.Here.class);
    assertThat(Futures.value(cell.other())).isEqualTo(here).hasSameHashCodeAs(here);
    assertThat(cell.isEqual(here, here)).isTrue();
  }

  @Test
  void returnAnObjectsOwnThisAsItsReference() {
    assertThat(Futures.value(cell.self())).isEqualTo(cell);
    assertThat(cell.hold(new Note("n"), cell).cell()).isEqualTo(cell);
  }

  @Test
  void throwTheExceptionOfTheOtherNode() {
    assertThatThrownBy(() -> cell.failWith("wrong"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("wrong")
        .satisfies(
            failure -> {
              var methods =
                  List.of(failure.getStackTrace()).stream()
                      .map(frame -> frame.getMethodName())
                      .toList();
              assertThat(methods).contains("failWith", "throwTheExceptionOfTheOtherNode");
            });
    assertThatThrownBy(() -> cell.failChecked("checked"))
        .isInstanceOf(IOException.class)
        .hasMessage("checked");
    assertThatThrownBy(() -> cell.failing("later").text())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("later");
  }

  @Test
  void replaceAnExceptionThatCannotTravel() {
    assertThatThrownBy(() -> cell.failUnspeakablyWaiting("no words"))
        .isInstanceOf(RemoteFailure.class)
        .hasMessage(Cell.Unspeakable.class.getName() + ": no words")
        .hasCauseInstanceOf(RemoteFailure.class)
        .hasRootCauseMessage("java.io.IOException: its cause")
        .extracting(failure -> ((RemoteFailure) failure).type())
        .isEqualTo(Cell.Unspeakable.class.getName());
  }

  @Test
  void knowTheCaller() {
    var second = cellOn(1);
    cell.setOther(second);

    assertThat(cell.caller()).isEqualTo("nobody");
    assertThat(cell.callerSeenByOther()).isEqualTo("node-1 Cell");
    assertThat(cell.callersSumSeenByOther()).isEqualTo(42);
  }

  @Test
  void maybePendingByTheThousands() {
    cell.waitAt("thousands");
    List<CompletableFuture<Integer>> pending = new ArrayList<>();
    for (var i = 0; i < 10_000; i++) {
      var number = i;
      pending.add(ActiveObjects.ref(cell).ask(c -> c.addAndCount(number)));
    }

    Cell.gate("thousands").countDown();

    assertThat(pending.stream().map(each -> valueOf(each, "a count")))
        .isEqualTo(IntStream.rangeClosed(1, 10_000).boxed().toList());
    assertThat(cell.received()).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
  }

  @Test
  void areRefusedByAnObjectThatNeverExisted() {
    var known = (Reference<Cell>) ActiveObjects.ref(cell);
    var home = ((Reference.Target.Elsewhere) known.target()).home();
    var nobody =
        new Reference<>(
            NodeRuntime.main().objects(),
            ActiveType.of(Cell.class),
            new Reference.Target.Elsewhere(home, 987_654_321, 0),
            null);

    assertThatThrownBy(() -> nobody.stub().sum())
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("987654321")
        .hasMessageContaining("node-1");
    assertThat(failureOf(nobody.ask(Cell::sum), "the ask"))
        .isInstanceOf(ObjectTerminatedException.class);
    assertThat(valueOf(nobody.end(), "its end").how()).isEqualTo(End.How.TERMINATED);
  }

  @Test
  void endAnObjectFromAfar() {
    var ref = ActiveObjects.ref(cell);
    var end = ref.end();
    cell.add(1);
    var sum = ref.ask(Cell::sum);

    valueOf(ref.terminate(), "the termination");

    assertThat(valueOf(sum, "the call before")).isEqualTo(1);
    valueOf(end, "the end");
    assertThatThrownBy(cell::sum).isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void endAnObjectAtOnceFromAfar() {
    var ref = ActiveObjects.ref(cell);
    cell.waitAt("end at once");
    var unserved = ref.ask(Cell::sum);
    Waits.await(Cell.gate("at end at once"), "the object being busy");

    var end = ref.terminateNow();
    valueOf(ActiveObjects.ref(cellOn(0)).ask(Cell::sum), "a fence behind the order to end");
    Cell.gate("end at once").countDown();

    valueOf(end, "the end");
    assertThat(failureOf(unserved, "the call that waited"))
        .isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void areWithdrawnWhenGivenUpWhileQueued() {
    try (var quiet = InProcessGrid.start(1, new FaultyTransport())) {
      var busy = ActiveObjects.on(quiet.get(0)).create(Cell.class);
      var ref = ActiveObjects.ref(busy);
      busy.waitAt("withdrawn");
      var cancelled = ref.ask(c -> c.addAndCount(1));
      var late = ref.within(Duration.ofMillis(1)).ask(c -> c.addAndCount(2));
      var kept = ref.ask(c -> c.addAndCount(3));
      var there = quiet.member(0).node().peers().known(NodeRuntime.main().objects().id());

      cancelled.cancel(false);
      assertThat(failureOf(late, "the impatient call"))
          .isInstanceOf(CallTimeoutException.class)
          .hasMessageContaining("Cell.addAndCount");
      valueOf(ActiveObjects.ref(busy).tell(c -> c.sumAtOnce()), "a fence behind the calls");
      Waits.until(() -> there.openCount() == 1, "only one call being left to serve");
      Cell.gate("withdrawn").countDown();

      assertThat(valueOf(kept, "the kept call")).isEqualTo(1);
      assertThat(busy.received()).isEqualTo(List.of(3));
    }
  }

  @Test
  void findWhatIsRegisteredThere() {
    ActiveObjects.register(grid.get(0), "the cell", cell);

    assertThat(grid.get(0).lookup("the cell", Cell.class)).isEqualTo(cell);
    assertThatThrownBy(() -> grid.get(0).lookup("a cell", Cell.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the cell")
        .hasMessageContaining("node-1");
    assertThatThrownBy(() -> ActiveObjects.register(grid.get(0), "the cell", cell))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("taken");
  }

  @Test
  void refuseToFindAnObjectByATypeThatItHasNot() {
    ActiveObjects.register(grid.get(0), "no other", cell);
    var here = NodeRuntime.current();
    here.names().register("no other", Reference.behind(ActiveObjects.here().create(Cell.class)));

    assertThatThrownBy(() -> grid.get(0).lookup("no other", Other.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is an " + Cell.class.getName() + ", no " + Other.class.getName());
    assertThatThrownBy(() -> here.names().lookup("no other", Other.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is an " + Cell.class.getName());
  }

  /** What a cell is not. */
  public static class Other {
    public int sum() {
      return 0;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitForAFullQueueNoLongerThanTheirTime(boolean here) {
    var place = here ? ActiveObjects.here() : ActiveObjects.on(grid.get(0));
    var full = place.with(Options.STANDARD.withQueueBound(1)).create(Cell.class);
    var name = "full " + here;
    var served = ActiveObjects.ref(full).ask(c -> c.waitAndGive(name, 1));
    Waits.await(Cell.gate("at " + name), "the first request being served");
    var queued = ActiveObjects.ref(full).ask(c -> c.sum());

    var late = ActiveObjects.ref(full).within(Duration.ofMillis(50)).ask(Cell::sum);

    assertThat(failureOf(late, "the late call")).isInstanceOf(CallTimeoutException.class);
    assertThat(served).isNotDone();
    Cell.gate(name).countDown();
    assertThat(valueOf(queued, "the queued call")).isZero();
    assertThat(valueOf(ActiveObjects.ref(full).ask(Cell::sum), "the next call")).isZero();
  }

  @Test
  void registerAnObjectOfAThirdNode() {
    var third = cellOn(1);

    ActiveObjects.register(grid.get(0), "a third one", third);

    assertThat(grid.get(0).lookup("a third one", Cell.class)).isEqualTo(third);
  }

  @Test
  void reportWhatTheConstructorThrows() {
    var there = ActiveObjects.on(grid.get(0));

    assertThatThrownBy(() -> there.create(Cell.class, "broken"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
    assertThatThrownBy(() -> there.create(Cell.class, "checked: broken"))
        .isInstanceOf(RemoteFailure.class)
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("checked: broken");
    assertThatThrownBy(() -> there.create(Cell.class, 1, 2, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Cannot be an active object. */
  public static class Unsuitable {
    public final int sum() {
      return 1;
    }
  }

  @Test
  void refuseUnsuitableAndForeignClasses() {
    var there = ActiveObjects.on(grid.get(0));

    assertThatThrownBy(() -> there.create(Unsuitable.class))
        .isInstanceOf(UnsuitableClassException.class)
        .hasMessageContaining("sum()");
    var peer =
        ((Reference.Target.Elsewhere) ((Reference<Cell>) ActiveObjects.ref(cell)).target()).home();
    var foreign =
        new Reference<>(
                NodeRuntime.main().objects(),
                ActiveType.of(NodeService.class),
                new Reference.Target.Elsewhere(peer, NodeObjects.SERVICE_NUMBER, 0),
                null)
            .ask(
                service ->
                    service.create(
                        org.junit.jupiter.api.Assertions.class.getName(),
                        Options.STANDARD,
                        new Object[0]));
    assertThat(failureOf(foreign, "the creation"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not allowed");
  }

  @Test
  void turnACopyActive() {
    var original = new Cell();
    original.add(1);

    var copy = ActiveObjects.on(grid.get(0)).turnActive(original);
    original.add(2);

    assertThat(copy.sum()).isEqualTo(1);
    assertThat(ActiveObjects.ref(copy).node().name()).isEqualTo("node-1");
  }

  @Test
  void leaveNothingBehind() {
    cell.add(1);
    cell.sum();
    var peer =
        Peer.of(
            ((Reference.Target.Elsewhere) ((Reference<Cell>) ActiveObjects.ref(cell)).target())
                .home());

    Waits.until(() -> peer.openCount() == 0, "nothing owed any more");
  }
}
