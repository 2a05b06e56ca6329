package org.troupe.activeobjects.internal.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.NodeId;

/** What the forwarder of a former host sends when its object has come back. */
class ForwarderTest {

  private static final NodeId HERE = new NodeId("here", 1);
  private static final NodeId THERE = new NodeId("there", 2);
  private static final Place BACK = new Place(HERE, 2);

  private final List<Routed.Content<String>> sent = new ArrayList<>();
  private final ObjectWhereabouts<String> whereabouts =
      new ObjectWhereabouts<>(HERE, new Place(HERE, 0), new Network());

  @Test
  void sendsNoMarkIfTheEndOfTheQueueWasItsLastMessage() {
    leaves();

    whereabouts.relocated(Route.OF_CALLERS, BACK);

    assertThat(sent).hasOnlyElementsOfType(Routed.Content.TailEnd.class).hasSize(1);
  }

  @Test
  void sendsAMarkBehindWhatItHasForwardedSince() {
    leaves();
    whereabouts.sendAfter(0, "a later call");

    whereabouts.relocated(Route.OF_CALLERS, BACK);

    assertThat(sent.getLast()).isInstanceOf(Routed.Content.Mark.class);
  }

  private void leaves() {
    whereabouts.born(0, new Nobody());
    whereabouts.depart(0, THERE);
    whereabouts.departed(0, THERE);
    whereabouts.tailPassedOn(0);
  }

  private static final class Nobody implements Embodiment<String> {
    @Override
    public void take(String message) {}

    @Override
    public void take(NodeId sender, Routed<String> message) {}

    @Override
    public void depart() {}

    @Override
    public void resume() {}
  }

  private final class Network implements RelocationNetwork<String> {
    @Override
    public long view() {
      return 0;
    }

    @Override
    public long lastLoss() {
      return 0;
    }

    @Override
    public boolean isLost(NodeId node) {
      return false;
    }

    @Override
    public boolean isDead(NodeId node) {
      return false;
    }

    @Override
    public void send(NodeId host, Routed<String> message) {
      if (!host.equals(HERE)) {
        sent.add(message.content());
      }
    }

    @Override
    public void sendRelocated(NodeId owner, int route, Place next) {}

    @Override
    public void sendSwitched(NodeId owner, Routed.Content.Mark<String> mark, Place next) {}

    @Override
    public void discard(Routed<String> message) {}

    @Override
    public void requestPlace(int route) {}
  }
}
