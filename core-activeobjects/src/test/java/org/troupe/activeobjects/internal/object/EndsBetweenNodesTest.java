package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

@Timeout(60)
class EndsBetweenNodesTest {

  private final InProcessGrid grid = InProcessGrid.start(3, new FaultyTransport());

  /** Fails when it is told to. */
  static class Fragile implements Service {
    private boolean isBroken;

    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        queue.serveOldest(request -> true);
        if (isBroken) {
          throw new IllegalStateException("broken");
        }
      }
    }

    void breakDown() {
      isBroken = true;
    }
  }

  /** Waits for ends on its own node. */
  static class Watcher {
    End endOf(Fragile object) {
      return ActiveObjects.ref(object).end().join();
    }

    void link(Watcher other, Fragile object) {
      ActiveObjects.ref(other).linkTo(ActiveObjects.ref(object)).join();
    }

    int number() {
      return 1;
    }
  }

  @BeforeEach
  void ignoreFailures() {
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void close() {
    ActiveObjects.onFailure(null);
    grid.close();
  }

  private <T> Ref<T> on(int node, Class<T> type) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).create(type));
  }

  private static Peer home(Ref<?> ref) {
    var elsewhere = (Reference.Target.Elsewhere) ((Reference<?>) ref).target();
    return Peer.of(elsewhere.home());
  }

  /** Kills the node of an object, and has it noticed at once. */
  private void kill(int node, Ref<?> itsObject) {
    grid.kill(node);
    home(itsObject).ping();
  }

  @Test
  void theEndOfALostObjectHasTheExitReportOnEveryNode() {
    var lost = on(0, Fragile.class);
    var watcher = on(1, Watcher.class);
    var early = lost.end();

    kill(0, lost);

    var end = valueOf(early, "the end");
    assertThat(end.how()).isEqualTo(End.How.LOST);
    assertThat(end.exitReport()).isPresent();
    assertThat(valueOf(lost.end(), "the end, asked later")).isEqualTo(end);
    // A node that has never communicated with the lost one.
    var elsewhere = valueOf(watcher.ask(w -> w.endOf(lost.stub())), "the end elsewhere");
    assertThat(elsewhere).isEqualTo(end);
  }

  @Test
  void aNodeThatJoinsAfterTheLossLearnsTheReason() {
    var lost = on(0, Fragile.class);
    kill(0, lost);
    var end = valueOf(lost.end(), "the end");

    var late = grid.join();
    var watcher = ActiveObjects.ref(ActiveObjects.on(late).create(Watcher.class));

    var its = valueOf(watcher.ask(w -> w.endOf(lost.stub())), "the end on the new node");
    assertThat(its.how()).isEqualTo(End.How.LOST);
    assertThat(its.exitReport()).isEqualTo(end.exitReport());
  }

  @Test
  void aFailureIsKnownAfterTheObjectIsGone() {
    var failed = on(0, Fragile.class);
    var watcher = on(1, Watcher.class);
    failed.stub().breakDown();
    valueOf(failed.end(), "the failure");

    var end = valueOf(watcher.ask(w -> w.endOf(failed.stub())), "the end elsewhere");

    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why()).endsWith("IllegalStateException: broken");
  }

  @Test
  void aLinkOutlivesTheNodeThatMadeIt() {
    var watched = on(0, Fragile.class);
    var follower = on(1, Watcher.class);
    var maker = on(2, Watcher.class);
    valueOf(maker.tell(w -> w.link(follower.stub(), watched.stub())), "the link");
    kill(2, maker);
    valueOf(maker.end(), "the loss of the maker");

    kill(0, watched);

    var end = valueOf(follower.end(), "the linked end");
    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why()).startsWith("an object that it was linked to has ended: node 'node-1'");
    assertThat(end.exitReport()).isPresent();
  }

  @Test
  void nothingIsKeptOfWatchesOfObjectsThatHaveEnded() {
    var hub = on(0, Watcher.class);
    var node = home(hub);
    var local = ActiveObjects.ref(ActiveObjects.here().create(Watcher.class));
    local.linkTo(hub).join();
    var withdrawn = hub.end();
    until(() -> node.openCount() > 0, "the watches");

    valueOf(local.terminate(), "the end of the linked object");
    withdrawn.cancel(false);

    until(() -> node.openCount() == 0, "nothing being kept");
    assertThat(valueOf(hub.ask(Watcher::number), "a call of the hub")).isEqualTo(1);
  }

  @Test
  void theObjectsOfANodeThatLeavesAreLost() {
    var gone = on(0, Watcher.class);
    var follower = on(1, Watcher.class);
    follower.linkTo(gone).join();

    grid.leave(0);

    assertThat(valueOf(gone.end(), "the end").how()).isEqualTo(End.How.LOST);
    assertThat(valueOf(follower.end(), "the linked end").how()).isEqualTo(End.How.FAILED);
  }
}
