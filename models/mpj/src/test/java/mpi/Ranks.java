package mpi;

import org.troupe.mpj.launch.TestRank;

/** Runs tests as ranks, between Init and Finalize. */
final class Ranks {

  private Ranks() {}

  @FunctionalInterface
  interface Act {
    void at(int rank) throws Throwable;
  }

  /** On so many nodes: ranks on one node reach each other directly. */
  static void run(int ranks, int nodes, Act act) {
    TestRank.run(
        ranks,
        nodes,
        rank -> {
          MPI.Init(new String[0]);
          act.at(rank);
          MPI.Finalize();
        });
  }

  /** Each way: all on one node, each on its own, and mixed. */
  static void runEachWay(int ranks, Act act) {
    run(ranks, 1, act);
    run(ranks, ranks, act);
    if (ranks > 2) {
      run(ranks, 2, act);
    }
  }
}
