package org.troupe.activeobjects.transport;

/**
 * A range of a user's array that the transport fills from an arriving frame while the user waits.
 *
 * @param array the user's array
 * @param from the index of the first element to fill
 * @param release an action that the transport runs when it has received the frame, or knows that it
 *     never will; afterwards only the user accesses the array
 */
public record ReceiveBuffer(Object array, int from, Runnable release) {}
