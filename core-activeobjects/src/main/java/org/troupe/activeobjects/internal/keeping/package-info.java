/**
 * Active objects that are kept in stores.
 *
 * <p>Read {@link org.troupe.activeobjects.internal.keeping.KeptObjects} first: it opens the stores
 * of a node, and has a {@code KeptObject} for each object, which finds safe points for images and
 * writes them to the journal of the object. {@code ImageCodec} encodes an object so that nothing
 * but its classes is needed to decode it: {@code StoredToken}s stand for references, results and
 * nodes.
 *
 * <p>{@code CallJournal} logs the requests of an object, and serves them again after a failure.
 *
 * <p>This room knows the journals of a store, but not how a store writes them; objects do not know
 * that they are kept.
 */
@NullMarked
package org.troupe.activeobjects.internal.keeping;

import org.jspecify.annotations.NullMarked;
