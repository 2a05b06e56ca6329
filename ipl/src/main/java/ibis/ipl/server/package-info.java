/** The server that knows the pools, for programs that have one inside. */
@NullMarked
package ibis.ipl.server;

import org.jspecify.annotations.NullMarked;
