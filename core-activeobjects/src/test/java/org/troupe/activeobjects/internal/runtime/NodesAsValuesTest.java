package org.troupe.activeobjects.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;

/** Nodes, and live sets of them, that active objects are given, keep, use and return. */
@Timeout(60)
class NodesAsValuesTest {

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  /** What is known of a node, in fields. */
  record Place(Node node, Nodes all) {}

  /** Does on other nodes what a program does. */
  static class Traveller {
    private final Node home;

    Traveller(Node home) {
      this.home = home;
    }

    Node home() {
      return home;
    }

    Node here() {
      return ActiveObjects.node();
    }

    String describe(Node node) {
      return node + ", " + node.virtualNodes() + ", " + node.isAlive() + ", " + node.isLocal();
    }

    Cell create(Node node) {
      return ActiveObjects.on(node).create(Cell.class);
    }

    int sumOf(Node node, String name) {
      return node.lookup(name, Cell.class).sum();
    }

    void register(Node node, String name, Cell cell) {
      ActiveObjects.register(node, name, cell);
    }

    List<Node> list(Nodes nodes) throws Exception {
      return nodes.await(Nodes.atLeast(3), Duration.ofSeconds(30)).list();
    }

    int awaitAll(Nodes nodes) throws Exception {
      return nodes.await(Nodes.all(), Duration.ofSeconds(30)).size();
    }

    Place place(Place given) {
      return new Place(home, given.all());
    }

    CompletableFuture<Node> later() {
      return CompletableFuture.supplyAsync(() -> home, Thread::startVirtualThread);
    }
  }

  private static Traveller traveller(int node) {
    return ActiveObjects.on(grid.get(node)).create(Traveller.class, grid.get(node));
  }

  @Test
  void travelAsTheirIdentity() {
    var traveller = traveller(0);

    assertThat(traveller.home().id()).isEqualTo(grid.get(0).id());
    assertThat(valueOf(traveller.later(), "a node")).isEqualTo(grid.get(0));
    assertThat(traveller.here().name()).isEqualTo("node-1");
    assertThat(traveller.describe(grid.get(0)))
        .isEqualTo("node 'node-1' on localhost, [local], true, true");
    assertThat(traveller.describe(grid.get(1)))
        .isEqualTo("node 'node-2' on localhost, [local], true, false");
    var place = traveller.place(new Place(grid.get(2), grid.nodes()));
    assertThat(place).isEqualTo(new Place(grid.get(0), grid.nodes()));
  }

  @Test
  void mayBeUsedInsideAnActiveObject() throws Exception {
    var traveller = traveller(0);
    for (var node : List.of(grid.get(0), grid.get(1), ActiveObjects.node())) {
      var cell = traveller.create(node);
      cell.add(4);
      assertThat(cell.sum()).as("another caller may overtake the addition").isEqualTo(4);
      assertThat(ActiveObjects.ref(cell).node()).isEqualTo(node.id());

      traveller.register(node, "cell", cell);

      assertThat(traveller.sumOf(node, "cell")).isEqualTo(4);
      assertThat(node.lookup("cell", Cell.class)).isEqualTo(cell);
    }
    assertThat(traveller.list(grid.nodes())).containsExactlyElementsOf(grid.nodes().list());
    assertThatThrownBy(() -> traveller.awaitAll(grid.nodes()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("wait for atLeast(..) so many here");
  }

  @Test
  void areSharedWithinAJvm() {
    var here = ActiveObjects.here().create(Traveller.class, grid.get(1));
    assertThat(here.home()).isEqualTo(grid.get(1));
    assertThat(here.here()).isEqualTo(ActiveObjects.node());
    assertThat(here.create(grid.get(1)).sum()).isZero();
  }

  @Test
  void thatAreDeadSaySoWhenTheyAreUsed() {
    try (var mortal = InProcessGrid.start(2)) {
      var traveller = ActiveObjects.on(mortal.get(0)).create(Traveller.class, mortal.get(0));
      var dead = mortal.get(1);
      mortal.kill(1);
      until(() -> mortal.nodes().size() == 1, "the loss of a node");
      until(() -> traveller.describe(dead).endsWith("false, false"), "its being known");

      assertThatThrownBy(() -> traveller.sumOf(dead, "cell"))
          .isInstanceOf(NodeLostException.class)
          .hasMessageStartingWith("node 'node-2' is gone")
          .hasMessageEndingWith("; lookup(String, String) on node 'node-2' was not sent");
      var created = ActiveObjects.ref(traveller).ask(each -> each.create(dead));
      assertThat(failureOf(created, "creation on a dead node"))
          .isInstanceOf(NodeLostException.class)
          .hasMessageContaining("node 'node-2' is gone");
    }
  }

  @Test
  void ofAnotherGridAreRefused() {
    var traveller = traveller(0);
    try (var other = InProcessGrid.start(1)) {
      var stranger = ActiveObjects.on(other.get(0)).create(Cell.class);
      assertThatThrownBy(() -> traveller.describe(other.get(0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "node 'node-1' on localhost cannot be sent to a node of another grid, as nodes of"
                  + " different grids do not reach each other; send something of one grid, or an"
                  + " object of this JVM that calls it");
      assertThatThrownBy(() -> traveller.list(other.nodes()))
          .hasMessageStartingWith("the nodes of virtual node 'local' cannot be sent to");
      assertThatThrownBy(() -> traveller.register(grid.get(0), "stranger", stranger))
          .hasMessageStartingWith("a Cell on node 'node-1' cannot be sent to a node of another");
      var asked = ActiveObjects.ref(traveller).within(Duration.ofSeconds(20));
      assertThatThrownBy(() -> asked.tell(each -> each.register(grid.get(0), "stranger", stranger)))
          .isInstanceOf(IllegalArgumentException.class);

      // An object of this JVM, which is in both grids, may call both, and be called by both.
      var here = ActiveObjects.here().create(Traveller.class, other.get(0));
      assertThat(here.create(other.get(0)).sum()).isZero();
      assertThat(here.create(grid.get(0)).sum()).isZero();
      assertThat(NodeRuntime.main().peers().known(grid.get(0).id()).openCount()).isZero();
    }
  }
}
