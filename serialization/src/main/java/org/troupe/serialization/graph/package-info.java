/**
 * Object graphs as bytes, and back, with codecs generated per class at first use.
 *
 * <p>A {@link org.troupe.serialization.graph.Serializer} encodes graphs of ordinary objects, which
 * need not be {@link java.io.Serializable}; a {@link org.troupe.serialization.graph.CallCodec} does
 * so for the arguments of one method. The bytes name classes by small numbers: a {@link
 * org.troupe.serialization.graph.TypeDefinition} travels once per class and receiver, and the
 * receiver keeps the definitions of each sender in a {@link
 * org.troupe.serialization.graph.TypeTable}. The package is a facade over the codecs of {@code
 * org.troupe.serialization.internal}, which know nothing of it. It knows nothing of calls or nodes.
 */
@NullMarked
package org.troupe.serialization.graph;

import org.jspecify.annotations.NullMarked;
