package org.troupe.activeobjects.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The journals of one store that are open, and are closed with it. Thread-safe.
 *
 * @param <J> the journals of a kind of store
 */
public final class OpenJournals<J extends Journal> {

  private final Set<J> open = new HashSet<>(); // guarded by this
  private boolean isClosed; // guarded by this

  /** Creates the set of an open store, without journals. */
  public OpenJournals() {}

  /** Releases a store for other runs. */
  public interface Release {
    /** Releases the store; called once. */
    void release() throws IOException;
  }

  /**
   * Adds a journal that was opened.
   *
   * @return {@code false} if the store has been closed meanwhile; the journal is not added
   */
  public synchronized boolean add(J journal) {
    return !isClosed && open.add(journal);
  }

  /** Forgets a journal that was closed. */
  public synchronized void remove(J journal) {
    open.remove(journal);
  }

  /** Returns whether the store is closed. */
  public synchronized boolean isClosed() {
    return isClosed;
  }

  /**
   * Closes all journals, accepts no more, and then releases the store; later calls do nothing.
   *
   * @throws IOException if a journal could not be closed or the store not be released; the others
   *     are closed, and the store is released nevertheless. Further failures are suppressed ones of
   *     the first
   */
  public void close(Release store) throws IOException {
    List<J> left;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      left = List.copyOf(open);
      open.clear();
    }
    List<Release> releases = new ArrayList<>(left.size() + 1);
    left.forEach(each -> releases.add(each::close));
    releases.add(store);
    Throwable failure = null;
    for (var each : releases) {
      try {
        each.release();
      } catch (IOException | RuntimeException | Error cause) {
        if (failure == null) {
          failure = cause;
        } else if (failure != cause) {
          failure.addSuppressed(cause);
        }
      }
    }
    switch (failure) {
      case null -> {}
      case IOException failed -> throw failed;
      case Error failed -> throw failed;
      default -> throw (RuntimeException) failure;
    }
  }
}
