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
 * <p>The package is among the tests as long as no body uses it; see the decision on keeping calls
 * in the design.
 */
@NullMarked
package org.troupe.activeobjects.internal.replay;

import org.jspecify.annotations.NullMarked;
