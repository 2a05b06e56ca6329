package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/** Calls with names are served once, in order, by objects with and without a log. */
@Timeout(120)
class NumberedCallsTest {

  private static final CallOrigin CALLER =
      new CallOrigin.Logged(new ObjectIdentity(new NodeId("elsewhere", 77), "nowhere", 5));

  private static final List<Integer> served = new CopyOnWriteArrayList<>();
  private static volatile CountDownLatch gate = new CountDownLatch(0);

  private final List<String> behind = new CopyOnWriteArrayList<>(); // reported ranges
  private InProcessGrid grid;
  private Body caller;
  @TempDir private Path temporary;

  /** Adds numbers. */
  public static class Counter {
    private int sum;

    public int add(int number) {
      served.add(number);
      sum += number;
      return sum;
    }

    public void note(int number) {
      served.add(number);
    }

    public List<Integer> list(int number) {
      served.add(number);
      return new ArrayList<>(List.of(number));
    }

    public int refuse(int number) {
      served.add(number);
      throw new IllegalStateException("no " + number);
    }

    public int waitForGate(int number) {
      Waits.await(gate, "the gate");
      return add(number);
    }

    public int overflow() {
      throw new StackOverflowError("deep");
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    served.clear();
    gate = new CountDownLatch(0);
    grid = InProcessGrid.start(1);
    var here = ActiveObjects.here().create(Counter.class);
    caller = ((Reference.Target.Here) Reference.require(here).target()).body();
  }

  @AfterEach
  void end() {
    gate.countDown();
    grid.close();
    caller.terminateNow();
  }

  private Ref<Counter> plain() {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Counter.class));
  }

  private Ref<Counter> kept() {
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(temporary.resolve("s"))))
            .withRestart(Restart.here());
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Counter.class));
  }

  private static CallMethod method(String name) {
    var result = name.equals("note") ? "V" : name.equals("list") ? "Ljava/util/List;" : "I";
    return ActiveType.of(Counter.class).method(name + "(I)" + result);
  }

  private CompletableFuture<Object> ask(
      Ref<Counter> ref, String method, int argument, long number, long settled) {
    var reference = Reference.require(ref.stub());
    var called = method(method);
    var node = NodeRuntime.main().objects();
    var result = new CallResult(node, reference, called, true, null);
    send(reference, called, argument, number, settled, result);
    return result.asCompletableFuture();
  }

  private void tell(Ref<Counter> ref, int argument, long number) {
    send(Reference.require(ref.stub()), method("note"), argument, number, 0, null);
  }

  private void send(
      Reference<?> reference,
      CallMethod method,
      int argument,
      long number,
      long settled,
      CallResult result) {
    send(reference, method, argument, new CallName(CALLER, number, number - 1, settled), result);
  }

  private void send(
      Reference<?> reference, CallMethod method, int argument, CallName name, CallResult result) {
    var there = (Reference.Target.Elsewhere) reference.target();
    Peer.of(there.home())
        .outgoing()
        .sendNumbered(there, name, method, new Object[] {argument}, result, caller, false);
  }

  private static Object value(CompletableFuture<?> result) {
    return valueOf(result, "an answer");
  }

  private static void isServedOnce(NumberedCallsTest test, Ref<Counter> ref) {
    assertThat(value(test.ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    assertThat(value(test.ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    test.tell(ref, 6, 2);
    test.tell(ref, 6, 2);
    assertThat(value(test.ask(ref, "list", 7, 3, 0))).isEqualTo(List.of(7));
    assertThat(value(test.ask(ref, "list", 7, 3, 0))).isEqualTo(List.of(7));
    assertThat(failureOf(test.ask(ref, "refuse", 8, 4, 0), "a failure")).hasMessage("no 8");
    assertThat(failureOf(test.ask(ref, "refuse", 8, 4, 0), "a failure")).hasMessage("no 8");
    assertThat(value(test.ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    assertThat(value(test.ask(ref, "add", 9, 5, 4))).isEqualTo(14);
    assertThat(served).containsExactly(5, 6, 7, 8, 9);
  }

  @Test
  void aCallThatArrivesTwiceAtAPlainObjectIsServedOnce() {
    var ref = plain();
    isServedOnce(this, ref);
    assertThat(failureOf(ask(ref, "add", 5, 1, 0), "an answer that was given up"))
        .hasMessageContaining("was served before, and its answer is not known any more");
    assertThat(served).hasSize(5);
  }

  @Test
  void aCallThatArrivesTwiceAtALoggedObjectIsServedOnce() {
    var ref = kept();
    isServedOnce(this, ref);
    assertThat(failureOf(ask(ref, "add", 5, 1, 0), "an answer that was given up"))
        .hasMessageContaining("is not kept any more");
    assertThat(served).hasSize(5);
  }

  @Test
  void aCallThatArrivesAgainWhileItIsServedIsAnsweredTwice() {
    for (var ref : List.of(plain(), kept())) {
      served.clear();
      gate = new CountDownLatch(1);
      var first = ask(ref, "waitForGate", 5, 1, 0);
      var again = ask(ref, "waitForGate", 5, 1, 0);
      gate.countDown();
      assertThat(value(first)).isEqualTo(5);
      assertThat(value(again)).isEqualTo(5);
      assertThat(served).containsExactly(5);
    }
  }

  @Test
  void aCallOfALoggedObjectWaitsForTheOneBeforeIt() {
    var ref = kept();
    var second = ask(ref, "add", 2, 2, 0);
    var third = ask(ref, "add", 3, 3, 0);
    assertThat((int) valueOf(ref.ask(each -> each.add(10)), "a call without a name")).isEqualTo(10);
    assertThat(second).isNotDone();
    var first = ask(ref, "add", 1, 1, 0);
    assertThat(value(first)).isEqualTo(11);
    assertThat(value(second)).isEqualTo(13);
    assertThat(value(third)).isEqualTo(16);
    assertThat(served).containsExactly(10, 1, 2, 3);
  }

  @Test
  void moreThanTenThousandCallsWaitForTheOneBeforeThem() {
    var ref = kept();
    var most = 10_005;
    for (var number = 2; number < most; number++) {
      tell(ref, number, number);
    }
    var last = ask(ref, "add", most, most, 0);
    tell(ref, 1, 1);
    assertThat(value(last)).isEqualTo(most);
    assertThat(served).isEqualTo(IntStream.rangeClosed(1, most).boxed().toList());
  }

  @Test
  void anotherCallWithTheNumberOfAServedOneIsRefused(LogRecords records) throws Exception {
    for (var ref : List.of(plain(), kept())) {
      served.clear();
      assertThat(value(askFirst(ref, 5, 1))).isEqualTo(5);
      assertThat(failureOf(askFirst(ref, 6, 1), "a refusal"))
          .hasMessageContaining("Counter.add(int)")
          .hasMessageContaining("was not served: another call of")
          .hasMessageContaining("The journal of the caller was put back to an older state");
      records.expect(Level.WARNING, "had its number 1 before");
      assertThat(value(ask(ref, "add", 5, 1, 0))).as("the same call, again").isEqualTo(5);
      assertThat(served).containsExactly(5);
    }
  }

  @Test
  void theFirstMessageOfACallThatWasSentAgainMayComeBehindAMove() {
    grid.join();
    var ref = plain();
    assertThat(value(ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    valueOf(ref.move(grid.get(1).id()), "a move");
    assertThat(value(askFirst(ref, 5, 1))).as("no number of another call").isEqualTo(5);
    assertThat(served).containsExactly(5);
  }

  @Test
  void aPlainObjectThatMovesKnowsItsCallsThere() {
    grid.join();
    var ref = plain();
    assertThat(value(ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    tell(ref, 6, 2);
    assertThat(failureOf(ask(ref, "refuse", 7, 3, 0), "a failure")).hasMessage("no 7");
    gate = new CountDownLatch(1);
    var served4 = ask(ref, "waitForGate", 8, 4, 0);
    var queued = ask(ref, "list", 9, 5, 0);
    tell(ref, 10, 6);
    var move = ref.move(grid.get(1).id());
    gate.countDown();
    valueOf(move, "a move");
    for (var round = 0; round < 2; round++) {
      assertThat(value(served4)).isEqualTo(13);
      assertThat(value(queued)).isEqualTo(List.of(9));
      assertThat(value(ask(ref, "add", 5, 1, 0))).isEqualTo(5);
      tell(ref, 6, 2);
      assertThat(failureOf(ask(ref, "refuse", 7, 3, 0), "a failure")).hasMessage("no 7");
      assertThat(value(ask(ref, "waitForGate", 8, 4, 0))).isEqualTo(13);
      assertThat(value(ask(ref, "list", 9, 5, 0))).isEqualTo(List.of(9));
      tell(ref, 10, 6);
      valueOf(ref.move(grid.get(0).id()), "a move back");
    }
    assertThat(value(ask(ref, "add", 11, 7, 0))).isEqualTo(24);
    assertThat(served).containsExactly(5, 6, 7, 8, 9, 10, 11);
  }

  @Test
  void callsAreReportedAsTakenUpToTheFirstThatWasNotServed() {
    var requests = new NumberedRequests(NodeRuntime.main().objects());
    List<Long> reported = new CopyOnWriteArrayList<>();
    var first = take(requests, 1, reported);
    for (var number = 2; number < 70; number++) { // more than are reported at once
      serve(requests, number, reported);
    }
    Waits.until(() -> !reported.isEmpty(), "a report");
    assertThat(reported).containsOnly(0L);

    first.receiver().served();
    Waits.until(() -> reported.contains(69L), "the report of all calls");
  }

  @Test
  void callsBehindAnUnservedOneAreReportedAsRangesWhenTheyAreMany() {
    var requests = new NumberedRequests(NodeRuntime.main().objects());
    List<Long> reported = new CopyOnWriteArrayList<>();
    var first = take(requests, 1, reported);
    var most = 1_001;
    for (var number = 2; number < most - 1; number++) {
      serve(requests, number, reported);
    }
    Waits.until(() -> !reported.isEmpty(), "a report");
    assertThat(behind).isEmpty();

    var unserved = take(requests, most - 1, reported);
    serve(requests, most, reported);
    Waits.until(() -> behind.size() >= 2, "two ranges");
    assertThat(behind).containsExactlyInAnyOrder("2-999", "1001-1001");

    behind.clear();
    assertThat(takesAgain(requests, 5, reported)).isFalse();
    Waits.until(() -> !behind.isEmpty(), "the report of a call that has come again");
    assertThat(behind).containsExactly("5-5");

    unserved.receiver().served();
    first.receiver().served();
    Waits.until(() -> reported.contains((long) most), "the report of all calls");
  }

  @Test
  void callsAreReportedAsTakenUpToTheFirstThatIsMissing() {
    var requests = new NumberedRequests(NodeRuntime.main().objects());
    List<Long> reported = new CopyOnWriteArrayList<>();
    serve(requests, 1, reported);
    for (var number = 3; number < 70; number++) { // more than are reported at once
      serve(requests, number, reported);
    }
    Waits.until(() -> !reported.isEmpty(), "a report");
    assertThat(reported).containsOnly(1L);

    serve(requests, 2, reported);
    Waits.until(() -> reported.contains(69L), "the report of all calls");
  }

  @Test
  void aLateCallFillsTheNumbersThatItsCallerHasSkipped() {
    var requests = new NumberedRequests(NodeRuntime.main().objects());
    List<Long> reported = new CopyOnWriteArrayList<>();
    serve(requests, 1, 0, reported);
    serve(requests, 5_000, 3_000, reported);
    serve(requests, 3_000, 2_000, reported);
    for (var number = 5_001; number < 5_070; number++) { // more than are reported at once
      serve(requests, number, number - 1, reported);
    }
    Waits.until(() -> !reported.isEmpty(), "a report");
    assertThat(reported).containsOnly(1L);

    serve(requests, 2_000, 1, reported);
    Waits.until(() -> reported.contains(5_069L), "the report of all calls");
  }

  @Test
  void aLongGapIsGivenUpWhenManyCallsHaveArrivedBehindIt() {
    var requests = new NumberedRequests(NodeRuntime.main().objects());
    List<Long> reported = new CopyOnWriteArrayList<>();
    serve(requests, 1, reported);
    var first = 10_100;
    for (var number = first; number < first + 100; number++) { // more than are reported at once
      serve(requests, number, reported);
    }
    Waits.until(() -> !reported.isEmpty(), "a report");
    assertThat(reported).containsOnly(1L);

    for (var number = first + 100; number <= first + 10_000; number++) {
      serve(requests, number, reported);
    }
    Waits.until(() -> reported.contains(first + 10_000L), "the report of all calls");
  }

  @Test
  void callsOfTwoLinksAreQueuedInTheOrderInWhichTheyAreTaken() throws InterruptedException {
    var requests = new NumberedRequests(NodeRuntime.main().objects());
    List<Long> queued = new CopyOnWriteArrayList<>();
    var hasTaken = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    var first =
        Thread.ofPlatform()
            .start(
                () ->
                    requests.inOrder(
                        caller,
                        () -> {
                          take(requests, 1, new CopyOnWriteArrayList<>());
                          hasTaken.countDown();
                          Waits.await(gate, "the gate");
                          queued.add(1L);
                        }));
    Waits.await(hasTaken, "the first call");
    var second =
        Thread.ofPlatform()
            .start(
                () ->
                    requests.inOrder(
                        caller,
                        () -> {
                          take(requests, 2, new CopyOnWriteArrayList<>());
                          queued.add(2L);
                        }));
    Waits.until(
        () -> second.getState() == Thread.State.BLOCKED || !queued.isEmpty(), "the second call");
    gate.countDown();
    first.join();
    second.join();
    assertThat(queued).containsExactly(1L, 2L);
  }

  private void serve(NumberedRequests requests, long number, List<Long> reported) {
    serve(requests, number, number - 1, reported);
  }

  private void serve(NumberedRequests requests, long number, long after, List<Long> reported) {
    take(requests, number, after, reported).receiver().served();
  }

  private CallRequest take(NumberedRequests requests, long number, List<Long> reported) {
    return take(requests, number, number - 1, reported);
  }

  private CallRequest take(
      NumberedRequests requests, long number, long after, List<Long> reported) {
    var request =
        CallRequest.local(caller, method("note"), new Object[] {1}, null, null, null, null);
    takes(requests, number, after, reported, request);
    return request;
  }

  private boolean takesAgain(NumberedRequests requests, long number, List<Long> reported) {
    var request =
        CallRequest.local(caller, method("note"), new Object[] {1}, null, null, null, null);
    return takes(requests, number, number - 1, reported, request);
  }

  private boolean takes(
      NumberedRequests requests,
      long number,
      long after,
      List<Long> reported,
      CallRequest request) {
    var name = new CallName(CALLER, number, after, 0);
    return requests.take(
        name,
        caller.identityOfObject(),
        caller,
        (object, origin, first, last) -> {
          if (first == 0) {
            reported.add(last);
          } else {
            behind.add(first + "-" + last);
          }
        },
        request);
  }

  /** Makes a call that is sent for the first time. */
  private CompletableFuture<Object> askFirst(Ref<Counter> ref, int argument, long number) {
    var reference = Reference.require(ref.stub());
    var node = NodeRuntime.main().objects();
    var result = new CallResult(node, reference, method("add"), true, null);
    var name = new CallName(CALLER, number, number - 1, 0, 0, true);
    send(reference, method("add"), argument, name, result);
    return result.asCompletableFuture();
  }

  @Test
  void theFirstMessageOfACallMayComeAfterAnotherOneThatWasSentAgain() {
    for (var ref : List.of(plain(), kept())) {
      served.clear();
      assertThat(value(ask(ref, "add", 5, 1, 0))).as("sent again, by the next node").isEqualTo(5);
      assertThat(value(askFirst(ref, 5, 1))).as("sent first, by the former node").isEqualTo(5);
      assertThat(served).containsExactly(5);
    }
  }

  @Test
  void theFirstMessageOfACallMayComeAfterLaterCallsOfTheNextNode() {
    for (var ref : List.of(plain(), kept())) {
      served.clear();
      assertThat(value(ask(ref, "add", 5, 1, 0))).as("sent again, by the next node").isEqualTo(5);
      assertThat(value(ask(ref, "add", 6, 2, 1))).as("and a later one").isEqualTo(11);
      assertThat(failureOf(askFirst(ref, 5, 1), "an answer that was given up"))
          .as("sent first, by the former node")
          .hasMessageContaining("any more");
      assertThat(served).containsExactly(5, 6);
    }
  }

  @Test
  void theFirstMessagesOfManyCallsMayComeAfterAllWereSentAgain() {
    for (var ref : List.of(plain(), kept())) {
      served.clear();
      var most = 2_500;
      for (var number = 1; number <= most; number++) {
        tell(ref, number, number);
      }
      for (var number = 1; number <= most; number++) {
        var name = new CallName(CALLER, number, number - 1, 0, 0, true);
        send(Reference.require(ref.stub()), method("note"), number, name, null);
      }
      assertThat(value(ask(ref, "add", 7, most + 1, most))).isEqualTo(7);
      assertThat(served).hasSize(most + 1);
    }
  }

  @Test
  void aLoggedObjectThatWasMadeAgainRecognisesItsCallsAndHasTheirAnswers() {
    var ref = kept();
    assertThat(value(ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    valueOf(ref.checkpoint(), "an image with the answer");
    assertThat(value(ask(ref, "list", 6, 2, 0))).isEqualTo(List.of(6));
    assertThat(failureOf(ref.ask(Counter::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);

    assertThat(value(ask(ref, "list", 6, 2, 0))).isEqualTo(List.of(6));
    assertThat(value(ask(ref, "add", 5, 1, 0))).isEqualTo(5);
    assertThat(value(ask(ref, "add", 7, 3, 2))).isEqualTo(12);
    assertThat(served).containsExactly(5, 6, 6, 7); // the second was replayed
  }

  @Test
  void aCallThatCannotBeReadKeepsItsPlaceAmongTheOthers() {
    var ref = kept();
    var reference = Reference.require(ref.stub());
    var there = (Reference.Target.Elsewhere) reference.target();
    var node = NodeRuntime.main().objects();
    var result = new CallResult(node, reference, method("add"), true, null);
    var peer = Peer.of(there.home());
    peer.outgoing().expect(result);
    var symbol = method("add").symbol();
    var name = new CallName(CALLER, 1, 0, 0);
    var call = new Message.Call(there.number(), symbol, true, false, 0, "", List.of());
    var damaged = node.marshaller().encode("no number");
    peer.outbox().send(result.callId, new Message.Numbered(name, call), damaged);

    assertThat(failureOf(result.asCompletableFuture(), "a damaged call")).isNotNull();
    assertThat(value(ask(ref, "add", 2, 2, 0))).isEqualTo(2);
    assertThat(Objects.requireNonNull(served)).containsExactly(2);
  }

  @Test
  void aCallOfAMethodThatTheObjectDoesNotHaveKeepsItsPlaceAmongTheOthers() {
    var ref = kept();
    var reference = Reference.require(ref.stub());
    var there = (Reference.Target.Elsewhere) reference.target();
    var node = NodeRuntime.main().objects();
    var peer = Peer.of(there.home());
    for (var round = 0; round < 2; round++) {
      var result = new CallResult(node, reference, method("add"), true, null);
      peer.outgoing().expect(result);
      var call = new Message.Call(there.number(), "Other#add(I)I", true, false, 0, "", List.of());
      var argument = node.marshaller().encodeArguments(method("add"), new Object[] {1});
      var name = new CallName(CALLER, 1, 0, 0);
      peer.outbox().send(result.callId, new Message.Numbered(name, call), argument);

      assertThat(failureOf(result.asCompletableFuture(), "a call of an unknown method"))
          .hasMessageContaining("is no Other, by which it was called");
    }
    assertThat(value(ask(ref, "add", 2, 2, 0))).isEqualTo(2);
    assertThat(failureOf(ref.ask(Counter::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class); // it is made again from its log
    assertThat(value(ask(ref, "add", 3, 3, 0))).isEqualTo(5);
  }

  @Test
  void aCallOfAMethodThatAPlainObjectDoesNotHaveLeavesNoGap() {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    ActiveObjects.onFailure(failure -> failures.add(failure.cause()));
    try {
      var ref = plain();
      var there = (Reference.Target.Elsewhere) Reference.require(ref.stub()).target();
      assertThat(value(ask(ref, "add", 1, 1, 0))).isEqualTo(1);
      var call = new Message.Call(there.number(), "Other#add(I)I", false, false, 0, "", List.of());
      var marshaller = NodeRuntime.main().objects().marshaller();
      var argument = marshaller.encodeArguments(method("add"), new Object[] {1});
      var name = new CallName(CALLER, 2, 1, 0);
      Peer.of(there.home()).outbox().send(0, new Message.Numbered(name, call), argument);
      assertThat(value(ask(ref, "add", 3, 3, 0))).isEqualTo(4);

      Waits.until(() -> !failures.isEmpty(), "the report of that call");
      assertThat(failures.getFirst()).hasMessageContaining("is no Other, by which it was called");
      var peers = grid.member(0).node().peers();
      var body = Objects.requireNonNull(grid.member(0).node().objects().body(there.number()));
      Waits.until(
          () -> peers.accountsOfCallers(body).getFirst().missing().length == 0,
          "an account that lacks no call");
      var main = peers.known(NodeRuntime.main().objects().id());
      assertThat(main.incoming().oneWayServed()).as("calls in an account").isZero();
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  @Test
  void theAccountsOfAnObjectWithoutALogAreForgottenWhenItEnds() {
    var counter = plain();
    assertThat(valueOf(ask(counter, "add", 5, 1, 0), "the answer")).isEqualTo(5);
    var node = grid.member(0).node();
    var number = Reference.require(counter.stub()).target().number();
    var body = Objects.requireNonNull(node.objects().body(number));
    assertThat(node.peers().accountsOfCallers(body)).hasSize(1);
    valueOf(counter.terminate(), "the end");
    assertThat(node.peers().accountsOfCallers(body)).isEmpty();
  }

  /** A caller on the same node writes its journal, which may fail, or last. */
  @Test
  void reportsOfServedCallsRunOutsideTheTimerAndFailAlone() {
    List<CallOrigin> reported = new CopyOnWriteArrayList<>();
    List<Thread> threads = new CopyOnWriteArrayList<>();
    NamedReply.Sender failing =
        (object, origin, first, last) -> {
          threads.add(Thread.currentThread());
          reported.add(origin);
          throw new IllegalStateException("no journal");
        };
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    ActiveObjects.onFailure(failure -> failures.add(failure.cause()));
    try {
      var requests = new NumberedRequests(NodeRuntime.main().objects());
      var other = new CallOrigin.Logged(new ObjectIdentity(new NodeId("other", 78), "nowhere", 6));
      var identity = new ObjectIdentity(NodeRuntime.main().objects().id(), "", caller.number());
      for (var origin : List.of(CALLER, other)) {
        var request = new CallRequest(method("note"), new Object[] {1}, null, null, null, null);
        var name = new CallName(origin, 1, 0, 0);
        assertThat(requests.take(name, identity, caller, failing, request)).isTrue();
        caller.put(request);
      }
      Waits.until(() -> failures.size() == 2, "the failures of both reports");
      assertThat(reported).containsExactlyInAnyOrder(CALLER, other);
      assertThat(threads).allMatch(Thread::isVirtual);
      assertThat(failures).allSatisfy(each -> assertThat(each).hasMessage("no journal"));
    } finally {
      ActiveObjects.onFailure(null);
    }
  }
}
