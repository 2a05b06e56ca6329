/**
 * The benchmarks of the library: local and remote calls, serialization, links, groups and
 * deployment.
 *
 * <p>Each class is a {@link org.troupe.benchmarks.harness.Benchmark} that starts sides, lets them
 * compete and names the rows and their goals. {@link org.troupe.benchmarks.rows.LocalCallBenchmark}
 * is the shortest. The benchmarks do not know each other, nor those of the applications.
 */
package org.troupe.benchmarks.rows;
