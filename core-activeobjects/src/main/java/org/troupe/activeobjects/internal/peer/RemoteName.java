package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.NodeId;

/**
 * A reference as it arrived: its class is looked up when it is used, not on the thread that reads.
 *
 * @param type the name of the type by which the object is called
 * @param home the node of the object
 * @param number the number by which that node knows the object
 * @param bound the number of requests of one node that its queue may hold, or 0
 * @param immediates the methods that bypass its queue
 * @param access the grid in which it was sent
 */
record RemoteName(
    String type,
    NodeId home,
    String address,
    long number,
    int bound,
    String immediates,
    Membership access) {}
