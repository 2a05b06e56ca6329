package org.troupe.em3d.run;

/** Is told how a run goes, on the thread that runs it. */
@FunctionalInterface
public interface RunListener {

  /** The run is at a step; comes a few times each second. */
  void progress(RunCollector.Progress progress);

  /** Something happened that the user should know; one line. */
  default void news(String line) {}
}
