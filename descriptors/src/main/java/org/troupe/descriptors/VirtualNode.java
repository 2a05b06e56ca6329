package org.troupe.descriptors;

/**
 * A named set of nodes, by which a program finds nodes for its active objects.
 *
 * @param name unique in the descriptor
 * @param place the position of the element
 */
public record VirtualNode(String name, SourcePosition place) {}
