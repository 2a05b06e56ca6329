/** A fast Fourier transform, with blocks from all members to all. */
package org.troupe.classics.fft;
