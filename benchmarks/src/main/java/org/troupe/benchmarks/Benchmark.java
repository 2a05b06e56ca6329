package org.troupe.benchmarks;

import java.io.IOException;
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
        new Deploy(),
        new Stages(),
        Paper.latency(),
        Paper.throughput(),
        Paper.pingPong());
  }
}
