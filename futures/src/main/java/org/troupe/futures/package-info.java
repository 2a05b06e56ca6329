/**
 * Futures: results that may not have arrived yet, transparent (of the result's own type) and
 * explicit ({@link java.util.concurrent.CompletableFuture}).
 *
 * <p>Users need {@link org.troupe.futures.Futures} only. The runtime creates a {@link
 * org.troupe.futures.FutureResult} for each call, hands out one of its two views, and settles it
 * with an {@link org.troupe.futures.Outcome}; a {@link org.troupe.futures.FutureRuntime} lets the
 * runtime see which threads wait. Read {@code FutureResult} first, then {@code FutureView}.
 *
 * <p>The package uses stubs for transparent futures. It knows nothing of active objects, nodes or
 * messages. The types for users and for the runtime share this package because a result throws
 * {@code WaitInterruptedException} to users while {@code Futures} reads results: in two packages
 * they would form a cycle.
 */
@NullMarked
package org.troupe.futures;

import org.jspecify.annotations.NullMarked;
