package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Something that is measured, in one row or several. */
public interface Benchmark {

  /** Returns the name by which users choose it. */
  String name();

  /** Returns what it measures, in a line. */
  String about();

  /**
   * Measures; takes a minute or so.
   *
   * @throws IOException if a JVM that measures failed
   */
  List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException;

  /** Draws what it has measured, where rows as bars do not show all of it. */
  default void draw(Path folder) throws IOException {}
}
