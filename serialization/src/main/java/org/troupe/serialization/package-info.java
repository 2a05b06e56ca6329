/**
 * Object graphs as bytes, and back, with codecs generated per class at first use.
 *
 * <p>A {@link org.troupe.serialization.Serializer} encodes graphs of ordinary objects, which need
 * not be {@link java.io.Serializable}. What it writes names classes by small numbers; their {@link
 * org.troupe.serialization.TypeDefinition}s travel once and gather in a {@link
 * org.troupe.serialization.TypeTable} per sender. Everything that goes wrong is one {@link
 * org.troupe.serialization.SerializationException}.
 */
@NullMarked
package org.troupe.serialization;

import org.jspecify.annotations.NullMarked;
