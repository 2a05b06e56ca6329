package org.troupe.activeobjects;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a new active object that its class does not determine.
 *
 * @param queueBound the number of requests of one JVM that may wait in the queue, or 0 for no
 *     bound. When it is reached, one-way and waiting calls block until a request is taken; all
 *     other calls return at once, and their requests are sent later. Calls of {@link Immediate}
 *     methods do not count
 * @param refuses whether calls to the full queue end with an {@link OverloadedException} at once
 * @param parallelism the number of requests of {@link Concurrent} methods that may run at a time
 * @param restart what becomes of the object if it fails; {@linkplain Restart#elsewhere elsewhere}
 *     in any case if {@link Store#copies} keeps it
 * @param leavesAlong whether the object moves to another node when its node announces that it
 *     leaves
 * @param keep what a store keeps of the object
 * @param idle how long the object is without a request before it sleeps; {@code null} if it never
 *     sleeps
 */
public record Options(
    int queueBound,
    boolean refuses,
    int parallelism,
    Restart restart,
    boolean leavesAlong,
    Keep keep,
    @Nullable Duration idle) {

  /**
   * No bound on the queue, as many concurrent requests as the machine has processors, no restart,
   * no store, and the object stays on its node.
   */
  public static final Options STANDARD =
      new Options(
          0,
          false,
          Runtime.getRuntime().availableProcessors(),
          Restart.never(),
          false,
          Keep.nothing(),
          null);

  /** Checks the values. */
  public Options {
    if (queueBound < 0) {
      throw new IllegalArgumentException(
          "a queue bound of " + queueBound + " lets no request in; give 0 for none, or at least 1");
    }
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "a parallelism of " + parallelism + " serves no request; give at least 1");
    }
    if (idle != null && !idle.isPositive()) {
      throw new IllegalArgumentException(
          "an object cannot sleep after " + idle + " without a request; give a positive time");
    }
    if (keep.store() instanceof Store.Copies) {
      restart = restart.andElsewhere();
    }
  }

  /**
   * Returns these options with another bound on the queue. An object whose queue is bounded can
   * neither be {@linkplain Restart#elsewhere restarted elsewhere} nor have a {@linkplain
   * ActiveObjects.Creation#named name} nor be kept in {@link Store#copies}: the places of its
   * callers could not follow it, so its creation fails.
   */
  public Options withQueueBound(int bound) {
    return new Options(bound, refuses, parallelism, restart, leavesAlong, keep, idle);
  }

  /**
   * Returns these options for an object that refuses calls to its full queue instead of letting
   * them wait. Such a call ends with an {@link OverloadedException} at once: a call that waits for
   * its answer throws it, an {@code ask} or a future has it as its outcome, and for a one-way call
   * the failure handler receives it. In a call of a group, each member has its own outcome.
   *
   * <p>Calls of the object to itself, calls of {@link Immediate} methods and answers are never
   * refused. Calls may still wait while the object's node is short of memory. As each object with a
   * {@linkplain #withQueueBound bounded queue}, it can neither be restarted elsewhere nor have a
   * name nor be kept in {@link Store#copies}.
   */
  public Options refusing() {
    return new Options(queueBound, true, parallelism, restart, leavesAlong, keep, idle);
  }

  /** Returns these options with another bound on concurrent service. */
  public Options withParallelism(int limit) {
    return new Options(queueBound, refuses, limit, restart, leavesAlong, keep, idle);
  }

  /** Returns these options with another policy for failures of the object. */
  public Options withRestart(Restart policy) {
    return new Options(queueBound, refuses, parallelism, policy, leavesAlong, keep, idle);
  }

  /**
   * Returns these options for an object that moves to another node of its virtual nodes when its
   * node announces that it leaves, as it does before its batch job ends. An object that cannot move
   * ends with its node. Objects {@linkplain #withKeep kept in a store} do so in any case.
   */
  public Options leavingAlong() {
    return new Options(queueBound, refuses, parallelism, restart, true, keep, idle);
  }

  /** Returns these options for an object that is kept in a store. */
  public Options withKeep(Keep what) {
    return new Options(queueBound, refuses, parallelism, restart, leavesAlong, what, idle);
  }

  /**
   * Returns these options for a kept object that sleeps when it has had no request for some time:
   * an image of it is stored, and it leaves the memory of its node. The next call wakes it there.
   * If that node is gone, an object with a name, or with {@link Restart#elsewhere}, wakes on
   * another. Of {@link LifeCycle}, {@code leaving} runs before, and {@code arrived} after that.
   *
   * @param time it sleeps after this time without a request, and before twice as long
   */
  public Options withIdle(Duration time) {
    return new Options(queueBound, refuses, parallelism, restart, leavesAlong, keep, time);
  }
}
