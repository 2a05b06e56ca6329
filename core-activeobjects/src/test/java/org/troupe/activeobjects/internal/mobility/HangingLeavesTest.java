package org.troupe.activeobjects.internal.mobility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** An object whose {@code leaving()} does not return keeps neither a move nor its node waiting. */
@Timeout(120)
class HangingLeavesTest {

  private static final String GATE = "HangingLeavesTest";
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private InProcessGrid grid;

  /** Leaves when a gate is open. */
  public static class Clinging implements LifeCycle {
    private String events = "";

    public String events() {
      return events;
    }

    @Override
    public void leaving() {
      events += "leaves ";
      Waits.await(Cell.gate(GATE), "the gate");
    }

    @Override
    public void arrived() {
      events += "on " + ActiveObjects.node().name();
    }
  }

  /** Leaves at once. */
  public static class Traveller {
    public String place() {
      return ActiveObjects.node().name();
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private Ref<Clinging> clinging() {
    var options = Options.STANDARD.leavingAlong();
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Clinging.class));
  }

  private Evacuation evacuation() {
    return grid.member(0).mobility().evacuation();
  }

  private List<NodeId> others() {
    return grid.list().stream().skip(1).map(Node::id).toList();
  }

  @Test
  void aMoveFailsAndTheObjectGoesOnWhenItHasReturned() {
    var object = clinging();

    assertThat(failureOf(object.move(grid.get(1).id(), PATIENCE), "the move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("Clinging.leaving() had not returned after PT1S (it was at")
        .hasMessageContaining("HangingLeavesTest.java:")
        .hasMessageEndingWith("it goes on where it is");
    var events = object.ask(Clinging::events);
    assertThat(events).isNotDone();
    Cell.gate(GATE).countDown();

    assertThat(valueOf(events, "a call")).isEqualTo("leaves on node-1");
    valueOf(object.move(grid.get(1).id()), "a later move");
    assertThat(valueOf(object.ask(Clinging::events), "a call"))
        .isEqualTo("leaves on node-1leaves on node-2");
  }

  @Test
  void anEvacuationReturnsTheObject() {
    var object = clinging();
    var other = ActiveObjects.on(grid.get(0)).create(Traveller.class);

    var stays = Waits.onVirtualThread(() -> evacuation().run(others(), PATIENCE));

    assertThat(valueOf(stays, "the evacuation")).containsExactly(object.stub());
    assertThat(other.place()).isNotEqualTo("node-1");
  }

  @Test
  void aNodeThatLeavesNamesTheObject(LogRecords records) throws InterruptedException {
    clinging();

    var left =
        Waits.onVirtualThread(() -> evacuation().leaveAlong(PATIENCE, Duration.ofSeconds(20)));

    valueOf(left, "the leave");
    records.expect(
        Level.WARNING,
        "1 object ends with node 'node-1', which leaves",
        "Clinging.leaving() had not returned");
  }
}
