package org.troupe.serialization;

import java.util.List;

/**
 * An encoded graph: immutable by agreement, shareable, and good for any number of receivers.
 *
 * @param bytes the graph; not copied, do not change it
 * @param typeIds the ids in the sender's type table that the bytes use, each once; not copied
 * @param side what the {@link Substitution} put aside, in order of appearance
 */
public record Encoded(byte[] bytes, int[] typeIds, List<Object> side) {}
