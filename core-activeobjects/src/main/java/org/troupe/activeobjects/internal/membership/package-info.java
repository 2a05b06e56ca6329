/**
 * Who belongs to a grid: the coordinator decides, members follow, peers that are silent are
 * suspected.
 *
 * <p>Begin with {@link GridMembership}; {@link NodeService} is the protocol between members. This
 * room knows the node only as {@link LocalNode}.
 */
package org.troupe.activeobjects.internal.membership;
