package org.troupe.activeobjects.internal.marshal;

/**
 * Marks a value, or the handler of a stub, that refers to something with a fixed location: an
 * active object, a node, a live set of nodes. Such values are shared, never copied.
 */
public interface PassedByName {}
