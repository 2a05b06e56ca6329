package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.LoggedCallers.note;
import static org.troupe.activeobjects.LoggedCallers.numbers;
import static org.troupe.activeobjects.LoggedCallers.restartInPlace;
import static org.troupe.activeobjects.LoggedCallers.served;
import static org.troupe.activeobjects.LoggedCallers.waitAtGate;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.LoggedCallers.Clerk;
import org.troupe.activeobjects.LoggedCallers.Register;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Resumable;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * An object without a log moves, and its former node is lost after the grant and before the queue
 * has followed. A caller that is kept by its calls sends the calls in that queue again, whether it
 * was lost with that node or not.
 */
@Timeout(120)
class QueuesThatFollowTest {

  private static final String NOTES = "QueuesThatFollowTest: notes";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int CALLS = 64; // as many are reported at once
  private static final int BOUND = 4;

  private final FaultyTransport transport = new FaultyTransport();
  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Passes over the one-way calls that it has to record until a gate is open. */
  @Resumable
  public static class Selective extends Register implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest(each -> !each.isFor("note") || Cell.gate(NOTES).getCount() == 0);
      }
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
    MoveStep.follow(null);
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    transport.letThrough();
    grid.close();
  }

  private Ref<Clerk> clerk(int node) {
    return LoggedCallers.kept(Clerk.class, grid.get(node), folder.resolve("store"));
  }

  /**
   * Makes the called object on the first node, where it waits in a request.
   *
   * @param hasMoved whether it was created on another node, and callers know that it has moved
   */
  private Ref<Register> register(Ref<Clerk> clerk, boolean hasMoved) {
    return register(clerk, hasMoved, Options.STANDARD);
  }

  private Ref<Register> register(Ref<Clerk> clerk, boolean hasMoved, Options options) {
    var birth = ActiveObjects.on(grid.get(hasMoved ? 1 : 0)).with(options);
    var register = ActiveObjects.ref(birth.create(Register.class));
    if (hasMoved) {
      valueOf(register.move(grid.get(0).id()), "a move to the first node");
      assertThat(served(clerk, register)).isEmpty();
    }
    waitAtGate(register);
    return register;
  }

  /**
   * Moves the called object from the first node, which is lost when the move is granted and the
   * queue has not arrived.
   */
  private void moveAndLoseTheQueue(Ref<? extends Register> register) {
    var isGranted = new CompletableFuture<Void>();
    MoveStep.follow(
        (step, at) -> {
          if (step == MoveStep.GRANT_ASKED) {
            transport.keep(1, 2); // from that node to the next one, where the image has arrived
          } else if (step == MoveStep.GRANTED_HERE) {
            isGranted.complete(null);
          }
        });
    var body = body(register);
    // The move begins in this step, so no request is served behind the one that waits.
    grid.member(0).mobility().move(Reference.to(body), grid.get(1).id(), PATIENCE);
    LoggedCallers.openGate();
    valueOf(isGranted, "the grant");
    MoveStep.follow(null);
    grid.kill(0);
    transport.letThrough();
  }

  /** Returns the body of the called object on the first node. */
  private Body body(Ref<? extends Register> register) {
    var target = Reference.require(register.stub()).target();
    var node = grid.member(0).node();
    var guest = node.moved().here(target.birth(), target.number());
    return guest != null ? guest : node.objects().body(target.number());
  }

  private void awaitQueued(Ref<? extends Register> register, int count) {
    var body = body(register);
    Waits.until(() -> body.queued() == count, "the calls in the queue");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepTheCallsOfACallerThatWasLostWithThem(boolean hasImage) {
    var clerk = clerk(0);
    var register = register(clerk, false);
    note(clerk, register, 0, CALLS);
    if (hasImage) {
      valueOf(clerk.checkpoint(), "an image");
    }

    moveAndLoseTheQueue(register);

    assertThat(valueOf(clerk.ask(Clerk::place), "the clerk, made again")).isNotEqualTo("node-1");
    note(clerk, register, CALLS, 1);
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS + 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepTheOneWayCallsOfALivingCaller(boolean hasMoved) {
    var clerk = clerk(2);
    var register = register(clerk, hasMoved);
    note(clerk, register, 0, CALLS);
    awaitQueued(register, CALLS);

    moveAndLoseTheQueue(register);

    note(clerk, register, CALLS, 1);
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS + 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepTheCallsOfACallerThatWasRestartedInPlace(boolean areAwaited) {
    var clerk = clerk(2);
    var register = register(clerk, false);
    var stub = register.stub();
    if (areAwaited) {
      valueOf(clerk.tell(each -> each.askAll(stub, 0, CALLS)), "calls with answers");
    } else {
      note(clerk, register, 0, CALLS);
    }
    awaitQueued(register, CALLS);
    restartInPlace(clerk);

    moveAndLoseTheQueue(register);

    note(clerk, register, CALLS, 1);
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS + 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepTheCallForWhoseAnswerALivingCallerWaits(boolean hasMoved) {
    var clerk = clerk(2);
    var register = register(clerk, hasMoved);
    note(clerk, register, 0, CALLS);
    var stub = register.stub();
    var answer = clerk.ask(each -> each.countOne(stub, CALLS));
    awaitQueued(register, CALLS + 1);

    moveAndLoseTheQueue(register);

    assertThat(valueOf(answer, "the answer")).isEqualTo(CALLS);
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void keepTheCallsThatWerePassedOver(int node) {
    var clerk = clerk(node);
    var register = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Selective.class));
    note(clerk, register, 0, CALLS);
    assertThat(served(clerk, register)).isEmpty(); // its answer is no report of the others
    awaitQueued(register, CALLS);

    moveAndLoseTheQueue(register);

    Cell.gate(NOTES).countDown();
    note(clerk, register, CALLS, 1);
    Waits.until(() -> served(clerk, register).size() > CALLS, "the calls");
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS + 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepTheCallsInABoundedQueue(boolean hasMoved) {
    var clerk = clerk(2);
    var register = register(clerk, hasMoved, Options.STANDARD.withQueueBound(BOUND));
    Register stub = register.stub();
    var calls = clerk.tell(each -> each.note(stub, 0, CALLS));
    awaitQueued(register, BOUND);

    moveAndLoseTheQueue(register);

    valueOf(calls, "one-way calls");
    assertThat(served(clerk, register)).isEqualTo(numbers(CALLS));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areLostWithAnObjectThatIsLostBeforeTheGrant(boolean hasMoved) {
    var clerk = clerk(2);
    var register = register(clerk, hasMoved);
    note(clerk, register, 0, CALLS);
    var stub = register.stub();
    var answer = clerk.ask(each -> each.countOne(stub, CALLS));
    awaitQueued(register, CALLS + 1);

    grid.kill(0);

    assertThat(failureOf(answer, "the end of the call")).isInstanceOf(NodeLostException.class);
    assertThat(failureOf(clerk.ask(each -> each.served(stub)), "the end of a later call"))
        .isInstanceOf(NodeLostException.class);
  }
}
