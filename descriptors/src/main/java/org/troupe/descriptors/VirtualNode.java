package org.troupe.descriptors;

/**
 * A named set of nodes: the name by which a program asks for places to put its active objects.
 *
 * @param name unique in the descriptor
 * @param place of the element
 */
public record VirtualNode(String name, SourcePosition place) {}
