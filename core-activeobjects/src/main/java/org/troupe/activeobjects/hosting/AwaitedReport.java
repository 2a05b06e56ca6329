package org.troupe.activeobjects.hosting;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A report that a node was asked for. It is decoded by the thread that takes it, so its arrival
 * costs no thread: a program may ask a thousand nodes at once, and read their reports one by one.
 */
public interface AwaitedReport {

  /**
   * Waits for the report.
   *
   * @param nanos for how long at most
   * @throws ExecutionException if the node is lost, or its answer cannot be read
   * @throws TimeoutException if the report has not arrived in time
   */
  NodeReport get(long nanos) throws InterruptedException, ExecutionException, TimeoutException;

  /**
   * Returns when the report has arrived, in the time of {@link System#nanoTime}, once {@link #get}
   * has returned it.
   */
  long arrivedNanos();
}
