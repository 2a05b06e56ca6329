package org.troupe.em3d.run;

/** A listener to the progress of a run, called on the thread that runs it. */
@FunctionalInterface
public interface RunListener {

  /** Reports progress, a few times per second. */
  void progress(RunCollector.Progress progress);

  /** Reports an event in one line for the user. */
  default void news(String line) {}
}
