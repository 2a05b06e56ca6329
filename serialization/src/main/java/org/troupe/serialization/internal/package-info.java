/**
 * The encoder, the decoder and the codecs of all kinds of types. Not exported.
 *
 * <p>{@code CodecRegistry} chooses a codec for each class once; an {@code Encoder} and a {@code
 * Decoder} then walk a graph by the codecs of its objects. {@code EncodingContext} and {@code
 * DecodingContext} hold the settings of a serializer for the two directions, and {@code
 * HashingBudget} bounds the cost of keys in messages of other processes. Read {@code Codec} first,
 * then {@code Encoder}.
 *
 * <p>33 types here reach each other: a codec encodes the parts of its objects by the encoder, which
 * asks the registry for their codecs. This recursive descent over data types is one knot by nature.
 * The codecs of java.io's hooks, of platform classes and of generated classes stay with the others,
 * because the registry creates all of them and they call the encoder and the decoder: rooms of
 * their own would need an interface with one implementation in front of the registry, and the
 * methods of the hot loop would become public. The class model and the resources, which know no
 * codec, stand below in {@code internal.classes} and {@code internal.resources}. The package knows
 * nothing of the facade {@code org.troupe.serialization.graph}.
 */
@NullMarked
package org.troupe.serialization.internal;

import org.jspecify.annotations.NullMarked;
