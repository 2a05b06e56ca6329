package org.troupe.activeobjects.internal.marshal;

/**
 * A value, or the handler of a stub, that names something which stays where it is: an active
 * object, a node, a live set of nodes. It is never copied, so it can be shared as it is.
 */
public interface PassedByName {}
