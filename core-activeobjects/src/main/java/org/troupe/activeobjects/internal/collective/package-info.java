/**
 * The services of the runtime for typed groups: a call on many objects is sent once to each node,
 * in causal order.
 *
 * <p>Read {@link CausalMulticast} first, then {@link NodeCollectives}, through which groups use it.
 * A multicast is stamped with the nodes that it goes to; the inbox of each receiving node delays
 * messages until those that they causally follow have been taken.
 *
 * <p>This package sends through peers. Of a grid it knows only which peers belong to it.
 */
@NullMarked
package org.troupe.activeobjects.internal.collective;

import org.jspecify.annotations.NullMarked;
