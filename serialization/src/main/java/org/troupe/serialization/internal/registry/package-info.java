/**
 * The admission of classes: the codec of each class, and the class of each name. Not exported.
 *
 * <p>{@code CodecRegistry} chooses the codec of a class once. {@code ClassResolver} finds the
 * classes that a sender names, within a filter, for messages and for the {@code java.io} streams of
 * {@code JavaIo}. {@code CallSite} has a codec generated for the arguments of a method. {@code
 * ImmutableValues} decides what need not be copied. Read {@code CodecRegistry} first.
 *
 * <p>Knows nothing of the facade {@code org.troupe.serialization.graph}.
 */
@NullMarked
package org.troupe.serialization.internal.registry;

import org.jspecify.annotations.NullMarked;
