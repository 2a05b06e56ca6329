package org.troupe.descriptors;

/**
 * A variable with the value it had in this reading.
 *
 * @param name as in <code>${name}</code>; {@code env.NAME} for an environment variable used
 *     directly
 * @param value with every variable in it replaced
 * @param origin where the value came from
 * @param place of the declaration; of the first use for an environment variable
 */
public record Variable(String name, String value, ValueOrigin origin, SourcePosition place) {}
