/**
 * The encoded form of values that refer to nothing, and of arrays of numbers. Not exported.
 *
 * <p>{@code WireFormat} has the numbers on which both sides agree. {@code ValueOutput} and {@code
 * ValueInput} write and read numbers, characters and lengths within the limits of a graph; the
 * encoder and the decoder extend them. {@code LargeArrays} keeps large arrays out of the bytes.
 * Read {@code WireFormat} first.
 *
 * <p>Knows no codec and no references among objects, which {@code internal.coder} adds.
 */
@NullMarked
package org.troupe.serialization.internal.wire;

import org.jspecify.annotations.NullMarked;
