package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.membership.LocalNode;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * One-way calls that a node has passed on to the next host of their object: each is served, or its
 * node reports once that this is unknown.
 */
@Timeout(120)
class PassedOnCallsTest {

  private static final int FORWARDER = 0; // where the object is created
  private static final int HOST = 1;
  private static final int CALLER = 2;
  private static final int NEXT = 3; // the host after that
  private static final String BEGIN = "PassedOnCallsTest: begin";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SERVICE = "PassedOnCallsTest: service";

  private final List<Throwable> failures = new CopyOnWriteArrayList<>(); // of the caller's node
  private InProcessGrid grid;
  private Ref<Traveller> ref;
  private Ref<Caller> caller;

  /** Waits when it arrives on a node that has a gate. */
  public static class Traveller implements LifeCycle {
    @Override
    public void arrived() {
      var gate = Cell.GATES.get(gateAt(ActiveObjects.node().name()));
      if (gate != null) {
        Cell.gate(gateAt(ActiveObjects.node().name()) + " is reached").countDown();
        Waits.await(gate, "the gate");
      }
    }

    public void note(int number) {}

    public void waitAt(String gate) {
      Cell.gate(gate + " is reached").countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }
  }

  /** Makes one-way calls. */
  public static class Caller {
    private Traveller traveller;

    public int take(Traveller taken) {
      traveller = taken;
      return 0;
    }

    public void note(int count) {
      IntStream.range(0, count).forEach(traveller::note);
    }

    public void waitAt(String gate) {
      traveller.waitAt(gate);
    }

    /** Returns when a node has taken all that this one has sent to it. */
    public int exchangeWith(Cell cell) {
      return cell.sum();
    }

    public void fail(Cell cell) {
      cell.fail("the last failure");
    }
  }

  private static String gateAt(String node) {
    return "PassedOnCallsTest: arrival at " + node;
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    grid = InProcessGrid.start(4);
    node(CALLER).objects().failures().handler(failure -> failures.add(failure.cause()));
    create(Options.STANDARD);
  }

  private void create(Options options) {
    ref =
        ActiveObjects.ref(
            ActiveObjects.on(grid.get(FORWARDER)).with(options).create(Traveller.class));
    caller = ActiveObjects.ref(ActiveObjects.on(grid.get(CALLER)).create(Caller.class));
    assertThat(caller.stub().take(ref.stub())).isZero();
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private LocalNode node(int index) {
    return grid.member(index).node();
  }

  private NodeId id(int index) {
    return grid.get(index).id();
  }

  private void call(Runnable calls) {
    calls.run();
    var there = ActiveObjects.on(grid.get(FORWARDER)).create(Cell.class);
    assertThat(caller.stub().exchangeWith(there)).isZero();
  }

  /** Lets the object wait in a request, and the caller make calls that are queued behind it. */
  private void queue(Runnable calls) {
    ref.tell(each -> each.waitAt(BEGIN));
    Waits.await(Cell.gate(BEGIN + " is reached"), "the object in its first request");
    call(calls);
  }

  /** Moves the object from a node, where it waits at a gate, to another, where it waits again. */
  private void move(int from, int to, String gate) {
    var arrival = gateAt(id(to).name());
    Cell.gate(arrival);
    moveOn(from, to, gate);
    Waits.await(Cell.gate(arrival + " is reached"), "the object with its queue");
  }

  private void moveOn(int from, int to, String gate) {
    // The move begins in this step, so no request is served behind the one that waits.
    grid.member(from).mobility().move(Reference.to(body(from)), id(to), PATIENCE);
    Cell.gate(gate).countDown();
  }

  private Body body(int node) {
    var target = Reference.require(ref.stub()).target();
    var guest = node(node).moved().here(target.birth(), target.number());
    return guest != null
        ? guest
        : Objects.requireNonNull(node(node).objects().body(target.number()), "the body");
  }

  private void awaitPassedOn(int node, int count) {
    Waits.until(
        () -> node(node).moved().passedOn().size() == count, "calls that were passed on: " + count);
  }

  private void awaitAccountsOfTheCaller() {
    Waits.until(
        () -> valueOf(node(CALLER).objects().host().areAllCallsServed(), "the accounts"),
        "their balance");
  }

  /** Kills a node; returns when the others have applied its death. */
  private void kill(int... indices) {
    for (var each : indices) {
      var dead = id(each);
      grid.kill(each);
      for (var other = 0; other < 4; other++) {
        var moved = node(other).moved();
        Waits.until(() -> moved.isOver() || moved.isDead(dead), "the death of " + dead);
      }
    }
  }

  /** Returns the failures that were reported before one that is reported last. */
  private List<String> failures(int expected) {
    Waits.until(() -> failures.size() >= expected, "the reports");
    caller.stub().fail(ActiveObjects.on(grid.get(CALLER)).create(Cell.class));
    Waits.until(() -> failures.size() > expected, "the last failure");
    return failures.stream()
        .filter(each -> each instanceof NodeLostException)
        .map(Throwable::getMessage)
        .toList();
  }

  private static String report(String host, String forwarder, String calls) {
    return ("node '%s' is gone: it was killed; node '%s' had passed on %s served is unknown; to know"
            + " that a call is served, await it by ref.tell(..).join()")
        .formatted(host, forwarder, calls);
  }

  @Test
  void areReportedOnceIfTheHostIsLostWithItsQueue() {
    queue(() -> caller.stub().note(3));
    move(FORWARDER, HOST, BEGIN);
    awaitPassedOn(FORWARDER, 3);
    awaitAccountsOfTheCaller();

    kill(HOST);
    Waits.until(() -> !failures.isEmpty(), "the report");
    kill(FORWARDER);

    assertThat(failures(1))
        .containsExactly(
            report("node-2", "node-1", "3 one-way calls to it, and whether they were"));
  }

  @Test
  void areNotReportedIfTheyWereServed() {
    queue(
        () -> {
          caller.stub().note(2);
          caller.stub().waitAt(SERVICE);
        });
    moveOn(FORWARDER, HOST, BEGIN);
    Waits.await(Cell.gate(SERVICE + " is reached"), "the third call");
    awaitPassedOn(FORWARDER, 1);

    kill(HOST);

    assertThat(failures(1))
        .containsExactly(report("node-2", "node-1", "1 one-way call to it, and whether it was"));
  }

  @Test
  void areReportedByTheLastNodeThatHasPassedThemOn() {
    queue(() -> caller.stub().note(2));
    move(FORWARDER, HOST, BEGIN);
    move(HOST, NEXT, gateAt("node-2"));
    awaitPassedOn(FORWARDER, 0);
    awaitPassedOn(HOST, 2);
    awaitAccountsOfTheCaller();

    kill(FORWARDER, NEXT);

    assertThat(failures(1))
        .containsExactly(
            report("node-4", "node-2", "2 one-way calls to it, and whether they were"));
  }

  @Test
  void areCallsToTheForwarderIfTheObjectHasComeBack() {
    valueOf(ref.move(id(HOST)), "the move");
    valueOf(ref.move(id(FORWARDER)), "the move back");
    var object =
        Objects.requireNonNull(
            node(FORWARDER)
                .moved()
                .objectIfKnown(
                    node(FORWARDER).moved().identityOf(Reference.require(ref.stub()).target())));
    Waits.until(() -> leadsTo(object, id(FORWARDER)), "the way from the first body to the last");
    queue(() -> caller.stub().note(2));
    awaitPassedOn(FORWARDER, 0);

    kill(FORWARDER);

    assertThat(failures(1))
        .singleElement()
        .asString()
        .startsWith(
            "node 'node-1' is gone: it was killed; of 2 one-way calls to it, none is known to have"
                + " been served, 2 had arrived");
  }

  private static boolean leadsTo(MovedObject object, NodeId node) {
    var leads = new boolean[1];
    object.with(whereabouts -> leads[0] = whereabouts.placeAfter(0).node().equals(node));
    return leads[0];
  }

  @Test
  void areCallsToTheForwarderWhileItHoldsThem() {
    create(Options.STANDARD.withRestart(Restart.elsewhere()));
    valueOf(ref.move(id(HOST)), "the move");
    RestartStep.follow(
        (step, where) -> {
          if (step == RestartStep.MAKING) {
            Waits.await(Cell.gate(BEGIN), "the gate of the new object");
          }
        });
    kill(HOST);
    call(() -> caller.stub().note(2));
    awaitPassedOn(FORWARDER, 0);

    kill(FORWARDER);

    assertThat(failures(1))
        .singleElement()
        .asString()
        .startsWith(
            "node 'node-1' is gone: it was killed; of 2 one-way calls to it, none is known to have"
                + " been served, 2 had arrived");
  }

  @Test
  void areForgottenWithTheNodeOfTheirCaller() {
    List<Throwable> others = new CopyOnWriteArrayList<>();
    node(FORWARDER).objects().failures().handler(failure -> others.add(failure.cause()));
    queue(() -> caller.stub().note(2));
    move(FORWARDER, HOST, BEGIN);
    awaitPassedOn(FORWARDER, 2);

    kill(CALLER, HOST);

    awaitPassedOn(FORWARDER, 0);
    FaultsWhileMovingTest.awaitNothingOpen(grid, grid.member(FORWARDER));
    assertThat(others).isEmpty();
    assertThat(failures).isEmpty();
  }
}
