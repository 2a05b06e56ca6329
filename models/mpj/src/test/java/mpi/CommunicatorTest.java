package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommunicatorTest {

  @Test
  void splitsByColourAndOrdersByKey() {
    Ranks.runEachWay(
        4,
        rank -> {
          var part = MPI.COMM_WORLD.Split(rank == 3 ? MPI.UNDEFINED : rank % 2, -rank);
          if (rank == 3) {
            assertThat(part).isNull();
            return;
          }
          assertThat(part.Size()).isEqualTo(rank == 1 ? 1 : 2);
          assertThat(part.Rank()).isEqualTo(rank == 0 ? 1 : 0);
          var sum = new int[1];
          part.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
          assertThat(sum[0]).isEqualTo(rank == 1 ? 1 : 2);
          part.Free();
          assertThat(part.Is_null()).isTrue();
          assertThatThrownBy(part::Rank)
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_COMM));
        });
  }

  @Test
  void keepsMessagesOfCommunicatorsApart() {
    Ranks.runEachWay(
        2,
        rank -> {
          var other = (Intracomm) MPI.COMM_WORLD.clone();
          var peer = 1 - rank;
          other.Send(new int[] {1}, 0, 1, MPI.INT, peer, 5);
          MPI.COMM_WORLD.Send(new int[] {2}, 0, 1, MPI.INT, peer, 5);
          other.Barrier();
          var into = new int[1];
          MPI.COMM_WORLD.Recv(into, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
          assertThat(into[0]).isEqualTo(2);
          other.Recv(into, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
          assertThat(into[0]).isEqualTo(1);
          assertThat(Comm.Compare(MPI.COMM_WORLD, other)).isEqualTo(MPI.CONGRUENT);
          assertThat(Comm.Compare(other, other)).isEqualTo(MPI.IDENT);
          assertThat(Comm.Compare(MPI.COMM_WORLD, MPI.COMM_SELF)).isEqualTo(MPI.UNEQUAL);
          var turned = MPI.COMM_WORLD.Split(0, -rank);
          assertThat(Comm.Compare(MPI.COMM_WORLD, turned)).isEqualTo(MPI.SIMILAR);
          other.Free();
        });
  }

  @Test
  void isMadeOfAGroup() {
    Ranks.runEachWay(
        4,
        rank -> {
          var all = MPI.COMM_WORLD.Group();
          var some = all.Incl(new int[] {2, 0});
          var made = MPI.COMM_WORLD.Create(some);
          assertThat(made == null).isEqualTo(rank % 2 == 1);
          if (made != null) {
            assertThat(made.Rank()).isEqualTo(rank == 2 ? 0 : 1);
            var value = new int[] {rank};
            made.Bcast(value, 0, 1, MPI.INT, 0);
            assertThat(value[0]).isEqualTo(2);
          }
          assertThat(MPI.COMM_SELF.Size()).isEqualTo(1);
          assertThat(MPI.COMM_SELF.Rank()).isZero();
        });
  }

  @Test
  void hasGroupsThatAreSets() {
    Ranks.run(
        4,
        1,
        rank -> {
          var all = MPI.COMM_WORLD.Group();
          var low = all.Incl(new int[] {0, 1, 2});
          var high = all.Excl(new int[] {0, 1});
          assertThat(Group.Union(high, low).Size()).isEqualTo(4);
          assertThat(Group.Translate_ranks(Group.Union(high, low), new int[] {0, 1, 2, 3}, all))
              .containsExactly(2, 3, 0, 1);
          assertThat(Group.Intersection(low, high).Size()).isEqualTo(1);
          assertThat(Group.Difference(low, high).Size()).isEqualTo(2);
          assertThat(Group.Compare(Group.Union(high, low), all)).isEqualTo(MPI.SIMILAR);
          assertThat(Group.Compare(all, all.Range_incl(new int[][] {{0, 3, 1}})))
              .isEqualTo(MPI.IDENT);
          assertThat(Group.Compare(low, high)).isEqualTo(MPI.UNEQUAL);
          assertThat(all.Range_excl(new int[][] {{3, 0, -2}}).Size()).isEqualTo(2);
          assertThat(Group.Translate_ranks(all, new int[] {3}, low)).containsExactly(MPI.UNDEFINED);
          assertThat(low.Rank()).isEqualTo(rank == 3 ? MPI.UNDEFINED : rank);
          assertThatThrownBy(() -> all.Incl(new int[] {4}))
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_RANK));
          low.free();
          assertThatThrownBy(low::Size)
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_GROUP));
        });
  }

  @Test
  void hasAttributes() {
    Ranks.run(
        1,
        1,
        rank -> {
          assertThat((Integer) MPI.COMM_WORLD.Attr_get(MPI.TAG_UB))
              .isGreaterThanOrEqualTo((1 << 30) - 1);
          assertThat(MPI.COMM_WORLD.Attr_get(MPI.HOST)).isInstanceOf(String.class);
          assertThat(MPI.COMM_WORLD.Attr_get(MPI.IO)).isEqualTo(MPI.ANY_SOURCE);
          assertThat(MPI.COMM_WORLD.Attr_get(MPI.WTIME_IS_GLOBAL)).isEqualTo(0);
          assertThat(MPI.COMM_WORLD.Attr_get(4711)).isNull();
          assertThat(MPI.COMM_WORLD.Topo_test()).isEqualTo(MPI.UNDEFINED);
          assertThat(MPI.queryThread()).isEqualTo(MPI.THREAD_MULTIPLE);
          assertThat(MPI.isMainThread()).isTrue();
        });
  }

  @Test
  void isArrangedAsAGrid() {
    Ranks.runEachWay(
        4,
        rank -> {
          var dims = new int[] {0, 0};
          Cartcomm.Dims_create(4, dims);
          assertThat(dims).containsExactly(2, 2);
          var grid = MPI.COMM_WORLD.Create_cart(dims, new boolean[] {true, false}, true);
          assertThat(grid.Topo_test()).isEqualTo(MPI.CART);
          assertThat(grid.Coords(grid.Rank())).containsExactly(rank / 2, rank % 2);
          assertThat(grid.Rank(new int[] {3, 1})).isEqualTo(3);
          var rows = grid.Shift(0, 1);
          assertThat(rows.rank_dest).isEqualTo((rank + 2) % 4);
          assertThat(rows.rank_source).isEqualTo((rank + 2) % 4);
          var columns = grid.Shift(1, 1);
          assertThat(columns.rank_dest).isEqualTo(rank % 2 == 0 ? rank + 1 : MPI.PROC_NULL);
          assertThat(columns.rank_source).isEqualTo(rank % 2 == 1 ? rank - 1 : MPI.PROC_NULL);
          var row = grid.Sub(new boolean[] {false, true});
          assertThat(row.Size()).isEqualTo(2);
          assertThat(row.Get().dims).containsExactly(2);
          assertThat(row.Get().coords).containsExactly(rank % 2);
          var sum = new int[1];
          row.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
          assertThat(sum[0]).isEqualTo(rank / 2 * 4 + 1);
          var small = MPI.COMM_WORLD.Create_cart(new int[] {3}, new boolean[1], false);
          assertThat(small == null).isEqualTo(rank == 3);
          assertThat(((Cartcomm) grid.clone()).Get().dims).containsExactly(2, 2);
          assertThatThrownBy(() -> MPI.COMM_WORLD.Create_cart(new int[] {5}, new boolean[1], false))
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_DIMS));
        });
  }

  @Test
  void findsDimensionsAsEvenAsCanBe() {
    assertThat(dims(6, 0, 0)).containsExactly(3, 2);
    assertThat(dims(12, 0, 0, 0)).containsExactly(3, 2, 2);
    assertThat(dims(7, 0, 0)).containsExactly(7, 1);
    assertThat(dims(12, 0, 3, 0)).containsExactly(2, 3, 2);
    assertThat(dims(1000, 0, 0, 0)).containsExactly(10, 10, 10);
  }

  private static int[] dims(int nodes, int... dims) {
    Cartcomm.Dims_create(nodes, dims);
    return dims;
  }

  @Test
  void isArrangedAsAGraph() {
    Ranks.runEachWay(
        3,
        rank -> {
          var graph =
              MPI.COMM_WORLD.Create_graph(new int[] {2, 3, 4}, new int[] {1, 2, 0, 0}, false);
          assertThat(graph.Topo_test()).isEqualTo(MPI.GRAPH);
          assertThat(graph.Neighbours(0)).containsExactly(1, 2);
          assertThat(graph.Neighbours(2)).containsExactly(0);
          assertThat(graph.Get().index).containsExactly(2, 3, 4);
          assertThatThrownBy(() -> MPI.COMM_WORLD.Create_graph(new int[] {1}, new int[] {5}, false))
              .isInstanceOfSatisfying(
                  MPIException.class,
                  e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_TOPOLOGY));
        });
  }

  @Test
  void connectsTwoGroups() {
    Ranks.runEachWay(
        4,
        rank -> {
          var isLow = rank < 2;
          var own = MPI.COMM_WORLD.Split(isLow ? 0 : 1, rank);
          var inter = MPI.COMM_WORLD.Create_intercomm(own, 0, isLow ? 2 : 0, 99);
          assertThat(inter.Test_inter()).isTrue();
          assertThat(inter.Size()).isEqualTo(2);
          assertThat(inter.Remote_size()).isEqualTo(2);
          assertThat(inter.Remote_group().Size()).isEqualTo(2);
          var into = new int[1];
          inter.Sendrecv(
              new int[] {rank}, 0, 1, MPI.INT, own.Rank(), 1, into, 0, 1, MPI.INT, own.Rank(), 1);
          assertThat(into[0]).isEqualTo((rank + 2) % 4);
          var merged = inter.Merge(isLow);
          assertThat(merged.Size()).isEqualTo(4);
          assertThat(merged.Rank()).isEqualTo((rank + 2) % 4);
          var sum = new int[1];
          merged.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
          assertThat(sum[0]).isEqualTo(6);
          var twin = (Intercomm) inter.clone();
          assertThat(Comm.Compare(inter, twin)).isEqualTo(MPI.CONGRUENT);
          inter.Free();
        });
  }

  @Test
  void canBeMadeManyTimes() {
    Ranks.runEachWay(
        2,
        rank -> {
          for (var i = 0; i < 200; i++) {
            var made = (Intracomm) MPI.COMM_WORLD.clone();
            made.Barrier();
            made.Free();
          }
        });
  }

  @Test
  void beginsAndEndsAgainAndAgain() {
    org.troupe.mpj.launch.TestRank.run(
        2,
        2,
        rank -> {
          for (var i = 0; i < 100; i++) {
            MPI.Init(new String[0]);
            MPI.COMM_WORLD.Barrier();
            assertThat(MPI.Initialized()).isTrue();
            MPI.Finalize();
          }
          assertThatThrownBy(() -> MPI.COMM_WORLD.Rank())
              .isInstanceOfSatisfying(
                  MPIException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_OTHER))
              .hasMessageContaining("Finalize");
        });
  }
}
