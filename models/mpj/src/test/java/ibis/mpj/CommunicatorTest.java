package ibis.mpj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommunicatorTest {

  @Test
  void splitsByColourAndOrdersByKey() throws MPJException {
    Ranks.runEachWay(
        4,
        rank -> {
          var part = MPJ.COMM_WORLD.split(rank == 3 ? MPJ.UNDEFINED : rank % 2, -rank);
          if (rank == 3) {
            assertThat(part).isNull();
            return;
          }
          assertThat(part.size()).isEqualTo(rank == 1 ? 1 : 2);
          assertThat(part.rank()).isEqualTo(rank == 0 ? 1 : 0);
          var sum = new int[1];
          part.allreduce(new int[] {rank}, 0, sum, 0, 1, MPJ.INT, MPJ.SUM);
          assertThat(sum[0]).isEqualTo(rank == 1 ? 1 : 2);
          part.free();
          assertThat(part.isNull()).isTrue();
          assertThatThrownBy(part::rank)
              .isInstanceOfSatisfying(
                  MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_COMM));
        });
  }

  @Test
  void keepsMessagesOfCommunicatorsApart() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var other = (Intracomm) MPJ.COMM_WORLD.clone();
          var peer = 1 - rank;
          other.send(new int[] {1}, 0, 1, MPJ.INT, peer, 5);
          MPJ.COMM_WORLD.send(new int[] {2}, 0, 1, MPJ.INT, peer, 5);
          other.barrier();
          var into = new int[1];
          MPJ.COMM_WORLD.recv(into, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, MPJ.ANY_TAG);
          assertThat(into[0]).isEqualTo(2);
          other.recv(into, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, MPJ.ANY_TAG);
          assertThat(into[0]).isEqualTo(1);
          assertThat(Comm.compare(MPJ.COMM_WORLD, other)).isEqualTo(MPJ.CONGRUENT);
          assertThat(Comm.compare(other, other)).isEqualTo(MPJ.IDENT);
          assertThat(Comm.compare(MPJ.COMM_WORLD, MPJ.COMM_SELF)).isEqualTo(MPJ.UNEQUAL);
          var turned = MPJ.COMM_WORLD.split(0, -rank);
          assertThat(Comm.compare(MPJ.COMM_WORLD, turned)).isEqualTo(MPJ.SIMILAR);
          other.free();
        });
  }

  @Test
  void isMadeOfAGroup() throws MPJException {
    Ranks.runEachWay(
        4,
        rank -> {
          var all = MPJ.COMM_WORLD.group();
          var some = all.incl(new int[] {2, 0});
          var made = MPJ.COMM_WORLD.create(some);
          assertThat(made == null).isEqualTo(rank % 2 == 1);
          if (made != null) {
            assertThat(made.rank()).isEqualTo(rank == 2 ? 0 : 1);
            var value = new int[] {rank};
            made.bcast(value, 0, 1, MPJ.INT, 0);
            assertThat(value[0]).isEqualTo(2);
          }
          assertThat(MPJ.COMM_SELF.size()).isEqualTo(1);
          assertThat(MPJ.COMM_SELF.rank()).isZero();
        });
  }

  @Test
  void hasGroupsThatAreSets() throws MPJException {
    Ranks.run(
        4,
        1,
        rank -> {
          var all = MPJ.COMM_WORLD.group();
          var low = all.incl(new int[] {0, 1, 2});
          var high = all.excl(new int[] {0, 1});
          assertThat(Group.union(high, low).size()).isEqualTo(4);
          assertThat(all.translateRanks(Group.union(high, low), new int[] {0, 1, 2, 3}))
              .containsExactly(2, 3, 0, 1);
          assertThat(Group.intersection(low, high).size()).isEqualTo(1);
          assertThat(Group.difference(low, high).size()).isEqualTo(2);
          assertThat(Group.compare(Group.union(high, low), all)).isEqualTo(MPJ.SIMILAR);
          assertThat(Group.compare(all, all.rangeIncl(new int[][] {{0, 3, 1}})))
              .isEqualTo(MPJ.IDENT);
          assertThat(Group.compare(low, high)).isEqualTo(MPJ.UNEQUAL);
          assertThat(all.rangeExcl(new int[][] {{3, 0, -2}}).size()).isEqualTo(2);
          assertThat(low.translateRanks(all, new int[] {3})).containsExactly(MPJ.UNDEFINED);
          assertThat(low.rank()).isEqualTo(rank == 3 ? MPJ.UNDEFINED : rank);
          assertThatThrownBy(() -> all.incl(new int[] {4}))
              .isInstanceOfSatisfying(
                  MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_RANK));
          low.free();
          assertThatThrownBy(low::size)
              .isInstanceOfSatisfying(
                  MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_GROUP));
        });
  }

  @Test
  void hasAttributes() throws MPJException {
    Ranks.run(
        1,
        1,
        rank -> {
          assertThat((Integer) MPJ.COMM_WORLD.attrGet(MPJ.TAG_UB))
              .isGreaterThanOrEqualTo((1 << 30) - 1);
          assertThat(MPJ.COMM_WORLD.attrGet(MPJ.HOST)).isInstanceOf(String.class);
          assertThat(MPJ.COMM_WORLD.attrGet(MPJ.IO)).isEqualTo(MPJ.ANY_SOURCE);
          assertThat(MPJ.COMM_WORLD.attrGet(MPJ.WTIME_IS_GLOBAL)).isEqualTo(0);
          assertThat(MPJ.COMM_WORLD.attrGet(4711)).isNull();
          assertThat(MPJ.COMM_WORLD.topoTest()).isEqualTo(MPJ.UNDEFINED);
          assertThat(MPJ.queryThread()).isEqualTo(MPJ.THREAD_MULTIPLE);
          assertThat(MPJ.isMainThread()).isTrue();
        });
  }

  @Test
  void isArrangedAsAGrid() throws MPJException {
    Ranks.runEachWay(
        4,
        rank -> {
          var dims = new int[] {0, 0};
          Cartcomm.dimsCreate(4, dims);
          assertThat(dims).containsExactly(2, 2);
          var grid = MPJ.COMM_WORLD.createCart(dims, new boolean[] {true, false}, true);
          assertThat(grid.topoTest()).isEqualTo(MPJ.CART);
          assertThat(grid.coords(grid.rank())).containsExactly(rank / 2, rank % 2);
          assertThat(grid.rank(new int[] {3, 1})).isEqualTo(3);
          var rows = grid.shift(0, 1);
          assertThat(rows.rankDest).isEqualTo((rank + 2) % 4);
          assertThat(rows.rankSource).isEqualTo((rank + 2) % 4);
          var columns = grid.shift(1, 1);
          assertThat(columns.rankDest).isEqualTo(rank % 2 == 0 ? rank + 1 : MPJ.PROC_NULL);
          assertThat(columns.rankSource).isEqualTo(rank % 2 == 1 ? rank - 1 : MPJ.PROC_NULL);
          var row = grid.sub(new boolean[] {false, true});
          assertThat(row.size()).isEqualTo(2);
          assertThat(row.get().dims).containsExactly(2);
          assertThat(row.get().coords).containsExactly(rank % 2);
          var sum = new int[1];
          row.allreduce(new int[] {rank}, 0, sum, 0, 1, MPJ.INT, MPJ.SUM);
          assertThat(sum[0]).isEqualTo(rank / 2 * 4 + 1);
          var small = MPJ.COMM_WORLD.createCart(new int[] {3}, new boolean[1], false);
          assertThat(small == null).isEqualTo(rank == 3);
          assertThat(((Cartcomm) grid.clone()).get().dims).containsExactly(2, 2);
          assertThatThrownBy(() -> MPJ.COMM_WORLD.createCart(new int[] {5}, new boolean[1], false))
              .isInstanceOfSatisfying(
                  MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_DIMS));
        });
  }

  @Test
  void findsDimensionsAsEvenAsCanBe() throws MPJException {
    assertThat(dims(6, 0, 0)).containsExactly(3, 2);
    assertThat(dims(12, 0, 0, 0)).containsExactly(3, 2, 2);
    assertThat(dims(7, 0, 0)).containsExactly(7, 1);
    assertThat(dims(12, 0, 3, 0)).containsExactly(2, 3, 2);
    assertThat(dims(1000, 0, 0, 0)).containsExactly(10, 10, 10);
  }

  private static int[] dims(int nodes, int... dims) throws MPJException {
    Cartcomm.dimsCreate(nodes, dims);
    return dims;
  }

  @Test
  void isArrangedAsAGraph() throws MPJException {
    Ranks.runEachWay(
        3,
        rank -> {
          var graph =
              MPJ.COMM_WORLD.createGraph(new int[] {2, 3, 4}, new int[] {1, 2, 0, 0}, false);
          assertThat(graph.topoTest()).isEqualTo(MPJ.GRAPH);
          assertThat(graph.neighbours(0)).containsExactly(1, 2);
          assertThat(graph.neighbours(2)).containsExactly(0);
          assertThat(graph.get().index).containsExactly(2, 3, 4);
          assertThatThrownBy(() -> MPJ.COMM_WORLD.createGraph(new int[] {1}, new int[] {5}, false))
              .isInstanceOfSatisfying(
                  MPJException.class,
                  e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_TOPOLOGY));
        });
  }

  @Test
  void connectsTwoGroups() throws MPJException {
    Ranks.runEachWay(
        4,
        rank -> {
          var isLow = rank < 2;
          var own = MPJ.COMM_WORLD.split(isLow ? 0 : 1, rank);
          var inter = MPJ.COMM_WORLD.createIntercomm(own, 0, isLow ? 2 : 0, 99);
          assertThat(inter.testInter()).isTrue();
          assertThat(inter.size()).isEqualTo(2);
          assertThat(inter.remoteSize()).isEqualTo(2);
          assertThat(inter.remoteGroup().size()).isEqualTo(2);
          var into = new int[1];
          inter.sendrecv(
              new int[] {rank}, 0, 1, MPJ.INT, own.rank(), 1, into, 0, 1, MPJ.INT, own.rank(), 1);
          assertThat(into[0]).isEqualTo((rank + 2) % 4);
          var merged = inter.merge(isLow);
          assertThat(merged.size()).isEqualTo(4);
          assertThat(merged.rank()).isEqualTo((rank + 2) % 4);
          var sum = new int[1];
          merged.allreduce(new int[] {rank}, 0, sum, 0, 1, MPJ.INT, MPJ.SUM);
          assertThat(sum[0]).isEqualTo(6);
          var twin = (Intercomm) inter.clone();
          assertThat(Comm.compare(inter, twin)).isEqualTo(MPJ.CONGRUENT);
          inter.free();
        });
  }

  @Test
  void canBeMadeManyTimes() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          for (var i = 0; i < 200; i++) {
            var made = (Intracomm) MPJ.COMM_WORLD.clone();
            made.barrier();
            made.free();
          }
        });
  }

  @Test
  void beginsAndEndsAgainAndAgain() throws MPJException {
    org.troupe.mpj.launch.TestRank.run(
        2,
        2,
        rank -> {
          for (var i = 0; i < 100; i++) {
            MPJ.init(new String[0]);
            MPJ.COMM_WORLD.barrier();
            assertThat(MPJ.initialized()).isTrue();
            MPJ.finish();
          }
          assertThatThrownBy(() -> MPJ.COMM_WORLD.rank())
              .isInstanceOfSatisfying(
                  MPJException.class, e -> assertThat(e.getErrorClass()).isEqualTo(MPJ.ERR_OTHER))
              .hasMessageContaining("Finalize");
        });
  }
}
