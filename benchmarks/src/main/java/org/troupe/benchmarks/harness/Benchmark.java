package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A benchmark, which results in one or several rows. */
public interface Benchmark {

  /** Returns the name with which users select it. */
  String name();

  /** Returns a description of one line. */
  String about();

  /**
   * Returns further benchmarks of the same topic, which are measured with this one. Users may also
   * select each of them alone.
   */
  default List<Benchmark> further() {
    return List.of();
  }

  /**
   * Measures, which takes from a minute to most of an hour.
   *
   * @throws IOException if a measuring JVM failed
   */
  List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException;

  /** Draws charts beyond the bars of the rows; called after {@link #run}. */
  default void draw(Path folder) throws IOException {}
}
