package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.util.List;
import org.troupe.activeobjects.Store;

/** The part of one node in save points. The coordinator calls it in the order of the methods. */
public interface SaveParticipant {

  /**
   * A journal that is stored up to its mark. Travels.
   *
   * @param store where it is
   */
  record Saved(Store store, String journal) {}

  /**
   * Lets no output of logged objects leave that depends on input after this. Does not wait.
   *
   * @throws IllegalStateException if an object cannot be part of a save point
   */
  void hold();

  /** Marks the logs of all logged objects; returns whether all are marked. */
  boolean mark();

  /** Lets output leave again. */
  void release();

  /**
   * Stores the journals of the marked objects, up to their marks. Waits for the stores.
   *
   * @param save the name of the save point
   */
  List<Saved> copy(String save) throws IOException;

  /** Stores the list of all journals of a save point in a store, so that it counts. */
  void complete(String save, Store store, List<String> journals) throws IOException;

  /** Lets output leave, and forgets the marks. */
  void end();

  /** Returns whether a store of this node has a save point. */
  boolean has(String save) throws IOException;

  /** Deletes a save point, complete or not, from all stores that this node uses. */
  void delete(String save) throws IOException;
}
