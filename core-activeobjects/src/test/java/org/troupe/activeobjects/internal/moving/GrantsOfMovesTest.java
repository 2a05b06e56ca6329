package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Moves whose grant fails, and one that begins while another is granted. */
@Timeout(120)
class GrantsOfMovesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final FaultyTransport transport = new FaultyTransport();
  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3, transport);
  }

  @AfterEach
  void end() {
    MoveStep.follow(null);
    transport.letThrough();
    grid.close();
  }

  /** Records where it was. */
  public static class Traveller implements LifeCycle {
    private final List<String> events = new ArrayList<>();

    public List<String> events() {
      return List.copyOf(events);
    }

    @Override
    public void leaving() {
      events.add("leaves " + ActiveObjects.node().name());
    }

    @Override
    public void arrived() {
      events.add("reaches " + ActiveObjects.node().name());
    }
  }

  private NodeId node(int index) {
    return grid.get(index).id();
  }

  /** Makes an object on the first node; returns the reference that this node has. */
  private Reference<Traveller> traveller() {
    var made = ActiveObjects.on(grid.get(0)).create(Traveller.class);
    return Reference.to(grid.member(0).node().objects().body(number(made)));
  }

  private static long number(Traveller made) {
    return Reference.require(made).target().number();
  }

  private CompletableFuture<Void> move(Reference<?> object, int to) {
    return grid.member(0).mobility().move(object, node(to), PATIENCE);
  }

  private static void assertIsNotGranted(CompletableFuture<?> move, String why) {
    assertThat(failureOf(move, "the move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("the coordinator did not grant the move: " + why)
        .hasMessageEndingWith("it goes on where it is");
  }

  @Test
  void anObjectGoesOnIfTheGrantCannotBeRequested() {
    var object = traveller();
    MoveStep.follow(
        (step, at) -> {
          if (step == MoveStep.GRANT_ASKED) {
            throw new IllegalStateException("no grants today");
          }
        });
    assertIsNotGranted(move(object, 1), "no grants today");
    MoveStep.follow(null);

    assertThat(object.stub().events()).containsExactly("leaves node-1", "reaches node-1");
    valueOf(move(object, 1), "a later move");
    assertThat(object.stub().events()).last().isEqualTo("reaches node-2");
  }

  @Test
  void anObjectGoesOnIfItsNodeLosesTheGridBeforeTheGrant() {
    var object = traveller();
    MoveStep.follow(
        (step, at) -> {
          if (step == MoveStep.GRANT_ASKED) {
            grid.leave(0);
          }
        });
    assertIsNotGranted(move(object, 1), "");

    assertThat(object.stub().events()).hasSize(2).last().asString().startsWith("reaches ");
  }

  @Test
  void anObjectServesOnTheOtherNodeIfItsNodeLosesTheGridBeforeItLearnsOfTheGrant() {
    var made = ActiveObjects.on(grid.get(0)).create(Traveller.class);
    var object = Reference.to(grid.member(0).node().objects().body(number(made)));
    var isGranted = new CountDownLatch(1);
    MoveStep.follow(
        (step, at) -> {
          if (step == MoveStep.GRANT_ASKED) {
            transport.keep(0, 1); // from the coordinator to the first node
          } else if (step == MoveStep.GRANTED_HERE) {
            isGranted.countDown();
          }
        });
    var move = move(object, 1);
    Waits.await(isGranted, "the grant");

    var coordinator = grid.coordinator().node().objects().id();
    grid.member(0).node().peers().known(coordinator).lose("it does not answer");
    assertIsNotGranted(move, "node ");
    grid.kill(0);
    Waits.until(() -> grid.nodes().size() == 2, "the end of the node, on the way of earlier calls");

    assertThat(made.events()).last().isEqualTo("reaches node-2");
  }

  @Test
  void aMoveFollowsAnObjectThatLeavesWhileItBegins() {
    var object = traveller();
    var isReady = new CountDownLatch(1);
    var mayLeave = new CountDownLatch(1);
    var first = new CompletableFuture<CompletableFuture<Void>>();
    var asked = new AtomicInteger();
    MoveStep.follow(
        (step, at) -> {
          if (step == MoveStep.READY && at.equals(node(0))) {
            isReady.countDown();
            Waits.await(mayLeave, "the second call of move");
          } else if (step == MoveStep.ASKED && asked.incrementAndGet() == 2) {
            mayLeave.countDown();
            valueOf(first.thenCompose(move -> move), "the first move");
          }
        });
    first.complete(move(object, 1));
    Waits.await(isReady, "the image");

    valueOf(move(object, 2), "the second move");

    assertThat(object.stub().events()).last().isEqualTo("reaches node-3");
  }
}
