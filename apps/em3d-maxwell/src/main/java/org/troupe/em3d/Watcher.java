package org.troupe.em3d;

/** Is told how a run goes, on the thread that runs it. */
@FunctionalInterface
interface Watcher {

  /** The run is at a step; comes a few times each second. */
  void progress(Collector.Progress progress);

  /** Something happened that the user should know; one line. */
  default void news(String line) {}
}
