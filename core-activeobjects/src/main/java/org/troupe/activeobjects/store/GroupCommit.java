package org.troupe.activeobjects.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records of one journal stable, all at once that were appended while the last flush ran.
 * Thread-safe.
 */
public final class GroupCommit {

  /*
   * Design: group commit
   *
   *   IDLE --stable(n), n not stable--> FLUSHING --flush returns, a waiter is left--> FLUSHING
   *                                        |--flush returns, none is left--> IDLE
   *                                        |--flush throws--> FAILED, for good
   *
   * At most one thread flushes. A flush that begins after the call of stable(n) covers record n, because n was
   * appended before that call; waiters that come while a flush runs are served by the next one. A failure is final: after a
   * failed fsync the operating system may have dropped the data, so a later success would prove nothing
   * (A. Rebello et al., Can applications recover from fsync failures?, USENIX ATC 2020).
   */

  /** Makes records stable. */
  public interface Flush {
    /**
     * Makes all records stable that were appended before the call.
     *
     * @return the number of the last stable record
     */
    long flush() throws IOException;
  }

  private static final CompletableFuture<Void> STABLE = CompletableFuture.completedFuture(null);

  private final Flush flush;

  // guarded by this
  private final TreeMap<Long, CompletableFuture<Void>> waiters = new TreeMap<>();
  private long stable;
  private boolean isFlushing;
  private @Nullable IOException failure;

  /**
   * Creates a group commit.
   *
   * @param stable the number of the last record that is stable already
   */
  public GroupCommit(long stable, Flush flush) {
    this.stable = stable;
    this.flush = flush;
  }

  /**
   * Returns a future that completes when a record and all before it are stable.
   *
   * <p>Futures complete one after the other, each with its stages. A stage may need a lock that a
   * caller of {@link Journal#append} holds, so an append that has to wait for space waits for no
   * future, but flushes on its own thread.
   */
  public CompletableFuture<Void> stable(long number) {
    CompletableFuture<Void> waiter;
    synchronized (this) {
      if (number <= stable) {
        return STABLE.copy();
      }
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      waiter = waiters.computeIfAbsent(number, each -> new CompletableFuture<>());
      if (isFlushing) {
        return waiter.copy();
      }
      isFlushing = true;
    }
    Thread.ofVirtual().name("troupe-group-commit").start(this::run);
    return waiter.copy();
  }

  private void run() {
    boolean isLast;
    do {
      long reached;
      try {
        reached = flush.flush();
      } catch (IOException | RuntimeException | Error cause) {
        fail(cause instanceof IOException io ? io : new IOException(cause.toString(), cause));
        return;
      }
      List<CompletableFuture<Void>> done;
      synchronized (this) {
        stable = Math.max(stable, reached);
        var settled = waiters.headMap(stable, true);
        done = new ArrayList<>(settled.values());
        settled.clear();
        isLast = waiters.isEmpty();
        isFlushing = !isLast;
        notifyAll();
      }
      done.forEach(each -> each.complete(null));
    } while (!isLast);
  }

  /** Fails all waiters, and those to come. */
  public void fail(IOException cause) {
    List<CompletableFuture<Void>> lost;
    synchronized (this) {
      if (failure == null) {
        failure = cause;
      }
      lost = new ArrayList<>(waiters.values());
      waiters.clear();
      isFlushing = false;
      notifyAll();
    }
    if (!lost.isEmpty()) { // the caller may hold the lock of the journal
      Thread.startVirtualThread(() -> lost.forEach(each -> each.completeExceptionally(cause)));
    }
  }

  /** Throws the failure after which nothing can become stable. */
  public synchronized void check() throws IOException {
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  /** Records that the effect of records is stable in an image. */
  public void replaced(long upTo) {
    List<CompletableFuture<Void>> done;
    synchronized (this) {
      stable = Math.max(stable, upTo);
      var settled = waiters.headMap(stable, true);
      done = new ArrayList<>(settled.values());
      settled.clear();
    }
    done.forEach(each -> each.complete(null));
  }

  /** Waits until no flush runs. */
  public synchronized void await() {
    var wasInterrupted = false;
    while (isFlushing) {
      try {
        wait();
      } catch (InterruptedException e) {
        wasInterrupted = true; // a flush ends by itself
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
