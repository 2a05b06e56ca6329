package org.troupe.serialization.internal.coder;

/**
 * The codec of a class, as one serializer knows it.
 *
 * @param tag the number of the class on the wire, 0 if it cannot travel, or {@link
 *     EncodingContext#REFUSED}
 */
public record RegisteredCodec(Codec codec, int tag) {}
