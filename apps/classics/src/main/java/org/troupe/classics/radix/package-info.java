/** Radix sort of integers, each of which is sent to its owner. */
@NullMarked
package org.troupe.classics.radix;

import org.jspecify.annotations.NullMarked;
