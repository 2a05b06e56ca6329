package org.troupe.tasks.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** How many workers of an engine may work at a time, and which rest meanwhile. */
final class WorkerPlaces {

  /*
   * Design: places of workers
   *
   * An engine has as many places as it was given workers. A worker in a call that waits has none; while there are free
   * places, a resting worker is woken, or a new one is started. When the call has ended there is one worker too many, and
   * the first that finds itself between two jobs rests. It ends if it is not needed for some seconds.
   *
   * The number of threads is bounded. Beyond the bound a call that waits keeps its place, as if it computed.
   */

  private static final Logger LOG = System.getLogger(WorkerPlaces.class.getName());
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The largest number of workers in calls that wait for which others work. */
  static final int MOST_SUBSTITUTES = 256;

  private final Runnable start;
  private final ReentrantLock lock = new ReentrantLock();
  // guarded by lock
  private final ArrayDeque<Worker> resting = new ArrayDeque<>();
  private int places;
  private int working; // workers that do not rest, also those in calls that wait
  private int blocked; // workers in calls that wait
  private boolean hasWarned;

  private volatile boolean isCrowded;

  /**
   * Creates the places.
   *
   * @param working the number of workers so far
   * @param start starts one more worker
   */
  WorkerPlaces(int working, Runnable start) {
    this.start = start;
    this.places = working;
    this.working = working;
  }

  /** Adds places, with workers. */
  void add(int number) {
    lock.lock();
    try {
      places += number;
      fill();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many workers work at a time. */
  int number() {
    lock.lock();
    try {
      return places;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether more workers work than there are places. */
  boolean isCrowded() {
    return isCrowded;
  }

  /** Gives the place of a worker away, which is about to wait. */
  void beginBlocking() {
    lock.lock();
    try {
      blocked++;
      fill();
    } finally {
      lock.unlock();
    }
  }

  /** Ends {@link #beginBlocking}. */
  void endBlocking() {
    lock.lock();
    try {
      blocked--;
      isCrowded = working - blocked > places;
    } finally {
      lock.unlock();
    }
  }

  private void fill() {
    while (working - blocked < places) {
      var rested = resting.poll();
      if (rested != null) {
        rested.isResting = false;
        LockSupport.unpark(rested);
      } else if (working < places + MOST_SUBSTITUTES) {
        start.run();
      } else {
        if (!hasWarned) {
          hasWarned = true;
          LOG.log(
              Level.WARNING,
              "{0} tasks wait in Tasks.blocking, so no more workers take over; tasks that wait for"
                  + " others should fork and sync instead",
              MOST_SUBSTITUTES);
        }
        break;
      }
      working++;
    }
    isCrowded = working - blocked > places;
  }

  /**
   * Lets a worker between two jobs rest, until it is needed.
   *
   * @return whether it is needed; else it ends
   */
  boolean rest(Worker worker) {
    lock.lock();
    try {
      if (working - blocked <= places) {
        return true;
      }
      working--;
      isCrowded = working - blocked > places;
      worker.isResting = true;
      resting.push(worker);
    } finally {
      lock.unlock();
    }
    long until = System.nanoTime() + REST_NANOS;
    while (true) {
      long left = until - System.nanoTime();
      LockSupport.parkNanos(this, Math.max(1, left));
      Thread.interrupted(); // a task may have interrupted its worker
      lock.lock();
      try {
        if (!worker.isResting) {
          return true;
        }
        if (left <= 0 || worker.engine.isClosed()) {
          worker.isResting = false;
          resting.remove(worker);
          return false;
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
