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
   * then has one for each write.
   */
  private static final int MOST = 256; // of clients without a token, too

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore places = new Semaphore(MOST);
  private final ScopedValue<TimeLimit> current = ScopedValue.newInstance();
  private final Duration limit;

  ExchangeThreads(Duration limit) {
    this.limit = limit;
  }

  @Override
  public void execute(Runnable exchange) {
    if (!places.tryAcquire()) {
      throw new RejectedExecutionException("too many requests at once"); // closes the connection
    }
    try {
      threads.execute(() -> run(exchange));
    } catch (RejectedExecutionException e) { // closed
      places.release();
      throw e;
    }
  }

  private void run(Runnable exchange) {
    try (var whole = new TimeLimit(limit)) {
      ScopedValue.where(current, whole).run(exchange);
    } finally {
      places.release();
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
