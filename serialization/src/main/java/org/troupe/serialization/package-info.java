/**
 * What programs and transports know of serialization: annotations on classes that travel, buffers
 * of bytes, limits, filters and substitutions.
 *
 * <p>These types are values and hooks; the encoding itself is in {@code
 * org.troupe.serialization.graph}, whose {@code Serializer} is the class to read first. Everything
 * that goes wrong with a message is a {@link org.troupe.serialization.SerializationException}. This
 * package uses no other one of the module.
 */
@NullMarked
package org.troupe.serialization;

import org.jspecify.annotations.NullMarked;
