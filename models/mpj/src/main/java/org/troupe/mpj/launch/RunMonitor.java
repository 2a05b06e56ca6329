package org.troupe.mpj.launch;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** Learns how ranks end, and decides when the run is over, and with which code. */
public class RunMonitor {

  private final int ranks;
  private final BitSet finalized = new BitSet();
  private final BitSet ended = new BitSet();
  private final CompletableFuture<Integer> outcome = new CompletableFuture<>();
  private int code;

  /** Awaits so many ranks. */
  public RunMonitor(int ranks) {
    this.ranks = ranks;
  }

  /** Returns the code of the run, when it is over. */
  public CompletableFuture<Integer> outcome() {
    return outcome.copy();
  }

  /** A rank has ended message passing. Waits, as its JVM may end next. */
  public boolean finalized(int rank) {
    finalized.set(rank);
    return true;
  }

  /** A rank wants all to end. */
  public boolean aborted(int withCode) {
    outcome.complete(withCode);
    return true;
  }

  /** The main of a rank has returned or thrown. */
  public void ended(int rank, int its, boolean endsRun) {
    ended.set(rank);
    code = code == 0 ? its : code;
    if (endsRun || ended.cardinality() == ranks) {
      outcome.complete(code);
    }
  }

  /**
   * The JVM of a rank has ended.
   *
   * @param exitCode the code of its process, or a negative number
   */
  public void lost(int rank, int exitCode) {
    if (ended.get(rank)) {
      return;
    }
    var isOrderly = finalized.get(rank) && exitCode == 0;
    ended(rank, isOrderly ? 0 : exitCode > 0 ? exitCode : 1, exitCode > 0);
  }
}
