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
 * {@snippet file="org/troupe/activeobjects/snippets/LastingSnippets.java" region="stores"}
 *
 * <p>A store is a {@linkplain #directory directory}, also one that is {@linkplain Directory#synced
 * safe from failures of the host}, or the {@linkplain #copies memory of two nodes}. {@code
 * JdbcStore}, in the module {@code org.troupe.store.jdbc}, is one in a database, and {@code
 * S3Store}, in {@code org.troupe.store.s3}, one in a bucket. A new kind of store implements {@link
 * #open}, and is tested by {@code StoreContract}, in the test archive of this module.
 */
public interface Store {

  /**
   * Returns the store in a directory, which is created at first use. Stable data survives the
   * process that has written it, but not necessarily a failure of the host.
   *
   * @param folder a directory that all nodes of the objects see, if they may be restarted elsewhere
   * @throws IllegalArgumentException if the path is empty, as one of a setting that is missing
   */
  static Directory directory(Path folder) {
    if (folder.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "a store in a directory of an empty name would be in the current folder; name a directory,"
              + " or '.' for that one");
    }
    return new Directory(folder.toAbsolutePath().normalize().toString(), false);
  }

  /**
   * Returns the store in the memory of nodes: each object is kept by its own node and by a second
   * one, its <em>buddy</em>, which is on another host if there is one. Data that is stable there
   * survives the loss of either node. An object that is kept so is restarted elsewhere under any
   * policy, so its queue cannot be bounded, and then has a buddy again; if its buddy is lost, it
   * gets another one.
   *
   * <p>An object whose node and buddy are lost before there is another copy is lost: its end says
   * so. To create an object, a second node has to be there. While an object has no buddy, since all
   * other nodes are gone, it serves on, and its node warns of that; a node that joins becomes its
   * buddy. The copies end with their grid: a later run cannot resume them.
   *
   * @param count how many nodes have a copy, that of the object included; 2
   */
  static Copies copies(int count) {
    return new Copies(count);
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
   * A store in the memory of nodes.
   *
   * @param count how many nodes have a copy of each object
   */
  record Copies(int count) implements Store {

    /** Checks the number. */
    public Copies {
      if (count != 2) {
        throw new IllegalArgumentException(
            "copies("
                + count
                + ") is not possible: an object has a copy on its own node and on one other; give 2");
      }
    }

    /** Fails, since only the nodes of the grid whose objects are kept have the copies. */
    @Override
    public Journals open(StoreUser user) throws IOException {
      throw new IOException(
          this
              + " is in the memory of the nodes of one grid and ends with it, so no other program can"
              + " use it; keep the objects in Store.directory(..) to resume them");
    }

    @Override
    public String toString() {
      return "Store.copies(" + count + ")";
    }
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
