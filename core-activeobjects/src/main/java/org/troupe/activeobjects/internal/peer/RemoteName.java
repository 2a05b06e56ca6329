package org.troupe.activeobjects.internal.peer;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.Place;

/**
 * A reference as it arrived: its class is looked up when it is used, not on the thread that reads.
 *
 * @param type the name of the type by which the object is called
 * @param home the node of the object
 * @param number the number by which that node knows the object
 * @param bound the number of requests of one node that its queue may hold, or 0; negative if the
 *     full queue refuses calls
 * @param immediates the methods that bypass its queue
 * @param place where the object is after a move; {@code null} if it is at home
 * @param placeAddress the address of that node
 * @param keepsCalls whether the object outlives its node with its calls
 * @param access the grid in which it was sent
 * @param held holds the object: a {@code Body} of this node, or a {@code RemoteObject}; {@code
 *     null} if it lives without that, or has ended
 */
record RemoteName(
    String type,
    NodeId home,
    String address,
    long number,
    int bound,
    String immediates,
    @Nullable Place place,
    String placeAddress,
    boolean keepsCalls,
    Membership access,
    @Nullable Object held) {}
