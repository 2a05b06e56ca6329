/**
 * The inner loops of the solver and the sums that they need: plain arrays in, plain arrays out.
 *
 * <p>{@link org.troupe.em3d.kernel.CurlKernel} adds the discrete curl for fields that are constant
 * in each cell, with vectors where the JVM has them; read it first. {@link
 * org.troupe.em3d.kernel.LinearCurl} does so for linear functions. All kernels add the same terms
 * in the same order, so their results are equal to the last bit.
 *
 * <p>This package must not know sub-domains, media, sources or boundaries: walls and borders are
 * ghost cells to it.
 */
@NullMarked
package org.troupe.em3d.kernel;

import org.jspecify.annotations.NullMarked;
