package org.troupe.activeobjects.internal.replay;

/**
 * The name of a call, which is the same each time the call is sent.
 *
 * @param number of the call among those of its origin to its target, from 1
 * @param after the number of the call before it; no other call has a number in between
 * @param settled the number up to which the origin needs no answer any more
 */
public record CallName(CallOrigin origin, long number, long after, long settled) {}
