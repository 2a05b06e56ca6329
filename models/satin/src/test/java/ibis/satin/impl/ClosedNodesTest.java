package ibis.satin.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;

/** The nodes of a closed world. */
@Timeout(60)
class ClosedNodesTest {

  @Test
  void admitNoneLater() throws Exception {
    try (var nodes = LocalNodes.start(2)) {
      var closed = ClosedNodes.of(nodes.nodes());
      BlockingQueue<Node> told = new LinkedBlockingQueue<>();
      closed.onJoin(told::add);
      BlockingQueue<Node> all = new LinkedBlockingQueue<>();
      nodes.nodes().onJoin(all::add); // is told after the former
      nodes.join();
      for (int i = 0; i < 3; i++) {
        assertThat(all.poll(30, TimeUnit.SECONDS)).isNotNull();
      }

      assertThat(told).containsExactly(nodes.get(0), nodes.get(1));
      assertThat(closed.list()).containsExactly(nodes.get(0), nodes.get(1));
      assertThatThrownBy(() -> closed.get(2)).hasMessageContaining("no more are admitted");
      assertThatThrownBy(() -> closed.request(1)).hasMessageContaining("-Dsatin.closed");
    }
  }

  @Test
  void areFewerWhenOneIsLost() throws Exception {
    try (var nodes = LocalNodes.start(2)) {
      var closed = ClosedNodes.of(nodes.nodes());
      BlockingQueue<Node> gone = new LinkedBlockingQueue<>();
      closed.onLeave((node, why) -> gone.add(node));

      nodes.kill(0);

      assertThat(gone.poll(30, TimeUnit.SECONDS)).isEqualTo(nodes.get(0));
      assertThat(closed.list()).containsExactly(nodes.get(1));
    }
  }
}
