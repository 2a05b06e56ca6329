/** LU factorisation by blocks, each of which is flushed to the members that need it. */
@NullMarked
package org.troupe.classics.lu;

import org.jspecify.annotations.NullMarked;
