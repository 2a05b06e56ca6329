/**
 * The method of the benchmarks: processes that take turns, warm-up, pinning to cores, rows and
 * goals.
 *
 * <p>A {@link org.troupe.benchmarks.harness.Benchmark} enters {@link
 * org.troupe.benchmarks.harness.ContenderProcess}es into a {@link
 * org.troupe.benchmarks.harness.BenchmarkContest}. The contest asks them for one figure per turn
 * through their standard input; in the measuring JVM, {@link
 * org.troupe.benchmarks.harness.TurnProtocol} answers. The figures become {@link
 * org.troupe.benchmarks.harness.BenchmarkRow}s. Read {@code BenchmarkContest} first. This package
 * must not know any benchmark, nor Troupe's modules.
 */
@NullMarked
package org.troupe.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
