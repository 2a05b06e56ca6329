package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.LoggedCallers.numbers;
import static org.troupe.activeobjects.LoggedCallers.waitAtGate;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.LoggedCallers.Clerk;
import org.troupe.activeobjects.LoggedCallers.Register;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OwnFailures;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * An object that is kept by its calls calls a plain one with a bounded queue, which was created on
 * the same node: each call is served once, also if that object leaves and the node of the caller is
 * lost.
 */
@Timeout(120)
class BoundedCalleesTest {

  private static final int BOUND = 4;
  private static final int CALLS = 3 * BOUND;

  private final OwnFailures failures = OwnFailures.of(BoundedCalleesTest.class);
  private final FaultyTransport transport = new FaultyTransport();
  @TempDir private Path folder;
  private InProcessGrid grid;
  private Ref<Clerk> clerk;
  private Ref<Register> register;

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failures);
    grid = InProcessGrid.start(3, transport);
    clerk = LoggedCallers.kept(Clerk.class, grid.get(0), folder.resolve("store"));
    register = register();
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    transport.letThrough();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Ref<Register> register() {
    var bounded = Options.STANDARD.withQueueBound(BOUND);
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(bounded).create(Register.class));
  }

  private void move(int host) {
    valueOf(register.move(grid.get(host).id()), "a move to node " + host);
  }

  private void loseTheClerksNode() {
    grid.kill(0);
    assertThat(valueOf(clerk.ask(Clerk::place), "the clerk, made again")).isNotEqualTo("node-1");
  }

  private void note(int first, int count) {
    LoggedCallers.note(clerk, register, first, count);
  }

  private List<Integer> served() {
    return LoggedCallers.served(clerk, register);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areCalledOnceBeforeAndAfterTheyHaveLeft(boolean hasImage) {
    var stub = register.stub();
    note(0, CALLS);
    valueOf(clerk.tell(each -> each.count(stub, CALLS, CALLS)), "calls with answers");
    move(1);
    note(2 * CALLS, CALLS);
    valueOf(clerk.tell(each -> each.count(stub, 3 * CALLS, CALLS)), "calls with answers");
    if (hasImage) {
      valueOf(clerk.checkpoint(), "an image");
    }

    loseTheClerksNode();

    note(4 * CALLS, CALLS);
    assertThat(served()).isEqualTo(numbers(5 * CALLS));
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void getTheCallsAgainThatWereLostOnTheirWay() {
    move(1);
    note(0, 1);
    assertThat(served()).isEqualTo(numbers(1));
    transport.keep(1, 2); // from the first node to the second one
    note(1, BOUND - 1);
    valueOf(clerk.checkpoint(), "an image");

    loseTheClerksNode();
    transport.letThrough();

    assertThat(served()).isEqualTo(numbers(BOUND));
    assertThat(failures.all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void haveNoMoreRequestsThanTheirBound(boolean isAsked) {
    var stub = register.stub();
    waitAtGate(register);
    var calls =
        clerk.tell(
            each -> {
              if (isAsked) {
                each.askAll(stub, 0, CALLS);
              } else {
                each.note(stub, 0, CALLS);
              }
            });
    var body = body(0);
    Waits.until(() -> body.queued() == BOUND, "the full queue");
    Waits.until(() -> clerkWaits(), "the wait for a place");
    assertThat(body.queued()).isEqualTo(BOUND);

    LoggedCallers.openGate();

    valueOf(calls, "the calls");
    assertThat(served()).isEqualTo(numbers(CALLS));
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void getTheCallAgainThatWaitedForAPlaceWhenTheNodeOfItsCallerWasLost() {
    move(1);
    waitAtGate(register);
    var stub = register.stub();
    var calls = clerk.tell(each -> each.note(stub, 0, CALLS));
    Waits.until(() -> body(1).queued() == BOUND, "the full queue");
    Waits.until(() -> clerkWaits(), "the wait for a place");

    grid.kill(0);
    LoggedCallers.openGate();

    valueOf(calls, "the calls");
    assertThat(served()).isEqualTo(numbers(CALLS));
    assertThat(failures.all()).isEmpty();
  }

  private boolean clerkWaits() {
    var target = Reference.require(clerk.stub()).target();
    var body = grid.member(0).node().objects().body(target.number());
    return body != null && body.waitingFor != null;
  }

  private Body body(int host) {
    var target = Reference.require(register.stub()).target();
    var node = grid.member(host).node();
    var guest = node.moved().here(target.birth(), target.number());
    return guest != null ? guest : node.objects().body(target.number());
  }
}
