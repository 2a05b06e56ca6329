/**
 * The benchmarks of the library: local and remote calls, serialization, links, groups and
 * deployment.
 *
 * <p>Each class is a {@link org.troupe.benchmarks.harness.Benchmark} that starts the sides of a
 * comparison and names the rows and their goals. {@link
 * org.troupe.benchmarks.rows.LocalCallBenchmark} is the shortest. The benchmarks do not know each
 * other, nor those of the applications.
 */
@NullMarked
package org.troupe.benchmarks.rows;

import org.jspecify.annotations.NullMarked;
