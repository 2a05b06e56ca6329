package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** An object moves to a node of whose join its own node has not heard. */
@Timeout(120)
class MovingToNewNodesTest {

  private static final CompletableFuture<NodeId> NEW = new CompletableFuture<>();
  private static final CompletableFuture<CompletableFuture<Void>> FIRST = new CompletableFuture<>();
  private static final CompletableFuture<CompletableFuture<Void>> SECOND =
      new CompletableFuture<>();

  private final FaultyTransport transport = new FaultyTransport();
  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(2, transport);
  }

  @AfterEach
  void end() {
    transport.letThrough();
    grid.close();
  }

  /** Moves twice in one request. */
  public static class Traveller {
    public void moveTwice(NodeId known) {
      Cell.gate("moves").countDown();
      var self = ActiveObjects.self(Traveller.class);
      FIRST.complete(self.move(NEW.join()));
      SECOND.complete(self.move(known));
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  @Test
  void itLeavesFromTheCallOfMoveOn() {
    var object = ActiveObjects.on(grid.get(0)).create(Traveller.class);
    object.moveTwice(grid.get(1).id());
    Waits.await(Cell.gate("moves"), "the begin of the request");
    transport.keep(0, 1); // news of the join, and the answer to a question about it
    NEW.complete(grid.join().id());

    var second = valueOf(SECOND, "the second call of move");
    assertThat(failureOf(second, "the second move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("another move of it has not ended");
    transport.letThrough();
    valueOf(valueOf(FIRST, "the first call of move"), "the first move");
    assertThat(object.place()).isEqualTo("node-3");
  }
}
