/**
 * The walk of a graph: the encoder, the decoder, and the codec that both call. Not exported.
 *
 * <p>An {@code Encoder} finds the {@code Codec} of an object and lets it write the content; the
 * codec passes each reference back to the encoder. A {@code Decoder} reads a tag, finds the codec,
 * and lets it read. {@code EncodingContext} and {@code DecodingContext} hold the settings of a
 * serializer for the two directions and pool its encoders and decoders. Beyond 150 levels a {@code
 * ReferenceCursor} replaces a stack frame. Read {@code Codec} first, then {@code Encoder}.
 *
 * <p>The codec, the encoder, the decoder and the cursor know each other, as the parts of a
 * recursive descent do. The package knows no codec of a particular kind: a serializer tells the
 * encoder the codec of each class, and {@code ForeignTypes} tells the decoder the codec of each
 * tag.
 */
@NullMarked
package org.troupe.serialization.internal.coder;

import org.jspecify.annotations.NullMarked;
