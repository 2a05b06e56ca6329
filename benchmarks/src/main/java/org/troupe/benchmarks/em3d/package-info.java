/**
 * The benchmarks of the Maxwell solver: a time step against its kernel, against a Fortran program
 * with MPI, over two transports, and on two clusters with a slow network.
 *
 * <p>{@link org.troupe.benchmarks.em3d.Em3dBenchmark} starts the solver as users do and reads its
 * report ({@link org.troupe.benchmarks.em3d.SolverRun}); only {@link
 * org.troupe.benchmarks.em3d.Em3dKernel} calls classes of the solver directly.
 */
@NullMarked
package org.troupe.benchmarks.em3d;

import org.jspecify.annotations.NullMarked;
