package org.troupe.activeobjects.internal.membership;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Tests gates that hold the requests of an object. */
@Timeout(60)
class RequestGatesTest {

  private final InProcessGrid grid = InProcessGrid.start(3);

  @AfterEach
  void end() {
    grid.close();
  }

  private <T> T on(int node, Class<T> type) {
    return node == 0
        ? ActiveObjects.here().create(type)
        : ActiveObjects.on(grid.get(node - 1)).create(type);
  }

  /** Serves only requests that a gate admits, until the gate is released. */
  public static class Held {
    static volatile RequestGate hold;
    private final List<String> served = Collections.synchronizedList(new ArrayList<>());

    public void hold() {
      hold = Collectives.current().holdRequests(request -> request.isFor("admitted"));
    }

    /** Adds gates and releases all but one of them. */
    public void holdByOneOf(int gates, int kept) {
      var all =
          IntStream.range(0, gates)
              .mapToObj(_ -> Collectives.current().holdRequests(each -> each.isFor("admitted")))
              .toList();
      hold = all.get(kept);
      for (var each : all) {
        each.changed();
        if (each != hold) {
          each.release();
          each.release();
        }
      }
    }

    public void admitted(int number) {
      served.add("admitted " + number);
    }

    public void other(int number) {
      served.add("other " + number);
    }

    public void release() {
      hold.release();
    }

    public List<String> served() {
      return List.copyOf(served);
    }

    @Immediate
    public List<String> servedNow() {
      return served();
    }
  }

  /** Calls an object with a gate. */
  public static class Caller {
    public void other(Held held, int number) {
      held.other(number);
    }

    public void admitted(Held held, int number) {
      held.admitted(number);
    }
  }

  /** A gated object that serves compatible requests concurrently. */
  public static class HeldConcurrently extends Held {
    @Override
    @Concurrent("a")
    public void admitted(int number) {
      super.admitted(number);
    }
  }

  /** A gated object with a service loop of its own. */
  public static class HeldInALoop extends Held implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.serveOldest()) {
        // until it ends
      }
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Held.class, HeldConcurrently.class, HeldInALoop.class})
  void holdsRequestsWithoutAThread(Class<? extends Held> type) {
    for (var node = 0; node < 2; node++) {
      var held = on(node, type);
      var ref = ActiveObjects.ref(held);
      held.other(0);
      held.hold();
      held.other(1);
      held.admitted(1);
      held.other(2);
      held.admitted(2);
      var second = ref.tell(h -> h.admitted(3));
      var last = ref.tell(h -> h.other(3));
      valueOf(second, "an admitted call");
      assertThat(last).isNotDone();
      Held.hold.release();
      valueOf(last, "a call that was held");

      var served = held.served();
      assertThat(served).hasSize(7).startsWith("other 0").endsWith("other 1", "other 2", "other 3");
      if (type != HeldConcurrently.class) { // whose admitted requests may overtake each other
        assertThat(served.subList(1, 4)).containsExactly("admitted 1", "admitted 2", "admitted 3");
      }
      valueOf(ref.terminate(), "its end");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Held.class, HeldConcurrently.class, HeldInALoop.class})
  void holdsRequestsByTheGatesThatRemainWhenTheNextIsChosen(Class<? extends Held> type) {
    var ref = ActiveObjects.ref(on(0, type));
    for (var gates = 1; gates <= 3; gates++) {
      for (var kept = 0; kept < gates; kept++) {
        var number = 10 * gates + kept;
        var all = gates;
        var one = kept;
        ref.tell(h -> h.holdByOneOf(all, one)).join();
        var held = ref.tell(h -> h.other(number));
        valueOf(ref.tell(h -> h.admitted(number)), "an admitted call");
        assertThat(held).isNotDone();
        Held.hold.release();
        valueOf(held, "a call that was held");
      }
    }
  }

  @Test
  void holdsAndReleasesInAnyRaceWithSenders() {
    var held = ActiveObjects.here().create(Held.class);
    var ref = ActiveObjects.ref(held);
    for (var round = 0; round < 300; round++) {
      ref.tell(Held::hold).join();
      var number = round;
      var releasing =
          onVirtualThread(
              () -> {
                Held.hold.release();
                return null;
              });
      held.other(number);
      valueOf(ref.tell(h -> h.other(number)), "a call in a race with its release");
      valueOf(releasing, "the release");
    }
    assertThat(held.served()).hasSize(600);
  }

  @ParameterizedTest
  @ValueSource(classes = {Held.class, HeldConcurrently.class, HeldInALoop.class})
  void whatWasHeldKeepsItsOrderHoweverItIsReleased(Class<? extends Held> type) {
    var held = on(0, type);
    var ref = ActiveObjects.ref(held);
    var number = 0;
    for (var round = 0; round < 300; round++) {
      ref.tell(Held::hold).join();
      for (var i = 0; i < 20; i++) {
        held.other(number++);
      }
      var seen = ref.tell(h -> h.admitted(0)); // offers all waiting requests to the gate
      Held.hold.release();
      valueOf(seen, "an admitted call");
    }
    assertThat(held.served().stream().filter(each -> each.startsWith("other")))
        .containsExactlyElementsOf(
            IntStream.range(0, number).mapToObj(each -> "other " + each).toList());
    valueOf(ref.terminate(), "its end");
  }

  /** Counts the questions to its gate. */
  public static class Counted extends Held {
    static final AtomicLong asked = new AtomicLong();

    @Override
    public void hold() {
      hold =
          Collectives.current()
              .holdRequests(
                  request -> {
                    asked.incrementAndGet();
                    return request.isFor("admitted");
                  });
    }
  }

  @Test
  void aHeldRequestIsOfferedOnce() {
    var held = ActiveObjects.here().create(Counted.class);
    var ref = ActiveObjects.ref(held);
    ref.tell(Held::hold).join();
    Counted.asked.set(0);
    for (var i = 0; i < 200; i++) {
      held.other(i);
      ref.tell(h -> h.admitted(0)).join();
    }
    assertThat(Counted.asked.get()).isEqualTo(400);
    Held.hold.release();
    assertThat(held.served()).hasSize(400).endsWith("other 198", "other 199");
  }

  @ParameterizedTest
  @ValueSource(classes = {Held.class, HeldConcurrently.class})
  void theEndPassesNothingThatIsHeld(Class<? extends Held> type) {
    Held held = ActiveObjects.here().create(type);
    var ref = ActiveObjects.ref(held);
    ref.tell(Held::hold).join();
    var before = ref.tell(h -> h.other(1));
    var end = ref.terminate();
    ref.tell(h -> h.admitted(1)).join();
    assertThat(end).isNotDone();
    Held.hold.release();
    valueOf(before, "a call before the end");
    valueOf(end, "its end");

    Held idle = ActiveObjects.here().create(type);
    ActiveObjects.ref(idle).tell(Held::hold).join();
    valueOf(ActiveObjects.ref(idle).terminate(), "the end of one that holds nothing");
  }

  @Test
  void theEndOfALoopStaysBehindHeldRequests() {
    Held held = ActiveObjects.here().create(HeldInALoop.class);
    var ref = ActiveObjects.ref(held);
    valueOf(ref.tell(Held::hold), "the hold");
    var before = ref.tell(h -> h.other(1));
    var end = ref.terminate();
    assertThat(failureOf(ref.tell(h -> h.admitted(1)), "a call after the end"))
        .isInstanceOf(ObjectTerminatedException.class);
    assertThat(before).isNotDone();
    Held.hold.release();
    valueOf(before, "a call before the end");
    valueOf(end, "its end");
  }

  @ParameterizedTest
  @ValueSource(classes = {Held.class, HeldConcurrently.class, HeldInALoop.class})
  void noCallPassesAMarkOfItsSenderThatIsStuckBehindAHeldOne(Class<? extends Held> type) {
    Held held = ActiveObjects.here().create(type);
    var caller = ActiveObjects.here().create(Caller.class);
    var ref = ActiveObjects.ref(held);
    var its = ActiveObjects.ref(caller);
    var seenByMark = new CompletableFuture<List<String>>();
    valueOf(ref.tell(Held::hold), "the hold");
    valueOf(its.tell(c -> c.other(held, 1)), "a call that is held");
    var keeps = new AtomicBoolean(true);
    Collectives.current()
        .runInTurn(ref, its, () -> seenByMark.complete(List.copyOf(held.servedNow())), keeps::get);
    valueOf(its.tell(c -> c.admitted(held, 2)), "a call behind the mark");
    valueOf(ref.tell(h -> h.admitted(9)), "a call of another, which looks at all before");
    assertThat(held.servedNow()).containsExactly("admitted 9");
    assertThat(seenByMark).isNotDone();

    Held.hold.release();

    assertThat(valueOf(seenByMark, "the mark")).doesNotContain("admitted 2");
    until(() -> held.servedNow().size() == 3, "the service of what was held");
    assertThat(held.servedNow()).containsExactly("admitted 9", "other 1", "admitted 2");

    valueOf(ref.tell(Held::hold), "another hold");
    valueOf(its.tell(c -> c.other(held, 3)), "a call that is held");
    var mark = new CompletableFuture<Void>();
    Collectives.current().runInTurn(ref, its, () -> mark.complete(null), keeps::get);
    valueOf(its.tell(c -> c.admitted(held, 4)), "a call behind the mark");
    valueOf(ref.tell(h -> h.admitted(9)), "a call of another, which looks at all before");
    assertThat(held.servedNow()).doesNotContain("admitted 4");
    keeps.set(false); // later requests may overtake it
    Held.hold.changed();
    until(() -> held.servedNow().contains("admitted 4"), "the service of what may pass the mark");
    assertThat(mark).isNotDone();
    Held.hold.release();
    valueOf(mark, "the mark");
    valueOf(ref.terminate(), "its end");
  }

  @Test
  void anObjectThatIsHeldCanBeEnded() {
    var held = ActiveObjects.here().create(Held.class);
    var ref = ActiveObjects.ref(held);
    held.hold();
    var never = ref.tell(h -> h.other(1));

    valueOf(ref.terminateNow(), "its end");

    assertThat(failureOf(never, "a call that was held"))
        .isInstanceOf(ObjectTerminatedException.class);
  }

  @ParameterizedTest
  @ValueSource(classes = {Held.class, HeldConcurrently.class, HeldInALoop.class})
  void anObjectThatIsHeldCanBeEndedWhateverServesIt(Class<? extends Held> type) {
    Held held = ActiveObjects.here().create(type);
    valueOf(ActiveObjects.ref(held).tell(Held::hold), "the hold");
    var never = ActiveObjects.ref(held).tell(h -> h.other(1));

    valueOf(ActiveObjects.ref(held).terminateNow(), "its end");

    assertThat(failureOf(never, "a call that was held"))
        .isInstanceOf(ObjectTerminatedException.class);
  }

  /** An object that ends while it offers requests to its gate. */
  public static class EndedByItsGate extends Held {
    static volatile Ref<EndedByItsGate> self;

    @Override
    public void hold() {
      Collectives.current()
          .holdRequests(
              request -> {
                self.terminateNow();
                return false;
              });
    }
  }

  @Test
  void anObjectIsEndedWhileItLooksForWhatMayBegin(LogRecords records) throws Exception {
    var held = ActiveObjects.here().create(EndedByItsGate.class);
    EndedByItsGate.self = ActiveObjects.ref(held);
    held.hold();
    held.other(1);

    valueOf(EndedByItsGate.self.end(), "its end");
    records.expect(WARNING, "EndedByItsGate.other(int)", "has been terminated");
  }
}
