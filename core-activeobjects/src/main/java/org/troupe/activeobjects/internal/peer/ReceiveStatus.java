package org.troupe.activeobjects.internal.peer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The progress of receiving from another node: how far its frames were taken and its one-way calls
 * served, which each frame to it reports, and when it was last heard.
 */
final class ReceiveStatus {

  /*
   * Threads: the inbox writes the number of the last frame under its lock, without a fence. A reader of an
   * older value reports less than was taken, which a later frame corrects. All else may be called by any
   * thread.
   */
  private final Membership access;
  private final AtomicLong lastTaken = new AtomicLong();
  private final AtomicLong oneWayServed = new AtomicLong();
  private final CountThresholds awaitedServed = new CountThresholds();

  /** The number of frames that were acknowledged: each frame to the other node acknowledges. */
  private volatile long lastAcknowledged;

  /**
   * Whether a frame has arrived since the last check. Reading the clock for each frame would cost a
   * tenth of a small call here, so the check reads it.
   */
  private volatile boolean heardSinceCheck;

  private volatile long lastHeardNanos;
  private volatile boolean heard;

  ReceiveStatus(Membership access) {
    this.access = access;
    this.lastHeardNanos = access.nanoTime();
  }

  // Under the lock of the inbox

  /** Returns the number of the frame to be taken next. */
  long next() {
    return lastTaken.getPlain() + 1;
  }

  /** Records that the next frame was taken. */
  void taken() {
    lastTaken.setRelease(lastTaken.getPlain() + 1);
  }

  /** Returns how many taken frames were not acknowledged. */
  long unacknowledged() {
    return lastTaken.getPlain() - lastAcknowledged;
  }

  // Counts

  /** Returns the number of the last frame taken. */
  long lastTaken() {
    return lastTaken.get();
  }

  /** Returns the number of the last frame taken, for a frame that acknowledges it. */
  long acknowledge() {
    var taken = lastTaken.get();
    if (lastAcknowledged != taken) {
      lastAcknowledged = taken;
    }
    return taken;
  }

  /** Returns how many one-way calls of users were served. */
  long oneWayServed() {
    return oneWayServed.get();
  }

  /** Counts a one-way call of a user that was served. */
  void servedOneWay() {
    awaitedServed.counted(oneWayServed.incrementAndGet());
  }

  /** Returns a future that completes when so many one-way calls of users were served. */
  CompletableFuture<Boolean> whenServedOneWay(long calls) {
    return awaitedServed.at(calls, oneWayServed::get);
  }

  // Signs of life

  /** Records that a frame has arrived. */
  void heard() {
    if (!heardSinceCheck) {
      heardSinceCheck = true;
      heard = true;
    }
  }

  /** Expects frames of the other node from now on; silence counts from here. */
  void expectSigns() {
    lastHeardNanos = access.nanoTime();
  }

  /** Returns whether the other node knows this one, and so accepts frames on any connection. */
  boolean hasHeard() {
    return heard;
  }

  /**
   * Returns when the other node was last known to have been heard; updated with every heartbeat.
   */
  long lastHeardNanos() {
    if (heardSinceCheck) {
      heardSinceCheck = false;
      lastHeardNanos = access.nanoTime();
    }
    return lastHeardNanos;
  }

  /** Returns how long the other node has been silent. */
  long silentNanos() {
    return access.nanoTime() - lastHeardNanos();
  }

  /** Disregards a silence during which this JVM itself stood still. */
  void excuse(long nanos) {
    lastHeardNanos = Math.min(access.nanoTime(), lastHeardNanos + nanos);
  }
}
