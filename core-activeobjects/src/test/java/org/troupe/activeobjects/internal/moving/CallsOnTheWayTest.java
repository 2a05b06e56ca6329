package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Calls that are on their way to an object that has moved when a node dies or the grid ends. */
@Timeout(120)
class CallsOnTheWayTest {

  private static final CompletableFuture<String> OWED = new CompletableFuture<>();

  private final Map<MoveStep, Map<NodeId, AtomicInteger>> passages = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<CallFailure> failures = new LinkedBlockingQueue<>();
  private final FaultyTransport transport = new FaultyTransport();
  private InProcessGrid grid;

  /** Records its calls. */
  public static class Traveller implements LifeCycle {
    private final List<Integer> served = new ArrayList<>();
    private String gateAtArrival = "";

    public Traveller() {}

    public Traveller(String gateAtArrival) {
      this.gateAtArrival = gateAtArrival;
    }

    @Override
    public void arrived() {
      if (!gateAtArrival.isEmpty()) {
        waitAt(gateAtArrival);
      }
    }

    public int count(int number) {
      served.add(number);
      return number;
    }

    public void waitAt(String gate) {
      Cell.gate(gate + " is reached").countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public List<Integer> served() {
      return List.copyOf(served);
    }

    /** Its answer is owed by the node on which it was called. */
    public CompletableFuture<String> owed() {
      return OWED;
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(5, transport);
    ActiveObjects.onFailure(failures::add);
  }

  @AfterEach
  void end() {
    MoveStep.follow(null);
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private NodeId node(int index) {
    return grid.get(index).id();
  }

  private Ref<Traveller> bornHere() {
    return ActiveObjects.ref(ActiveObjects.here().create(Traveller.class));
  }

  private void move(Ref<Traveller> ref, int node) {
    valueOf(ref.move(node(node)), "the move");
  }

  private static int count(Ref<Traveller> ref, int number) {
    return valueOf(ref.ask(it -> it.count(number)), "an answer");
  }

  private void passed(MoveStep step, NodeId where) {
    passages(step, where).incrementAndGet();
  }

  private AtomicInteger passages(MoveStep step, NodeId where) {
    return passages
        .computeIfAbsent(step, each -> new ConcurrentHashMap<>())
        .computeIfAbsent(where, each -> new AtomicInteger());
  }

  /** Kills a node, and waits until a mark of this node has reached the object after that. */
  private void kill(int node, int host) {
    var reached = passages(MoveStep.SWITCHED, node(host));
    var before = reached.get();
    grid.kill(node);
    Waits.until(() -> reached.get() > before, "a mark of the search");
    exchangeWith(host);
  }

  /** Returns when this node has taken all that another one had sent to it. */
  private void exchangeWith(int node) {
    assertThat(ActiveObjects.on(grid.get(node)).create(Traveller.class).count(1)).isEqualTo(1);
  }

  /**
   * The object moves from here to node 0 and to node 1. The route of the callers here leads to node
   * 1, but that of the first body to node 0, which forwards a call when another node dies.
   */
  @Test
  void aCallThatIsForwardedDoesNotFailWithAnotherNode() throws Exception {
    var arrived = new CountDownLatch(1);
    var goesOn = new CountDownLatch(1);
    MoveStep.follow(this::passed);
    var ref = bornHere();
    move(ref, 0);
    var owed = ref.stub().owed(); // a call without an answer, for which this node searches
    assertThat(count(ref, 1)).isEqualTo(1);
    kill(2, 0);
    move(ref, 1);
    kill(3, 1);
    MoveStep.follow(
        (step, where) -> {
          passed(step, where);
          if (step == MoveStep.RELOCATED && where.equals(node(0))) {
            arrived.countDown();
            Waits.await(goesOn, "the end of the search");
          }
        });

    var call = ref.ask(it -> it.count(2));
    Waits.until(() -> arrived.getCount() == 0 || call.isDone(), "the call at node 0");
    kill(4, 1);
    for (var rounds = 0; rounds < 2; rounds++) { // as many as the search makes
      grid.coordinator().moving().unanswered(Set.of());
    }
    goesOn.countDown();

    assertThat(valueOf(call, "the answer")).isEqualTo(2);
    assertThat(valueOf(ref.ask(Traveller::served), "the calls")).containsExactly(1, 2);
    assertThat(owed).isNotDone();
  }

  /** The news that a call has gone along with the object is lost with the node that it has left. */
  @Test
  void aCallThatHasGoneAlongDoesNotFailWithTheNodeThatTheObjectHasLeft() throws Exception {
    var atFirst = "aCallThatHasGoneAlong, before";
    var atArrival = "aCallThatHasGoneAlong, after";
    var object = ActiveObjects.on(grid.get(0)).create(Traveller.class, atArrival);
    var ref = ActiveObjects.ref(object);
    object.waitAt(atFirst);
    Waits.await(Cell.gate(atFirst + " is reached"), "the first call");
    var call = ref.ask(it -> it.count(1));
    exchangeWith(0);
    MoveStep.follow(
        (step, where) -> {
          passed(step, where);
          if (step == MoveStep.RELOCATED && where.equals(node(0))) {
            transport.cut(0, 1); // between this node and node 0
          }
        });
    var move = ref.move(node(1));
    Waits.until(() -> passages(MoveStep.ASKED, node(0)).get() > 0, "the begin of the move");

    Cell.gate(atFirst).countDown();
    Waits.await(Cell.gate(atArrival + " is reached"), "the object at node 1");
    var dead = node(0);
    grid.kill(0);
    Waits.until(() -> grid.coordinator().moving().isGone(dead), "the death of node 0");
    grid.coordinator().moving().unanswered(Set.of());
    Cell.gate(atArrival).countDown();

    assertThat(valueOf(call, "the answer")).isEqualTo(1);
    assertThat(valueOf(ref.ask(Traveller::served), "the calls")).containsExactly(1);
    valueOf(move, "the move, which was asked for again");
  }

  @Test
  void oneWayCallsThatAreLostWithTheObjectAreReported() {
    var ref = bornHere();
    move(ref, 0);
    var gate = "oneWayCallsThatAreLostWithTheObjectAreReported";
    ref.stub().waitAt(gate);
    Waits.await(Cell.gate(gate + " is reached"), "the one-way call");

    grid.kill(0);

    var failure = valueOf(Waits.onVirtualThread(failures::take), "a report");
    assertThat(failure.cause())
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("of 1 one-way call to it");
    Cell.gate(gate).countDown();
  }

  @Test
  void aCallAfterTheEndOfTheGridFails() {
    var ref = bornHere();
    move(ref, 0);
    assertThat(count(ref, 1)).isEqualTo(1);

    grid.close();

    assertThat(failureOf(ref.ask(it -> it.count(2)), "a call after the end of the grid"))
        .isInstanceOf(NodeLostException.class);
    grid = InProcessGrid.start(1);
    assertThat(failureOf(ref.ask(it -> it.count(3)), "a call from another grid"))
        .isInstanceOf(NodeLostException.class);
  }
}
