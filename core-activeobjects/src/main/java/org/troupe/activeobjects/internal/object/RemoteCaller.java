package org.troupe.activeobjects.internal.object;

/**
 * The active object of another node that made a call.
 *
 * @param number by which its node knows it
 * @param type the name of its class
 */
public record RemoteCaller(RemoteNode home, long number, String type) {}
