package ibis.mpj;

import org.troupe.mpj.launch.TestRank;

/** Runs tests as ranks, between init and finish. */
final class Ranks {

  private Ranks() {}

  @FunctionalInterface
  interface Act {
    void at(int rank) throws Throwable;
  }

  static void run(int ranks, int nodes, Act act) {
    TestRank.run(
        ranks,
        nodes,
        rank -> {
          MPJ.init(new String[0]);
          act.at(rank);
          MPJ.finish();
        });
  }

  /** One way is enough here: those of the other dialect try all. */
  static void runEachWay(int ranks, Act act) {
    run(ranks, ranks, act);
  }
}
