/**
 * The vocabulary of serialization for programs and transports: annotations of serialized classes,
 * byte buffers, limits, filters and substitutions.
 *
 * <p>These types are values and hooks; the encoding itself is in {@code
 * org.troupe.serialization.graph}, whose {@code Serializer} is the class to read first. A message
 * that cannot be encoded or decoded is reported as a {@link
 * org.troupe.serialization.SerializationException}. This package uses no other one of the module.
 */
@NullMarked
package org.troupe.serialization;

import org.jspecify.annotations.NullMarked;
