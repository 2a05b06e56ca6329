/**
 * The protocol by which a host learns that no other node refers to an object any more: reference
 * listing. {@link HeldCopies} is the side of a node that refers to the object, {@link HostedCopies}
 * that of its host, {@link NodeDeaths} what a host knows of lost nodes, and {@link Statements} the
 * coordinator's part after a loss. {@link DepartedObject} and {@link GuestHold} are the sides of
 * the birthplace and the host of an object that has moved.
 *
 * <p>The classes hold the state and make the decisions of one participant. They neither send nor
 * wait, and know no threads and no bodies, so a test can drive them through any order of events.
 * Nodes are known by their incarnations.
 */
@NullMarked
package org.troupe.activeobjects.internal.listing;

import org.jspecify.annotations.NullMarked;
