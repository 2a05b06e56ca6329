/**
 * The store in a directory of a file system.
 *
 * <p>Read {@link org.troupe.activeobjects.internal.store.DirectoryJournals} first: it locks the
 * directory for a run ({@code StoreLock}), and opens a {@code DirectoryJournal} for each object. A
 * journal writes its records to segments, which {@code LogSegment} formats and checks, and its
 * image to one file, which {@code ImageFile} replaces. {@code DiskAccess} is the difference between
 * a store that survives its process and one that survives its host.
 *
 * <p>This room knows neither objects nor calls nor nodes.
 */
@NullMarked
package org.troupe.activeobjects.internal.store;

import org.jspecify.annotations.NullMarked;
