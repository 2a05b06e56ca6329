package org.troupe.activeobjects.internal.listing;

import java.util.List;
import java.util.Set;

/**
 * An idle object that may be part of a cycle over several nodes, as its host reports it.
 *
 * @param number identifies it among the objects of its host
 * @param holders the other nodes that may have references to it
 * @param names the objects to which it refers
 */
public record Suspect(long number, Set<Long> holders, List<ObjectName> names) {}
