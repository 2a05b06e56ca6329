package org.troupe.activeobjects.internal.membership;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
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
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.testing.LogRecords;

/** Tests multicasts, body extensions and request gates between nodes. */
@Timeout(60)
class MulticastTest {

  private final FaultyTransport transport = new FaultyTransport();
  private final InProcessGrid grid = InProcessGrid.start(3, transport);

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
    Place.gate = new CountDownLatch(0);
    transport.behave();
    transport.letThrough();
    grid.close();
  }

  /** Records its calls. */
  public static class Member {
    private final List<String> notes = new ArrayList<>();
    private int[] numbers;

    public void note(String text) {
      notes.add(text);
    }

    public void tell(Member other, String text) {
      note("got " + text);
      other.note(text);
    }

    public int keep(int[] values) {
      numbers = values;
      numbers[0]++;
      return numbers[0];
    }

    public List<String> notes() {
      return List.copyOf(notes);
    }

    public void fail() {
      throw new IllegalStateException("on purpose");
    }

    public void letTell(List<Ref<Member>> others, Member receiver, String text) {
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.tell(receiver, text);
                return null;
              },
              false)
          .post(others);
    }

    public void passOn(List<Ref<Member>> others, String text) {
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.note(text);
                return null;
              },
              false)
          .post(others);
    }
  }

  private Member on(int node) {
    return on(node, Member.class);
  }

  private <T> T on(int node, Class<T> type) {
    return node == 0
        ? ActiveObjects.here().create(type)
        : ActiveObjects.on(grid.get(node - 1)).create(type);
  }

  private List<Member> members(int... nodes) {
    return IntStream.of(nodes).mapToObj(this::on).toList();
  }

  private static List<Ref<Member>> refs(List<Member> members) {
    return members.stream().map(ActiveObjects::ref).toList();
  }

  private static GroupCall noting(String text) {
    return Collectives.current()
        .record(
            Member.class,
            m -> {
              m.note(text);
              return null;
            },
            false);
  }

  private static List<Object> values(List<FutureResult<Object>> results) {
    return results.stream().map(each -> valueOf(each.asCompletableFuture(), "a call")).toList();
  }

  @Test
  void reachesObjectsOfAllNodesAndKeepsTheirResultsApart() {
    var members = members(0, 1, 1, 2, 3, 1, 0);
    var array = new int[] {41, 2, 3};
    var large = new int[100_000];

    var results =
        Collectives.current()
            .record(Member.class, m -> m.keep(array), true)
            .ask(refs(members), true);
    var more =
        Collectives.current()
            .record(Member.class, m -> m.keep(large), true)
            .ask(refs(members), true);

    assertThat(values(results)).containsOnly(42).hasSize(7);
    assertThat(values(more)).as("each has an array of its own").containsOnly(1).hasSize(7);
    assertThat(array[0]).isEqualTo(41);
  }

  @Test
  void keepsTheOrderOfOneCallersCalls() {
    var members = members(0, 1, 2, 2);
    transport.misbehave(7);
    for (var i = 0; i < 100; i++) {
      noting("all " + i).post(refs(members));
      for (var member : members) {
        member.note("one " + i);
      }
    }
    transport.behave();

    for (var member : members) {
      var notes = member.notes();
      assertThat(notes).hasSize(200);
      for (var i = 0; i < 100; i++) {
        assertThat(notes.subList(2 * i, 2 * i + 2)).containsExactly("all " + i, "one " + i);
      }
    }
  }

  @Test
  void makesDifferentCallsAsOne() {
    var members = members(1, 2, 0);
    List<GroupCall> calls = List.of(noting("a"), noting("b"), noting("c"));

    Collectives.current().postEach(calls, refs(members));

    assertThat(members.stream().map(Member::notes))
        .containsExactly(List.of("a"), List.of("b"), List.of("c"));
  }

  @Test
  void reportsEachFailureToTheHandler() {
    var told = new ConcurrentLinkedQueue<FailureHandler.CallFailure>();
    ActiveObjects.onFailure(told::add);

    Collectives.current()
        .record(
            Member.class,
            m -> {
              m.fail();
              return null;
            },
            false)
        .post(refs(members(0, 1, 1, 2)));

    until(() -> told.size() == 4, "all four failures being told");
  }

  @Test
  void ofLostMembersFailsForThemAlone() {
    var members = members(1, 2, 2, 0);
    grid.kill(1);
    until(() -> !grid.get(1).isAlive(), "node 2 being known as dead");

    var results =
        Collectives.current()
            .record(Member.class, m -> m.keep(new int[1]), true)
            .ask(refs(members), true);

    assertThat(values(List.of(results.get(0), results.get(3)))).containsExactly(1, 1);
    for (var lost : results.subList(1, 3)) {
      assertThat(lost.await())
          .isInstanceOfSatisfying(
              Outcome.Failure.class,
              failure -> assertThat(failure.cause()).isInstanceOf(NodeLostException.class));
    }
  }

  // Order among the objects

  @Test
  void arrivesBeforeLaterCallsBetweenItsMembers() {
    var members = members(1, 2);
    members.forEach(Member::notes); // the nodes know each other
    members.get(0).tell(members.get(1), "hello");
    until(() -> members.get(1).notes().size() == 1, "the way between them being there");
    transport.keep(0, 2);
    var second = grid.member(1).node();

    Collectives.current()
        .record(
            Member.class,
            m -> {
              m.tell(members.get(1), "from the first");
              return null;
            },
            false)
        .post(List.of(ActiveObjects.ref(members.get(0)), ActiveObjects.ref(members.get(1))));
    until(
        () -> second.objects().order().isWaiting(), "the second node holding the first one's call");
    transport.letThrough();

    until(() -> members.get(1).notes().size() == 4, "all calls being there");
    assertThat(members.get(1).notes())
        .containsExactly("hello", "got from the first", "from the first", "from the first");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isInCausalOrderWhateverHappensOnTheWay(long seed) {
    var members = members(0, 1, 1, 2, 3);
    var refs = refs(members);
    transport.misbehave(seed);
    for (var i = 0; i < 40; i++) {
      var text = "call " + i;
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.tell(members.get(Math.floorMod(text.hashCode(), members.size())), text);
                return null;
              },
              false)
          .post(refs);
      var again = "again " + i;
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.passOn(refs, again);
                return null;
              },
              false)
          .post(List.of(refs.get(i % refs.size())));
    }
    transport.behave();
    var expected = 40 * members.size() * 2 + 40 * members.size();
    until(
        () -> members.stream().mapToInt(each -> each.notes().size()).sum() == expected,
        "all calls being there");

    for (var member : members) {
      var notes = member.notes();
      for (var i = 0; i < 40; i++) {
        var first = notes.indexOf("call " + i);
        assertThat(first == -1 || first > notes.indexOf("got call " + i))
            .as("%d in %s", i, notes)
            .isTrue();
      }
    }
  }

  @Test
  void arrivesAlsoBeforeTheGreetingOfItsSender() {
    var members = members(1, 2);
    transport.greetLate(1, 2);

    members.get(0).tell(members.get(1), "hello");

    until(() -> members.get(1).notes().size() == 1, "the call that came first");
  }

  @Test
  void ofALostOriginHoldsBackNoCall() {
    var members = members(1, 2);
    members.get(0).tell(members.get(1), "hello");
    until(() -> members.get(1).notes().size() == 1, "the way between them being there");
    var third = ActiveObjects.on(grid.get(2)).create(Member.class);
    third.tell(members.get(1), "I am here");
    until(() -> members.get(1).notes().size() == 2, "the second knowing the third");
    transport.keep(3, 2);
    var second = grid.member(1).node();

    ActiveObjects.ref(third).tell(t -> t.letTell(refs(members), members.get(1), "late")).join();
    until(
        () -> second.objects().order().isWaiting(), "the second node holding the first one's call");
    grid.kill(2);

    until(() -> members.get(1).notes().contains("late"), "the call being taken after all");
  }

  // Extensions

  /** An extension that records the packets it receives. */
  public static final class Place implements BodyExtension {
    static volatile CountDownLatch gate = new CountDownLatch(0);

    private static final ConcurrentLinkedQueue<String> ALL = new ConcurrentLinkedQueue<>();
    private static final ConcurrentLinkedQueue<Key> OVER = new ConcurrentLinkedQueue<>();

    private final Key key;

    Place(Key key) {
      this.key = key;
    }

    @Override
    public Key key() {
      return key;
    }

    @Override
    public void attached(Ref<?> self) {
      ALL.add(key.number() + " attached");
    }

    @Override
    public void received(int from, long tag, Packet packet) {
      Thread.startVirtualThread(
          () -> ALL.add(key.number() + " got " + text(packet.value()) + " " + from + " " + tag));
    }

    @Override
    public boolean isOver() {
      return OVER.contains(key);
    }

    private static String text(Object value) {
      return value instanceof double[] values ? "double[" + values.length + "]" : "" + value;
    }

    @Override
    public void lost(NodeId node, String reason) {
      ALL.add(key.number() + " lost " + node.name());
    }
  }

  /** An object that a test can occupy. */
  public static class Busy {
    public void pass() throws InterruptedException {
      Place.gate.await();
    }

    public void idle() {}

    public void meet(Busy other) {
      other.idle();
    }

    public int places() {
      return Collectives.current().extensionsOfCurrent(Place.class).size();
    }
  }

  @Test
  void deliversPacketsToExtensionsPastTheQueue() {
    var busy = List.of(on(0, Busy.class), on(1, Busy.class), on(2, Busy.class));
    var refs = busy.stream().map(ActiveObjects::ref).toList();
    var key = Collectives.current().newKey();
    var number = key.number();
    values(Collectives.current().attach(new Place(key), refs));
    assertThat(busy).allMatch(each -> each.places() == 1);
    Place.gate = new CountDownLatch(1);
    refs.forEach(each -> each.tell(b -> b.pass()));

    for (var ref : refs) {
      Collectives.current().send(ref, key, 3, 17, "text");
      Collectives.current().send(ref, key, 4, -1, new double[20_000]);
      Collectives.current().send(ref, key, 5, 0, new ArrayList<>(List.of(1.5)));
    }

    until(() -> count(number + " got text 3 17") == 3, "the texts");
    until(() -> count(number + " got double[20000] 4 -1") == 3, "the arrays");
    until(() -> count(number + " got [1.5] 5 0") == 3, "the lists");
    Place.gate.countDown();
    grid.kill(1);
    until(() -> count(number + " lost node-2") >= 2, "both others knowing of the loss");
  }

  @Test
  void keepsPacketsUntilTheExtensionIsAttached() {
    var ref = ActiveObjects.ref(on(1, Busy.class));
    var key = Collectives.current().newKey();
    Place.gate = new CountDownLatch(1);
    ref.tell(b -> b.pass());
    Collectives.current().send(ref, key, 1, 1, "early");
    var attached = Collectives.current().attach(new Place(key), List.of(ref));

    Place.gate.countDown();

    values(attached);
    until(() -> count(key.number() + " got early 1 1") == 1, "the early packet");
  }

  @Test
  void notifiesAnExtensionOfNodesThatAreLostAlready() {
    var key = Collectives.current().newKey();
    var doomed = on(2, Busy.class);
    var ref = ActiveObjects.ref(on(1, Busy.class));
    valueOf(ref.tell(b -> b.meet(doomed)), "node-1 knowing node-2");
    grid.kill(1);
    var peer = grid.member(0).node().peers().known(grid.get(1).id());
    until(peer::isLost, "the first node knowing of the loss");

    values(Collectives.current().attach(new Place(key), List.of(ref)));

    until(() -> count(key.number() + " lost node-2") >= 1, "the attachment knowing it too");
  }

  @Test
  void removesExtensionsThatAreOver() {
    var busy = on(0, Busy.class);
    var ref = List.of(ActiveObjects.ref(busy));
    var over = Collectives.current().newKey();
    values(Collectives.current().attach(new Place(over), ref));
    Place.OVER.add(over);
    values(Collectives.current().attach(new Place(Collectives.current().newKey()), ref));

    assertThat(busy.places()).isEqualTo(1);
  }

  @Test
  void removesTheSharedStateOfACallWithItsCaller() {
    var node = grid.member(0).node().objects();
    valueOf(ActiveObjects.ref(on(0, Busy.class)).tell(b -> b.meet(on(1, Busy.class))), "they met");
    var call = new BodyExtension.Key(grid.get(1).id().incarnation(), 1);
    var ours = new BodyExtension.Key(node.id().incarnation(), 1);
    assertThat(node.extensions().<String>shared(call, forgotten -> "first")).isEqualTo("first");
    assertThat(node.extensions().<String>shared(call, forgotten -> "second")).isEqualTo("first");
    node.extensions().<String>shared(ours, forgotten -> "ours");
    grid.kill(1);

    until(
        () -> node.extensions().<String>shared(call, forgotten -> "too late").equals("too late"),
        "what was in common being forgotten");
    assertThat(node.extensions().removeShared(call)).isNull();
    assertThat(node.extensions().removeShared(ours)).isEqualTo("ours");
  }

  private static long count(String text) {
    return Place.ALL.stream().filter(text::equals).count();
  }

  // Gates

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

  @Test
  void ofOneObjectMoreOftenThanItsQueueHasRoomIsRefused() {
    var narrow = ActiveObjects.here().with(Options.STANDARD.withQueueBound(1)).create(Member.class);
    var ref = ActiveObjects.ref(narrow);

    assertThatThrownBy(() -> noting("twice").post(List.of(ref, ref)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more often at once than its queue has room, which is 1");
    assertThat(narrow.notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void thatNeedRoomInTheSameQueuesDoNotWaitForEachOther(int node) {
    var narrow = Options.STANDARD.withQueueBound(1);
    var creation = node == 0 ? ActiveObjects.here() : ActiveObjects.on(grid.get(node - 1));
    var one = ActiveObjects.ref(creation.with(narrow).create(Member.class));
    var other = ActiveObjects.ref(creation.with(narrow).create(Member.class));
    var posting = new ArrayList<CompletableFuture<Object>>();
    for (var order : List.of(List.of(one, other), List.of(other, one))) {
      for (var i = 0; i < 2; i++) {
        posting.add(
            onVirtualThread(
                () -> {
                  for (var n = 0; n < 500; n++) {
                    noting("crossed").post(order);
                  }
                  return null;
                }));
      }
    }

    posting.forEach(each -> valueOf(each, "calls on both"));

    assertThat(one.stub().notes()).hasSize(2000);
    assertThat(other.stub().notes()).hasSize(2000);
  }
}
