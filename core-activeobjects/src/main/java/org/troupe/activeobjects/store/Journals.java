package org.troupe.activeobjects.store;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The journals of a store, opened for one process of a run. While it is open, the store refuses
 * processes of other runs. Thread-safe.
 */
public interface Journals extends AutoCloseable {

  /**
   * Opens a journal, which is created if the store has none of that name.
   *
   * <p>An object that is made again, elsewhere or later, opens its journal with a higher epoch.
   * From then on the journal continues from the content that was found in it. An append or a
   * replacement by a process that has opened the journal with a lower epoch has no effect
   * afterwards, and usually fails.
   *
   * @param name letters, digits, dots, hyphens and underscores, at most 200; not a dot first
   * @param epoch not negative
   * @throws IOException if the journal is damaged, cannot be read, or was opened with a higher
   *     epoch
   */
  Journal open(String name, long epoch) throws IOException;

  /**
   * Opens a journal of a new object. The store has none of that name, as its name is unique or the
   * caller has asked for its epoch; so the store need not look for it.
   */
  default Journal create(String name, long epoch) throws IOException {
    return open(name, epoch);
  }

  /**
   * Opens a journal that the store has, as {@link #open} does. If several processes use the store,
   * it creates none in the place of one that is deleted meanwhile.
   *
   * @throws MissingJournalException if the store, as this process sees it, has none of that name
   * @throws LostJournalException if no process sees it any more
   */
  default Journal openExisting(String name, long epoch) throws IOException {
    if (epoch(name).isEmpty()) {
      throw missing(this, name);
    }
    return open(name, epoch);
  }

  /**
   * Returns the highest epoch with which a journal was opened; empty if the store has none of that
   * name. Changes nothing.
   */
  OptionalLong epoch(String name) throws IOException;

  /** Returns the names of all journals. */
  Set<String> names() throws IOException;

  /** Deletes a journal with its image and records, if there is one. */
  void delete(String name) throws IOException;

  /**
   * Deletes a journal, unless it was opened with a higher epoch: then it belongs to the process
   * that has done so, and the process that had it before may not know of that. If several processes
   * use the store, the comparison and the deletion are one step.
   *
   * @param epoch that of the process that deletes the journal
   */
  default void delete(String name, long epoch) throws IOException {
    if (epoch(name).orElse(0) <= epoch) {
      delete(name);
    }
  }

  /** Lets other runs use the store. Journals that are still open can no longer be written. */
  @Override
  void close() throws IOException;

  /** Returns the name, if it is one that every store accepts. */
  static String requireName(String name) {
    if (!JournalName.VALID.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a journal cannot have the name '"
              + name
              + "'; give at most 200 letters, digits, '.', '-' and '_', and no '.' first");
    }
    return name;
  }

  /** Returns the error for a journal that a store does not have. */
  static MissingJournalException missing(Journals store, String name) {
    return new MissingJournalException(
        "the store %s has no journal '%s' here; give a place that all nodes of its objects see"
            .formatted(store, name));
  }

  /** Returns the epoch, unless it is negative. */
  static long requireEpoch(long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("an epoch of " + epoch + " is negative");
    }
    return epoch;
  }
}
