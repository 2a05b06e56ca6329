package org.troupe.activeobjects.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.until;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Extensions of nodes. */
@Timeout(60)
class NodeExtensionTest {

  @Test
  void receivesPacketsOfItsOwnNodeAlsoAfterThatWasClosed() {
    var extension = new PacketRecorder();
    var grid = InProcessGrid.start(1);
    var node = grid.member(0).node().objects();
    var own = node.reference(node.service());
    node.service().extensions().attach(extension);

    send(own, extension.key(), "before");
    grid.close();
    until(() -> node.body(NodeObjects.SERVICE_NUMBER) == null, "the end of the node's own service");
    send(own, extension.key(), "after"); // as threads may that still work for the node

    assertThat(extension.values).containsExactly("before", "after");
  }

  private static void send(Ref<?> neighbour, BodyExtension.Key key, String value) {
    Collectives.current().sendToNode(neighbour, key, 0, 0, value);
  }

  /** Records the values of the packets that it receives. */
  private static final class PacketRecorder implements BodyExtension {

    final List<Object> values = new ArrayList<>();

    @Override
    public Key key() {
      return new Key(0, 1);
    }

    @Override
    public void attached(Ref<?> self) {}

    @Override
    public void received(int from, long tag, Packet packet) {
      values.add(packet.value());
    }

    @Override
    public void lost(NodeId node, String why) {}
  }
}
