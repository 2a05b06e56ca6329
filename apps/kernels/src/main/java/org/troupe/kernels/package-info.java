/**
 * Programs for the package {@code mpi}: kernels of the NAS parallel benchmarks with their published
 * check values, and two whose results are compared with those of a sequential program. Each main
 * fails if its result is wrong. Read {@link org.troupe.kernels.IntegerSort} first.
 */
@NullMarked
package org.troupe.kernels;

import org.jspecify.annotations.NullMarked;
