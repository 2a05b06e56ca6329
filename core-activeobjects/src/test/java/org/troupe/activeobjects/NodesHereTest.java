package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A program written for nodes also runs in its own JVM alone. */
class NodesHereTest {

  static class Counter {
    private int count;

    int next() {
      return ++count;
    }

    Node home() {
      return ActiveObjects.node();
    }

    int countOn(Node node) {
      return ActiveObjects.on(node).create(Counter.class).next();
    }
  }

  private final Nodes nodes = Nodes.here();

  @Test
  void holdsTheNodeOfThisJvm() {
    assertThat(nodes).containsExactly(ActiveObjects.node());
    assertThat(nodes.first().isLocal()).isTrue();
    assertThat(nodes.first().isAlive()).isTrue();
    assertThat(nodes.first().processors()).hasValue(Runtime.getRuntime().availableProcessors());
    assertThat(nodes.first().attributes())
        .containsEntry("pid", Long.toString(ProcessHandle.current().pid()));
  }

  @Test
  void objectsAreCreatedThere() {
    var counter = ActiveObjects.on(nodes.first()).create(Counter.class);
    assertThat(counter.next()).isEqualTo(1);
    assertThat(counter.home()).isEqualTo(nodes.first());
    assertThat(ActiveObjects.on(nodes.first()).createAsync(Counter.class).join().next())
        .isEqualTo(1);
    assertThat(ActiveObjects.on(nodes.first()).turnActive(new Counter()).next()).isEqualTo(1);
  }

  @Test
  void theNodeIsPassedToObjects() {
    var counter = ActiveObjects.here().create(Counter.class);
    assertThat(counter.countOn(nodes.first())).isEqualTo(1);
  }

  @Test
  void namesAreFoundThere() {
    var counter = ActiveObjects.here().create(Counter.class);
    ActiveObjects.register(nodes.first(), "NodesHereTest", counter);
    counter.next();
    assertThat(nodes.first().lookup("NodesHereTest", Counter.class).next()).isEqualTo(2);
  }

  @Test
  void oneNodeIsEnoughAtOnceAndTwoNeverCome() throws Exception {
    assertThat(nodes.await(Nodes.atLeast(1), Duration.ZERO)).isEqualTo(nodes);
    assertThat(nodes.await(Nodes.all(), Duration.ZERO)).isEqualTo(nodes);
    assertThatThrownBy(() -> nodes.await(Nodes.atLeast(2), Duration.ofDays(1)))
        .isInstanceOf(NodesMissingException.class)
        .hasMessage(
            "2 nodes are needed, but this set has one and no more can come; deploy a grid for more");
    assertThatThrownBy(() -> nodes.get(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("there is none at 1; deploy a grid for more");
  }

  @Test
  void listenersHearOfTheNode() throws Exception {
    var joined = new CompletableFuture<Node>();
    nodes.onJoin(joined::complete);
    nodes.onLeave((node, reason) -> joined.completeExceptionally(new AssertionError(reason)));
    nodes.onLeaving((node, reason) -> joined.completeExceptionally(new AssertionError(reason)));
    assertThat(joined.get(1, TimeUnit.MINUTES)).isEqualTo(nodes.first());
  }

  @Test
  void otherNodesAreNeitherRequestedNorReleased() {
    assertThatThrownBy(() -> nodes.request(1))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("deploy a grid");
    assertThatThrownBy(() -> nodes.release(nodes.first()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("this JVM itself");
  }

  @Test
  void aNodeOfAGridStandsForItsJvm() {
    try (var grid = LocalNodes.start(1)) {
      var counter = ActiveObjects.on(grid.get(0)).create(Counter.class);
      assertThat(counter.home().name()).isEqualTo("node-1");
      assertThat(counter.countOn(grid.get(0))).isEqualTo(1);
      assertThat(Nodes.here().first()).isEqualTo(nodes.first());
    }
  }
}
