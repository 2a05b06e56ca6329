/**
 * The conjugate gradient kernel of the NAS parallel benchmarks, with its matrix distributed by rows
 * or by blocks.
 */
@NullMarked
package org.troupe.classics.cg;

import org.jspecify.annotations.NullMarked;
