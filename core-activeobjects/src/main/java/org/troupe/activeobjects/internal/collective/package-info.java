/**
 * Serves typed groups: a call on many objects goes once to each node, in causal order.
 *
 * <p>Begin with {@link CausalMulticast}. {@link NodeCollectives} is the way in for groups. This
 * room sends through peers and knows of a grid only which peers belong to it.
 */
package org.troupe.activeobjects.internal.collective;
