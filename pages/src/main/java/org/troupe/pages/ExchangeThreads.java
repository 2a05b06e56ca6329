package org.troupe.pages;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Runs the exchanges of a server, each on a virtual thread for a limited time, and a limited number
 * at once.
 */
final class ExchangeThreads implements Executor, AutoCloseable {

  /*
   * The JDK's server waits for the rest of a request without limit; the unit of its own limit (sun.net.httpserver.maxReqTime)
   * differs from the documented one. It reads from and writes to a channel, which an interrupt closes.
   *
   * An exchange begins here with the first byte of its request. One that turns into a stream ends the limit of the whole, and
   * then has one for each write. Exchanges above the limit wait for a place within their own time; the thread that accepts
   * connections never waits.
   */
  private static final int MOST = 256; // at once, of clients without a token, too
  private static final int MOST_WITH_WAITING = 10_000; // each has a connection and some KiB

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore all = new Semaphore(MOST_WITH_WAITING);
  private final Semaphore places = new Semaphore(MOST, true);
  private final ScopedValue<TimeLimit> current = ScopedValue.newInstance();
  private final Duration limit;

  ExchangeThreads(Duration limit) {
    this.limit = limit;
  }

  @Override
  public void execute(Runnable exchange) {
    if (!all.tryAcquire()) {
      throw new RejectedExecutionException("too many requests at once"); // closes the connection
    }
    try {
      threads.execute(() -> run(exchange));
    } catch (RejectedExecutionException e) { // closed
      all.release();
      throw e;
    }
  }

  private void run(Runnable exchange) {
    try (var whole = new TimeLimit(limit)) {
      var hasPlace = awaitPlace();
      try {
        ScopedValue.where(current, whole).run(exchange);
      } finally {
        if (hasPlace) {
          places.release();
        }
      }
    } finally {
      all.release();
    }
  }

  /**
   * Waits for a place, and returns whether there is one in time. Without one the exchange has to
   * run interrupted: its first read closes the connection.
   */
  private boolean awaitPlace() {
    try {
      places.acquire();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends the time limit of the exchange that this thread runs. */
  void endLimit() {
    current.get().close();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
