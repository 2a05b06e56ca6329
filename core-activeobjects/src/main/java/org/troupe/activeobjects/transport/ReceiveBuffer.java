package org.troupe.activeobjects.transport;

/**
 * An array of a user who waits for some of it to be filled by what a frame brings.
 *
 * @param from where in it
 * @param left is to be run when the frame has been received, or never will be: from then on nobody
 *     touches the array but the user
 */
public record ReceiveBuffer(Object array, int from, Runnable left) {}
