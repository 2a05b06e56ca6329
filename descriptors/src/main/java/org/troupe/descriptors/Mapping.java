package org.troupe.descriptors;

/**
 * The JVMs of one infrastructure element hold nodes of one virtual node.
 *
 * @param virtualNode the name of a virtual node
 * @param to the id of an infrastructure element
 * @param place the position of the element
 */
public record Mapping(String virtualNode, String to, SourcePosition place) {}
