package org.troupe.activeobjects.internal.listing;

import java.util.Map;

/**
 * The changes that a node has made to its references to one object since it last told the host.
 * Both parts are told as one change: a node that has given a copy away and dropped its own must not
 * be heard of the second only.
 *
 * @param given how many copies it has given, by the nodes that receive them
 * @param dropped how many copies it has dropped, by the nodes that had given them
 */
public record CopyChanges(Map<Long, Integer> given, Map<Long, Integer> dropped) {}
