package org.troupe.activeobjects.internal.replay;

/**
 * A call with its number among those of its origin to its target.
 *
 * @param after the number of the call before it. Numbers in between were used, if at all, by calls
 *     that the origin does not know any more: those of a request that was set aside, or all, if it
 *     has forgotten its account
 */
public record NumberedCall<C>(long number, long after, C call) {}
