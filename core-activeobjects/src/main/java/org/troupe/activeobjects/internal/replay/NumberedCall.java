package org.troupe.activeobjects.internal.replay;

/**
 * A call with its number among those of its origin to its target.
 *
 * @param after the number of the call before it. Numbers in between were used, if at all, by a
 *     request of the origin that was set aside
 */
public record NumberedCall<C>(long number, long after, C call) {}
