package org.troupe.descriptors;

/**
 * A variable and its value.
 *
 * @param name as in <code>${name}</code>; {@code env.NAME} for an environment variable used
 *     directly
 * @param value the value, with the variables in it replaced
 * @param origin the origin of the value
 * @param place the position of the declaration; for an environment variable, of its first use
 */
public record Variable(String name, String value, ValueOrigin origin, SourcePosition place) {}
