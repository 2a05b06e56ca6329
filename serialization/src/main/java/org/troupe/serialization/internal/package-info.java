/**
 * The encoder, the decoder and the codecs of all kinds of types. Not exported.
 *
 * <p>{@code CodecRegistry} chooses a codec for each class once; an {@code Encoder} and a {@code
 * Decoder} then walk a graph by the codecs of its objects. {@code EncodingContext} and {@code
 * DecodingContext} hold the settings of a serializer for the two directions, and {@code
 * HashingBudget} bounds the cost of keys in messages of other processes. Read {@code Codec} first,
 * then {@code Encoder}.
 *
 * <p>Most types here reach each other, as a codec encodes the parts of its objects by the encoder,
 * which asks for their codecs: a recursive descent over data types, one knot by nature. The package
 * knows nothing of the facade {@code org.troupe.serialization.graph}.
 */
@NullMarked
package org.troupe.serialization.internal;

import org.jspecify.annotations.NullMarked;
