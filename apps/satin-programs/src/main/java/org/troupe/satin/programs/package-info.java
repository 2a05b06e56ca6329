/**
 * Programs for the package {@code ibis.satin}, in the style of its time. Each main compares its
 * result with that of a sequential program, and fails if they differ. Read {@link
 * org.troupe.satin.programs.Fib} first, then {@link org.troupe.satin.programs.FirstQueens} for
 * inlets and aborts, and {@link org.troupe.satin.programs.BarnesHut} for shared objects with
 * guards.
 */
@NullUnmarked // as such programs were written
package org.troupe.satin.programs;

import org.jspecify.annotations.NullUnmarked;
