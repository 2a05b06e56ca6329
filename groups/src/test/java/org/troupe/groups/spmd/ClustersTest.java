package org.troupe.groups.spmd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Part.Act;

/** Collectives of members in several clusters and hosts: what is between two clusters goes once. */
@Timeout(120)
class ClustersTest {

  private static final int MEMBERS = 12;
  private static final int NODES = 6;
  private static final AtomicInteger CROSSED = new AtomicInteger();

  /** Counts what comes from other clusters. */
  static final class Counting extends CommunicatorExtension {

    private final MemberLocation[] places;
    private transient MemberLocation place;

    Counting(Object[] members, MemberLocation[] locations) {
      super(Collectives.current().newKey(), members, locations, false);
      places = locations;
    }

    @Override
    public void attached(Ref<?> self) {
      super.attached(self);
      place = places[communicator().rank()];
    }

    @Override
    public void received(int from, long tag, Packet packet) {
      if (!places[from].cluster().equals(place.cluster())) {
        CROSSED.incrementAndGet();
      }
      super.received(from, tag, packet);
    }
  }

  /** Returns the locations of members on one host. */
  static MemberLocation[] onOneHost(int count) {
    return Collections.nCopies(count, new MemberLocation("cluster", "host"))
        .toArray(MemberLocation[]::new);
  }

  /** Where members are. */
  private enum Spread {
    /** The members of a node, a host and a cluster have consecutive ranks. */
    BLOCKS,
    /** Those of a node and a cluster have, those of a host have not. */
    HOSTS_IN_TURNS,
    /** Members are on all nodes in turns. */
    NODES_IN_TURNS
  }

  /** Creates members on several nodes of each host; a host may belong to two clusters. */
  private static List<Part> group(LocalNodes nodes, int size, int clusters, Spread spread) {
    return group(
        nodes,
        size,
        rank -> spread == Spread.NODES_IN_TURNS ? rank % NODES : rank * NODES / size,
        node ->
            new MemberLocation(
                "cluster " + node * clusters / NODES,
                "host " + (spread == Spread.HOSTS_IN_TURNS ? node % 2 : node / 2)));
  }

  private static List<Part> group(
      LocalNodes nodes, int size, IntUnaryOperator node, IntFunction<MemberLocation> location) {
    List<Part> members = new ArrayList<>();
    var places = new MemberLocation[size];
    for (var rank = 0; rank < size; rank++) {
      var its = node.applyAsInt(rank);
      members.add(ActiveObjects.on(nodes.get(its)).create(Part.class));
      places[rank] = location.apply(its);
    }
    var refs = members.stream().<Ref<?>>map(ActiveObjects::ref).toList();
    Collectives.current()
        .attach(new Counting(members.toArray(), places), refs)
        .forEach(each -> each.await().settled());
    return members;
  }

  @ParameterizedTest
  @CsvSource({
    "12,1,BLOCKS",
    "11,1,NODES_IN_TURNS",
    "12,1,HOSTS_IN_TURNS",
    "12,2,BLOCKS",
    "12,2,NODES_IN_TURNS",
    "13,2,HOSTS_IN_TURNS",
    "12,3,BLOCKS",
    "11,3,NODES_IN_TURNS",
    "7,6,BLOCKS",
    "13,6,NODES_IN_TURNS"
  })
  void giveTheSameAsInOne(int size, int clusters, Spread spread) {
    try (var nodes = LocalNodes.start(NODES)) {
      Part.all(
          group(nodes, size, clusters, spread),
          spmd -> {
            CollectivesTest.checkObjects(spmd, size);
            for (var length : List.of(0, 1, size - 1, size + 2, 50, 40_000)) {
              new CollectivesTest.Check(spmd, int.class, length).all();
            }
            for (var kind = 0; kind < 3; kind++) { // which go in chunks
              new CollectivesTest.Check(spmd, int.class, 200_000).one(kind, size - 1);
            }
            return null;
          });
    }
  }

  @Test
  void areThoseOfTheNodesAlsoForObjectsThatAreThere() {
    try (var nodes = LocalNodes.start(2)) {
      List<Part> members = new ArrayList<>();
      nodes.list().forEach(each -> members.add(ActiveObjects.on(each).create(Part.class)));
      Groups.spmd(Part.class, members);

      var clusters = Part.all(members, spmd -> clusters());

      assertThat(clusters)
          .as("not each node for itself")
          .containsOnly(List.of("localhost", "localhost"));
    }
  }

  private static List<String> clusters() {
    return Arrays.stream(
            Collectives.current()
                .extensionsOfCurrent(CommunicatorExtension.class)
                .getFirst()
                .communicator()
                .hierarchy()
                .locations())
        .map(MemberLocation::cluster)
        .toList();
  }

  private record Row(String name, int crossings, Act<Object> act) {}

  @ParameterizedTest
  @CsvSource({
    "2,BLOCKS",
    "2,HOSTS_IN_TURNS",
    "2,NODES_IN_TURNS",
    "3,BLOCKS",
    "3,HOSTS_IN_TURNS",
    "3,NODES_IN_TURNS"
  })
  void crossOnce(int clusters, Spread spread) {
    var others = clusters - 1;
    var each = Collections.nCopies(MEMBERS, "x");
    var rows =
        List.of(
            new Row("broadcast", others, s -> s.broadcast(1, "x")),
            new Row("broadcast", others, s -> broadcast(s)),
            new Row("scatter", others, s -> s.scatter(1, each)),
            new Row("scatter", others, s -> scatter(s)),
            new Row("gather", others, s -> s.gather(1, "x")),
            new Row("gather", others, s -> gather(s)),
            new Row("reduce", others, s -> reduce(s, 5)),
            new Row("allGather", 2 * others, s -> s.allGather("x")),
            new Row("allGather", clusters * others, s -> allGather(s)),
            new Row("allToAll", clusters * others, s -> s.allToAll(each)),
            new Row("allToAll", clusters * others, s -> allToAll(s)));
    try (var nodes = LocalNodes.start(NODES)) {
      var members = group(nodes, MEMBERS, clusters, spread);
      rows.forEach(row -> check(members, row));
      if (spread != Spread.NODES_IN_TURNS) { // else the order of ranks prevents it
        check(members, new Row("reduce", others, s -> s.reduce(1, "x", String::concat)));
        check(members, new Row("scan", others, s -> s.scan("x", String::concat)));
        check(members, new Row("scan", others, s -> scan(s)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4, 1, 1", // in one JVM
    "4, 2, 3",
    "33, 2, 1" // too many for a board
  })
  void goInChunksOnlyIfAHostCanHaveABoard(int membersOfHost, int nodesOfHost, int chunks) {
    var size = 2 * membersOfHost;
    try (var nodes = LocalNodes.start(2 * nodesOfHost)) {
      var members =
          group(
              nodes,
              size,
              rank -> rank * 2 * nodesOfHost / size,
              node -> new MemberLocation("cluster " + node / nodesOfHost, "host"));
      check(members, new Row("reduce", chunks, s -> reduce(s, 100_000)));
    }
  }

  private static void check(List<Part> members, Row row) {
    CROSSED.set(0);
    Part.all(members, row.act());
    assertThat(CROSSED.get()).as(row.name()).isEqualTo(row.crossings());
  }

  private static Slice<double[]> slice(int length) {
    return Slice.of(new double[length]);
  }

  private static Object broadcast(Spmd<Part> s) {
    s.broadcast(1, slice(5));
    return null;
  }

  private static Object scatter(Spmd<Part> s) {
    s.scatter(1, slice(MEMBERS), slice(1));
    return null;
  }

  private static Object gather(Spmd<Part> s) {
    s.gather(1, slice(1), slice(MEMBERS));
    return null;
  }

  private static Object reduce(Spmd<Part> s, int length) {
    s.reduce(1, slice(length), Operation.SUM);
    return null;
  }

  private static Object allGather(Spmd<Part> s) {
    s.allGather(slice(1), slice(MEMBERS));
    return null;
  }

  private static Object allToAll(Spmd<Part> s) {
    s.allToAll(slice(MEMBERS), slice(MEMBERS));
    return null;
  }

  private static Object scan(Spmd<Part> s) {
    s.scan(slice(5), Operation.SUM);
    return null;
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "6"})
  void operationsMayChangeWhatTheyAreGivenFirst(int clusters) {
    BinaryOperator<List<Integer>> join =
        (first, second) -> {
          first.addAll(second);
          return first;
        };
    try (var nodes = LocalNodes.start(NODES)) {
      Part.all(
          group(nodes, MEMBERS, clusters, Spread.BLOCKS),
          s -> {
            var upTo = IntStream.rangeClosed(0, s.rank()).boxed().toList();
            var all = IntStream.range(0, MEMBERS).boxed().toList();
            assertThat(s.scan(own(s), join)).isEqualTo(upTo);
            assertThat(s.allReduce(own(s), join)).isEqualTo(all);
            assertThat(s.reduce(3, own(s), join)).isEqualTo(s.rank() == 3 ? all : null);
            return null;
          });
    }
  }

  private static List<Integer> own(Spmd<Part> s) {
    return new ArrayList<>(List.of(s.rank()));
  }

  @Test
  void tellWhosePartHasTheWrongLength() {
    try (var nodes = LocalNodes.start(NODES)) {
      var members = group(nodes, MEMBERS, 2, Spread.BLOCKS);
      var results =
          Part.begun(
              members,
              s -> {
                // All together are right: what the first member of the cluster sends on would do.
                var length = s.rank() == 10 ? 2 : s.rank() == 11 ? 0 : 1;
                s.gather(0, slice(length), slice(MEMBERS));
                return null;
              });
      assertThat(Part.failureOf(results.getFirst()))
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("member 10 on node");
    }
  }
}
