/** Ping-pong of arrays between two nodes. */
@NullMarked
package org.troupe.classics.pingpong;

import org.jspecify.annotations.NullMarked;
