/**
 * Message passing as the programs for mpiJava 1.2 and MPJ Express know it: ranks of one program
 * exchange messages by rank and tag. Read {@link mpi.MPI} and {@link mpi.Comm} first.
 *
 * <p>All methods keep the names of the published interface. A wrong call throws an {@link
 * mpi.MPIException} at its own line, whichever error handler is set.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
