/** All-pairs shortest paths of a graph, with the broadcast of a row in each iteration. */
@NullMarked
package org.troupe.classics.asp;

import org.jspecify.annotations.NullMarked;
