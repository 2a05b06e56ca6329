package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Ref;
import org.troupe.groups.Solvers.Mesh;
import org.troupe.groups.Solvers.Solver;

@Timeout(60)
class CreationTest {

  private static LocalNodes nodes;

  @BeforeAll
  static void start() {
    nodes = LocalNodes.start(2);
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private static List<String> places(Solver all) {
    return Group.of(all).stream().map(s -> ActiveObjects.ref(s).node().name()).toList();
  }

  private static Solver placed(Placement placement) {
    return Groups.on(nodes.list()).placed(placement).create(Solver.class, new Mesh(1));
  }

  @Test
  void placesMembersByRule() {
    assertThat(places(placed(Placement.each(2))))
        .containsExactly("node-1", "node-1", "node-2", "node-2");
    assertThat(places(placed(Placement.roundRobin(3))))
        .containsExactly("node-1", "node-2", "node-1");
    assertThat(places(placed(Placement.packed(3, 2))))
        .containsExactly("node-1", "node-1", "node-2");
    assertThat(places(placed(Placement.perHost(1)))).containsExactly("node-1");
    assertThat(Group.of(Groups.here().each(3).create(Solver.class, new Mesh(1))).size())
        .isEqualTo(3);
    assertThat(
            Group.of(Groups.here().placed(Placement.perHost(2)).create(Solver.class, new Mesh(1)))
                .size())
        .isEqualTo(2);
  }

  /** A node of which only the name and the virtual nodes are known. */
  private record Place(NodeId id, List<String> virtualNodes) implements Node {
    static Place of(String name, String... virtualNodes) {
      return new Place(new NodeId(name, 1), List.of(virtualNodes));
    }

    @Override
    public String host() {
      return "h";
    }

    @Override
    public Map<String, String> attributes() {
      return Map.of();
    }

    @Override
    public boolean isLocal() {
      return false;
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public CompletableFuture<List<Ref<?>>> evacuate(Nodes others) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> T lookup(String name, Class<T> type) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void placesMembersByVirtualNodes() {
    List<Node> three =
        List.of(Place.of("a", "solvers"), Place.of("b", "solvers", "io"), Place.of("c", "io"));
    assertThat(Placement.perVirtualNode(3).place(three).stream().map(Node::name))
        .containsExactly("a", "b", "a", "b", "c", "b");
    assertThatThrownBy(() -> Placement.perVirtualNode(1).place(List.of(Place.of("d"))))
        .hasMessageContaining("node 'd' is of no virtual node");
  }

  @Test
  void ranksFollowTheNamesOfNodesNotTheirJoining() {
    try (var many = LocalNodes.start(11)) {
      assertThat(places(Groups.on(shuffled(many.nodes())).create(Solver.class, new Mesh(1))))
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, 11).mapToObj(i -> "node-" + i).toList());
      assertThat(places(Groups.on(many.list().reversed()).create(Solver.class, new Mesh(1))))
          .startsWith("node-11", "node-10");
    }
  }

  /** The same nodes as if they had joined in another order. */
  private static Nodes shuffled(Nodes nodes) {
    return (Nodes)
        Proxy.newProxyInstance(
            Nodes.class.getClassLoader(),
            new Class<?>[] {Nodes.class},
            (self, method, arguments) -> {
              var list = new ArrayList<>(nodes.list());
              Collections.shuffle(list, new Random(1));
              assertThat(method.getName()).isEqualTo("list");
              return list;
            });
  }

  @Test
  void refusesWhatMakesNoGroup() {
    assertThatThrownBy(() -> placed(Placement.packed(5, 2)))
        .hasMessageContaining("5 members do not fit on 2 nodes with 2 each");
    assertThatThrownBy(() -> Placement.each(0)).hasMessageContaining("give at least 1");
    assertThatThrownBy(() -> Groups.on(List.<Node>of()).create(Solver.class, new Mesh(1)))
        .hasMessageContaining("no node was given")
        .hasMessageContaining("use Groups.here() for this JVM");
  }

  @Test
  void refusesAScatterOfTheWrongLength() {
    var parts = Scatter.of(List.of(new Mesh(1), new Mesh(2), new Mesh(3)));
    assertThatThrownBy(() -> Groups.on(nodes.list()).create(Solver.class, parts))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a scatter of 3 parts was given to 2 members");
  }

  @Test
  void makesNothingIfAScatterFailsLater() {
    var parts =
        Scatter.byRank(
            rank -> {
              if (rank == 1) {
                throw new IllegalStateException("no part");
              }
              return rank;
            });
    assertThatThrownBy(() -> Groups.on(nodes.list()).create(Counted.class, parts))
        .hasMessage("no part");
    Groups.on(nodes.get(0)).create(Counted.class, 7);
    assertThat(Counted.MADE).containsExactly(7);
  }

  public static class Counted {
    static final List<Integer> MADE = new CopyOnWriteArrayList<>();

    public Counted(Integer part) {
      MADE.add(part);
    }
  }

  @Test
  void tellsWhichConstructorsFailed() {
    var parts = Scatter.of(List.of(new Mesh(1), new Mesh(-1)));
    assertThatThrownBy(() -> Groups.on(nodes.list()).create(Solver.class, parts))
        .isInstanceOf(GroupCallException.class)
        .hasMessageContaining("the constructor of Solver failed on 1 of 2 members:")
        .hasMessageContaining("rank 1 (node 'node-2'): ")
        .hasMessageContaining("a mesh of -1 cells");
  }

  @Test
  void takesWholesApart() {
    assertThat(Scatter.blocks(new double[] {1, 2, 3, 4, 5}).part(0, 2)).containsExactly(1, 2, 3);
    assertThat(Scatter.blocks(new double[] {1, 2, 3, 4, 5}).part(1, 2)).containsExactly(4, 5);
    assertThat(Scatter.blocks(new float[] {1, 2}).part(1, 2)).containsExactly(2);
    assertThat(Scatter.blocks(new int[] {1, 2}).part(0, 2)).containsExactly(1);
    assertThat(Scatter.blocks(new long[] {1}).part(1, 2)).isEmpty();
    assertThat(Scatter.blocks(new byte[] {1, 2}).part(1, 2)).containsExactly(2);
    assertThat(Scatter.cyclic(List.of(1, 2, 3, 4, 5)).part(1, 2)).containsExactly(2, 4);
    assertThat(Scatter.byKey(List.of(1, 2, 3, -1), n -> n).part(1, 2)).containsExactly(1, 3, -1);
    assertThat(Scatter.byRank(rank -> "p" + rank).part(1, 2)).isEqualTo("p1");
  }

  @Test
  void followsItsNodes() throws Exception {
    try (var own = LocalNodes.start(2)) {
      var news = new LinkedBlockingQueue<String>();
      var following = Groups.following(own.nodes()).create(Solver.class, new Mesh(1));
      following.onChange(
          new LiveGroup.Listener<Solver>() {
            @Override
            public void left(Solver member, int rank, Node node, String reason) {
              news.add("left " + rank + " " + node.name());
            }
          });
      var before = following.await(2, Duration.ofSeconds(30));
      assertThat(before.ask(Solver::energy).toList()).containsExactly(1.0, 1.0);

      own.kill(0);
      assertThat(news.poll(30, TimeUnit.SECONDS)).isEqualTo("left 0 node-1");
      assertThat(following.size()).isEqualTo(1);
      assertThat(following.now().ask(Solver::energy).toList()).containsExactly(1.0);
      assertThat(before.ask(Solver::energy).outcome(0))
          .isInstanceOfSatisfying(
              MemberOutcome.Failure.class,
              failure -> assertThat(failure.exception()).isInstanceOf(NodeLostException.class));
    }
    assertThatThrownBy(
            () -> Groups.following(nodes.nodes()).create(Solver.class, Scatter.cyclic(List.of())))
        .hasMessageContaining("nothing can be scattered over them");
  }
}
