/**
 * The protocol of logged objects: calls with names that are served exactly once, a log from which
 * an object is made again by serving its requests again, and output that waits until the log is
 * stable.
 *
 * <p>Read {@link org.troupe.activeobjects.internal.replay.LoggedObject} first. The classes hold the
 * state and make the decisions of one participant. They neither send, write nor wait, and know no
 * threads: each input is a method, each output a call of an interface. A test can therefore drive
 * them through any order of events. They know neither how calls are encoded nor where objects are.
 *
 * <p>{@code JournaledObject} connects a logged object with the journal of a store. The package
 * {@code internal.keeping} connects it with a body.
 */
@NullMarked
package org.troupe.activeobjects.internal.replay;

import org.jspecify.annotations.NullMarked;
