/**
 * The benchmarks of the classic programs: speed-up, break-down of the time, both transports, and
 * peers in C with MPI.
 *
 * <p>{@link org.troupe.benchmarks.apps.AppsBenchmark} runs the programs on this machine, {@link
 * org.troupe.benchmarks.apps.DistantAppsBenchmark} on two sites with a slow network between them.
 * Both start the programs as users do and read the reports that they write ({@link
 * org.troupe.benchmarks.apps.AppRun}). This package must not know the classes of the programs.
 */
@NullMarked
package org.troupe.benchmarks.apps;

import org.jspecify.annotations.NullMarked;
