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
    TestRank.run(ranks, nodes, rank -> between(act, rank));
  }

  private static void between(Act act, int rank) throws Throwable {
    MPI.Init(new String[0]);
    act.at(rank);
    MPI.Finalize();
  }

  /** Each way: all on one node, each on its own, with and without shared memory, and mixed. */
  static void runEachWay(int ranks, Act act) {
    run(ranks, 1, act);
    run(ranks, ranks, act);
    TestRank.runInSharedMemory(ranks, ranks, rank -> between(act, rank));
    if (ranks > 2) {
      run(ranks, 2, act);
      TestRank.runInSharedMemory(ranks, 2, rank -> between(act, rank));
    }
  }
}
