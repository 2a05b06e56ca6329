package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Logged objects that are forgotten by those that they have called, after their ends. */
@Timeout(120)
class EndedCallersTest {

  private static final int CALLER = 0;
  private static final int SERVICE = 1;
  private static final int THIRD = 2;
  private static final int REQUESTS = 1_000;

  private static List<CountDownLatch> gates = List.of();
  private static List<CountDownLatch> entered = List.of();

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Keeps numbers. */
  public static class Service {
    private final List<Integer> numbers = new ArrayList<>();

    public void add(int number) {
      numbers.add(number);
    }

    /** Serves nothing else until a gate is open. */
    public void await(int gate) {
      entered.get(gate).countDown();
      Waits.await(gates.get(gate), "gate " + gate);
    }

    public void pass() {}

    @Immediate
    public int poll() {
      return 1;
    }

    public List<Integer> numbers() {
      return List.copyOf(numbers);
    }
  }

  /** Calls a service. */
  public static class Caller {
    public void call(Service service, int number) {
      service.add(number);
    }
  }

  /** Calls a service, and is not kept. */
  public static class Poller {
    public int poll(Service service) {
      return service.poll();
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failure -> {});
    gates = List.of(new CountDownLatch(1), new CountDownLatch(1));
    entered = List.of(new CountDownLatch(1), new CountDownLatch(1));
    grid = InProcessGrid.start(4);
  }

  @AfterEach
  void end() {
    gates.forEach(CountDownLatch::countDown);
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private <T> Ref<T> kept(Class<T> type, int node) {
    return LoggedCallers.kept(type, grid.get(node), folder);
  }

  private static ObjectIdentity identity(Ref<?> object) {
    var target = Reference.require(object.stub()).target();
    return new ObjectIdentity(target.birth(), "", target.number());
  }

  private EndedCallers endedCallers() {
    return grid.member(CALLER).node().moved().endedCallers();
  }

  private MovedObject known(Ref<Service> service) {
    var moved = grid.member(CALLER).node().moved();
    return Objects.requireNonNull(moved.objectIfKnown(identity(service)), "the service");
  }

  /**
   * The second copy of a call is in the queue while the first one is reported as taken, and the
   * service makes an image between the two.
   */
  @Test
  void aCallThatWasSentAgainIsNotServedAgainAfterTheEndOfItsCaller() {
    var service = kept(Service.class, SERVICE);
    var caller = kept(Caller.class, CALLER);
    var origin = new CallOrigin.Logged(identity(caller));
    var poller = ActiveObjects.ref(ActiveObjects.on(grid.get(CALLER)).create(Poller.class));
    service.stub().await(0);
    Waits.await(entered.getFirst(), "the first gate");
    valueOf(caller.tell(it -> it.call(service.stub(), 7)), "a call");
    valueOf(poller.ask(it -> it.poll(service.stub())), "the arrival of the call");
    service.stub().await(1);
    for (var i = 0; i < REQUESTS; i++) { // long enough for the image to be made among them
      service.stub().pass();
    }

    grid.kill(THIRD);
    Waits.until(() -> known(service).hasSentAgain(origin), "the second copy of the call");
    valueOf(poller.ask(it -> it.poll(service.stub())), "the arrival of the second copy");
    valueOf(caller.terminate(), "the end of the caller");
    gates.getFirst().countDown();
    Waits.await(entered.getLast(), "the second gate");
    Waits.until(() -> endedCallers().size() == 0, "the report that the call was taken");
    valueOf(poller.ask(it -> it.poll(service.stub())), "the arrival of news");
    var image = service.checkpoint();
    gates.getLast().countDown();
    valueOf(image, "an image");

    assertThat(valueOf(service.ask(Service::numbers), "the numbers")).containsExactly(7);
  }

  /** The calls are in the queue of an object of the same node, and follow it when it has moved. */
  @Test
  void callsThatFollowAnObjectFromTheNodeOfTheirCallerAreServedOnce() {
    var service = kept(Service.class, CALLER);
    var caller = kept(Caller.class, CALLER);
    service.stub().await(0);
    Waits.await(entered.getFirst(), "the first gate");
    for (var i = 0; i < 3; i++) {
      var number = i;
      valueOf(caller.tell(it -> it.call(service.stub(), number)), "a call");
    }
    valueOf(caller.terminate(), "the end of the caller");
    assertThat(endedCallers().size()).isEqualTo(1);
    var move = service.move(grid.get(SERVICE).id());
    gates.getFirst().countDown();
    valueOf(move, "the move");
    grid.kill(THIRD); // calls are sent again that are kept
    valueOf(service.checkpoint(), "an image");
    assertThat(valueOf(service.ask(Service::numbers), "the numbers")).containsExactly(0, 1, 2);
    Waits.until(() -> endedCallers().size() == 0, "the report that the calls were taken");
    valueOf(service.checkpoint(), "an image");
    grid.kill(SERVICE);
    assertThat(valueOf(service.ask(Service::numbers), "the numbers")).containsExactly(0, 1, 2);
  }

  /** Such calls have no names, so no report of them ever comes. */
  @Test
  void callsToAnObjectWithoutALogOfTheSameNodeKeepNoEndedCaller() {
    var service = ActiveObjects.ref(ActiveObjects.on(grid.get(CALLER)).create(Service.class));
    var caller = kept(Caller.class, CALLER);
    valueOf(caller.tell(it -> it.call(service.stub(), 7)), "a call");
    assertThat(valueOf(service.ask(Service::numbers), "the numbers")).containsExactly(7);
    valueOf(caller.terminate(), "the end of the caller");
    Waits.until(() -> endedCallers().size() == 0, "the end of the wait for reports");
  }
}
