/**
 * Journals in the memory of two nodes: that of the object, and a second one, its <em>buddy</em>.
 *
 * <p>Read {@link org.troupe.activeobjects.internal.copies.OwnedJournal} first: it keeps the copy on
 * the buddy equal to its own, and finds another buddy when that is lost. {@code JournalCopies} are
 * all copies of one node, owned or held for others; {@code CopiedJournals} let the rest of the
 * runtime use them like any store. Other nodes are reached through {@code CopyNetwork}, so this
 * package knows neither members nor calls.
 */
@NullMarked
package org.troupe.activeobjects.internal.copies;

import org.jspecify.annotations.NullMarked;
