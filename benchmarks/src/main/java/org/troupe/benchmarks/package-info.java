/**
 * The program {@code ./troupe bench}: measures Troupe against hardware limits, bare JDK facilities
 * and other systems.
 *
 * <p>{@link org.troupe.benchmarks.Main} runs the chosen {@link
 * org.troupe.benchmarks.harness.Benchmark}s one after the other and prints their rows. The
 * benchmarks stand in {@code rows}, {@code models}, {@code apps} and {@code em3d}. Each side of a
 * comparison runs in a JVM of its own (a {@link org.troupe.benchmarks.harness.ContenderProcess}),
 * whose main class is in {@code sides} or beside the benchmark; both sides take turns under the
 * same conditions (a {@link org.troupe.benchmarks.harness.BenchmarkContest}), so that their ratio
 * holds although the speed of the machine varies. No other package may use this one.
 */
@NullMarked
package org.troupe.benchmarks;

import org.jspecify.annotations.NullMarked;
