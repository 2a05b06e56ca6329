/**
 * The protocol by which objects move between nodes: where senders believe an object to be, how a
 * former host forwards, and the grants of the coordinator.
 *
 * <p>The classes hold the state and make the decisions of one participant. They neither send nor
 * wait, and know no threads: each input is a method, each output a call of an interface. A test can
 * therefore drive them through any order of events.
 */
@NullMarked
package org.troupe.activeobjects.internal.relocation;

import org.jspecify.annotations.NullMarked;
