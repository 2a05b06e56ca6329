package org.troupe.activeobjects.internal.listing;

/**
 * The name of an active object in the search for cycles.
 *
 * @param birth the incarnation of the node that created it, and hosts it
 * @param number identifies it among the objects of that node
 */
public record ObjectName(long birth, long number) {}
