package org.troupe.classics;

/**
 * A way to an answer, to be timed: the sequential one, or that by active objects.
 *
 * @param <R> the answer
 */
public interface Version<R> {

  /** Begins anew; not timed. */
  void prepare();

  /** The work; returns when all of it is done. */
  void run();

  /** Returns what came out, and leaves nothing behind; not timed. */
  R result();
}
