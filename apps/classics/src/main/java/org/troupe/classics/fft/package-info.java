/** A fast Fourier transform, with all-to-all exchanges of blocks. */
@NullMarked
package org.troupe.classics.fft;

import org.jspecify.annotations.NullMarked;
