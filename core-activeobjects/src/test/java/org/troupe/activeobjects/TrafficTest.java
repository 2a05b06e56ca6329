package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

@Timeout(60)
class TrafficTest {

  private final InProcessGrid grid = InProcessGrid.start(2);

  @AfterEach
  void end() {
    grid.close();
  }

  /** Asks another one, and says what that took. */
  public static class Asker {

    Traffic ask(Listener listener, int times, int bytes) {
      listener.length(new byte[bytes]); // what is sent once per pair of nodes is sent now
      var before = ActiveObjects.traffic();
      for (var i = 0; i < times; i++) {
        listener.length(new byte[bytes]);
      }
      return ActiveObjects.traffic().since(before);
    }
  }

  /** Answers. */
  public static class Listener {

    int length(byte[] bytes) {
      return bytes.length;
    }
  }

  @Test
  void countsCallsAndWhatTheyCarry() {
    var asker = ActiveObjects.on(grid.list().get(0)).create(Asker.class);
    var listener = ActiveObjects.on(grid.list().get(1)).create(Listener.class);

    var sent = asker.ask(listener, 10, 100_000);

    assertThat(sent.messages()).isEqualTo(10);
    assertThat(sent.bytes()).isBetween(1_000_000L, 1_010_000L);
  }

  @Test
  void doesNotCountWhatStaysOnTheNode() {
    var node = grid.list().get(0);
    var asker = ActiveObjects.on(node).create(Asker.class);
    var listener = ActiveObjects.on(node).create(Listener.class);

    assertThat(asker.ask(listener, 10, 100)).isEqualTo(Traffic.NONE);
  }
}
