/**
 * The communicators of message passing: groups of ranks with a context of their own, requests,
 * collective operations, topologies and intercommunicators. Read {@link
 * org.troupe.mpj.comm.Communicator} first.
 *
 * <p>A {@link org.troupe.mpj.comm.World} is the knowledge of one rank about the run. Dialects wrap
 * these types and add nothing but names.
 */
@NullMarked
package org.troupe.mpj.comm;

import org.jspecify.annotations.NullMarked;
