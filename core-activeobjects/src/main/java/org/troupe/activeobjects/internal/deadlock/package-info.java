/**
 * Finds waits that can never end: of bodies for each other and of futures for themselves, within a
 * node and over several.
 *
 * <p>Begin with {@link DeadlockDetector}. {@link WaitPolicy} asks it before a thread of an active
 * object waits; peers hand it the probes of other nodes.
 */
package org.troupe.activeobjects.internal.deadlock;
