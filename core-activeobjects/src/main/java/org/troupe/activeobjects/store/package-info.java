/**
 * The interface between the runtime and the stores that keep active objects.
 *
 * <p>Read {@link org.troupe.activeobjects.store.Journal} first: it holds the last image of one
 * object, and the numbered records that the object has written since. {@code Journals} are all of
 * one store, opened for the nodes of one run, which a {@code StoreUser} names. {@code GroupCommit}
 * and {@code RecordBuffer} help implementations that make many records stable at once, {@code
 * OpenJournals} to close them.
 *
 * <p>Names, images and records are opaque here: this package knows neither objects nor calls.
 */
@NullMarked
package org.troupe.activeobjects.store;

import org.jspecify.annotations.NullMarked;
