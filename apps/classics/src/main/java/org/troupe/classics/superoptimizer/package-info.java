/** The shortest machine code of a function, by exhaustive search. */
@NullMarked
package org.troupe.classics.superoptimizer;

import org.jspecify.annotations.NullMarked;
