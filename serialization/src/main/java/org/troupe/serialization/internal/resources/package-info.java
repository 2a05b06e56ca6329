/**
 * Resources of one encoding or decoding: stack depth, spare threads, handles, pools and counters.
 * Not exported.
 *
 * <p>{@code DeepStack} counts the depth of a walk and continues it on a thread of {@code
 * SpareThreads} when the stack of its own thread is used up; {@code HandleTable} finds the handle
 * of an object by its identity; {@code StripedPool} keeps encoders and decoders for their next use.
 * Read {@code DeepStack} first.
 *
 * <p>Knows no codec; it uses only {@code CodecFailure} of the class model.
 */
@NullMarked
package org.troupe.serialization.internal.resources;

import org.jspecify.annotations.NullMarked;
