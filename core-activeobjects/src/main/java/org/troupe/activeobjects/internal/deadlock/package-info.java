/**
 * The detection of waits that can never end: of bodies for each other and of futures for
 * themselves, within a node and across nodes.
 *
 * <p>Read {@link DeadlockDetector} first. {@link WaitPolicy} calls it before a thread of an active
 * object waits. Searches across nodes travel as probes: peers send them, and pass the probes of
 * other nodes to the detector. {@link AnyOfDeadlockSearch} decides waits for some of several
 * results.
 *
 * <p>This package knows neither the membership of grids nor the encoding of values.
 */
@NullMarked
package org.troupe.activeobjects.internal.deadlock;

import org.jspecify.annotations.NullMarked;
