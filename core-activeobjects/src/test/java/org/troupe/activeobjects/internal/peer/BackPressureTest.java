package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

@Timeout(60)
class BackPressureTest {

  private final FaultyTransport transport = new FaultyTransport();
  private final InProcessGrid grid = InProcessGrid.start(2, transport);

  BackPressureTest() {
    ActiveObjects.onFailure(failure -> {}); // what is lost at the end is of no interest
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    grid.close();
  }

  private Peer peer() {
    return NodeRuntime.main().peers().known(grid.get(0).id());
  }

  @Test
  void holdsSendersWhileTheLinkIsFullAndReleasesThemWhenItIsLost() {
    var cell = ActiveObjects.on(grid.get(0)).create(Cell.class);
    transport.cut(0, 1);
    var sent = new AtomicInteger();
    var most = (int) (SendWindow.MOST_UNACKNOWLEDGED_BYTES >> 20) + 1;

    var sender =
        onPlatformThread(
            () -> {
              try {
                for (var i = 0; i < 100; i++) {
                  cell.take(new byte[1 << 20]);
                  sent.incrementAndGet();
                }
                return "all are sent";
              } catch (NodeLostException e) {
                return e.getMessage();
              }
            });
    until(() -> sent.get() >= most - 2 || sender.isDone(), "the link being full");
    grid.coordinator().ended("node-1", "it was decided");

    assertThat(valueOf(sender, "the sender"))
        .isEqualTo(
            "node 'node-1' is gone: it was decided; Cell.take(byte[]) on node 'node-1' was not sent");
    assertThat(peer().unacknowledgedBytes()).isZero();
  }

  @Test
  void acknowledgementsFreeMemory() {
    var cell = ActiveObjects.on(grid.get(0)).create(Cell.class);
    for (var i = 0; i < 200; i++) {
      cell.take(new byte[1 << 20]); // thrice what may be unacknowledged
    }
    cell.sum();

    until(() -> peer().unacknowledgedBytes() < 1 << 21, "the acknowledgements");
  }

  @Test
  void givesEachBoundedQueueItsOwnCreditAndClosesTheAccount() {
    var bounded =
        ActiveObjects.on(grid.get(0)).with(Options.STANDARD.withQueueBound(2)).create(Cell.class);
    bounded.waitAt("bounded");
    Waits.await(Cell.gate("at bounded"), "the cell being busy");
    bounded.add(1);
    bounded.add(2);
    var third =
        onPlatformThread(
            () -> {
              bounded.add(3);
              return bounded.sum();
            });
    var other = ActiveObjects.on(grid.get(0)).create(Cell.class);
    assertThat(other.addAndCount(1)).as("a call to another object").isEqualTo(1);
    assertThat(third).isNotDone();

    Cell.gate("bounded").countDown();

    assertThat(valueOf(third, "the one who waited")).isEqualTo(6);
    until(() -> peer().openCount() == 0, "the account being closed");
  }

  @Test
  void letsSendersGoWhenTheObjectEnds() {
    var bounded =
        ActiveObjects.on(grid.get(0)).with(Options.STANDARD.withQueueBound(1)).create(Cell.class);
    bounded.waitAt("ending");
    Waits.await(Cell.gate("at ending"), "the cell being busy");
    var senders = new CompletableFuture<?>[4];
    for (var i = 0; i < senders.length; i++) {
      senders[i] =
          onPlatformThread(
              () -> {
                for (var call = 0; call < 10; call++) {
                  bounded.add(call);
                }
                return null;
              });
    }

    var end = ActiveObjects.ref(bounded).terminateNow();
    Cell.gate("ending").countDown();

    valueOf(end, "the end");
    for (var sender : senders) {
      valueOf(sender, "a sender");
    }
  }

  @Test
  void closingEndsCallsAndThreads() {
    var small = InProcessGrid.start(2, new FaultyTransport());
    var first = small.get(0);
    var cell = ActiveObjects.on(first).create(Cell.class);
    var pending = ActiveObjects.ref(cell).ask(c -> c.waitAndGive("closing", 1));
    Waits.await(Cell.gate("at closing"), "the cell being busy");
    var runtime = small.member(0).node();

    small.close();

    assertThat(Waits.failureOf(pending, "the pending call"))
        .hasMessageContaining("this node has left the grid")
        .hasMessageContaining("Cell.waitAndGive");
    Cell.gate("closing").countDown();
    until(() -> runtime.objects().timer().isTerminated(), "the end of the timer");
    assertThat(NodeRuntime.main().peers().known(first.id())).as("what is known of it").isNull();
    assertThat(first.isAlive()).isFalse();
  }
}
