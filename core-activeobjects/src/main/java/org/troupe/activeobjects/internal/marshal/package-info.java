/**
 * The copies of values: arguments, results and failures, encoded when they leave a caller or a
 * callee and decoded where they are used.
 *
 * <p>Read {@link Marshaller} first. It encodes values into a {@link Payload}, which becomes the
 * body of a frame or, within a node, the copy for the callee. Stubs and futures are replaced by
 * tokens ({@link CompositeToken}, {@link FutureToken}); {@link FailureCodec} handles exceptions.
 *
 * <p>The packages above decide how a stub or a future is replaced. This package knows neither
 * bodies nor peers.
 */
@NullMarked
package org.troupe.activeobjects.internal.marshal;

import org.jspecify.annotations.NullMarked;
