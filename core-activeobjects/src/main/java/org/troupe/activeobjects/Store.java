package org.troupe.activeobjects;

import java.io.IOException;
import java.nio.file.Path;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;

/**
 * A place in which images of active objects are kept, and the logs of their calls. An object that
 * is restarted continues from them. Immutable; travels to the nodes of the objects, which must all
 * reach the same place if the objects are to be restarted there. A store belongs to one run at a
 * time.
 *
 * <p>Programs obtain a store here or from the module of a store. A new kind of store implements
 * {@link #open}, and is tested by {@code StoreContract}, in the test archive of this module.
 */
public interface Store {

  /**
   * Returns the store in a directory, which is created at first use. What is stable there survives
   * the process that has written it, but not necessarily a failure of the host.
   *
   * @param folder a directory that all nodes of the objects see, if they may be restarted elsewhere
   */
  static Directory directory(Path folder) {
    return new Directory(folder.toAbsolutePath().normalize().toString(), false);
  }

  /**
   * Opens the store for a process of a run.
   *
   * @throws IOException if it cannot be used, or another run uses it
   */
  Journals open(StoreUser user) throws IOException;

  /**
   * Opens the store for an object that it keeps already. Unlike {@link #open}, creates nothing.
   *
   * @throws MissingJournalException if there is no such store, as this process sees it
   * @throws IOException if it cannot be used, or another run uses it
   */
  default Journals openExisting(StoreUser user) throws IOException {
    return open(user);
  }

  /**
   * A store in a directory.
   *
   * @param folder the absolute path of the directory
   * @param isSynced whether what is stable survives a failure of the host
   */
  record Directory(String folder, boolean isSynced) implements Store {

    /**
     * Returns this store, with a promise that what is stable survives a failure of the host: it is
     * on the disk, as far as the disk says so.
     */
    public Directory synced() {
      return new Directory(folder, true);
    }

    @Override
    public Journals open(StoreUser user) throws IOException {
      return RuntimeProvider.current().openDirectory(Path.of(folder), isSynced, user);
    }

    @Override
    public Journals openExisting(StoreUser user) throws IOException {
      return RuntimeProvider.current().openExistingDirectory(Path.of(folder), isSynced, user);
    }

    @Override
    public String toString() {
      return folder;
    }
  }
}
