package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Something that is measured, in one row or several. */
interface Benchmark {

  /** Returns the name by which users choose it. */
  String name();

  /** Returns what it measures, in a line. */
  String about();

  /**
   * Measures; takes a minute or so.
   *
   * @throws IOException if a JVM that measures failed
   */
  List<Row> run(Effort effort) throws IOException, InterruptedException;

  /** Draws what it has measured, where rows as bars do not show all of it. */
  default void draw(Path folder) throws IOException {}

  /** Returns all benchmarks, in the order in which they run. */
  static List<Benchmark> all() {
    return List.of(
        new Local(),
        new Idle(),
        new Serialization(),
        new Links(),
        new Rmi(),
        new Ibis(),
        new Bulk(),
        new Tls(),
        new Collectives(),
        new Em3d(),
        new Em3dFar(),
        new Apps(),
        new AppsFar(),
        new Deploy(),
        new Stages(),
        Paper.latency(),
        Paper.throughput(),
        Paper.pingPong());
  }
}
