/** All-to-all exchange of arrays, with two algorithms. */
@NullMarked
package org.troupe.classics.alltoall;

import org.jspecify.annotations.NullMarked;
