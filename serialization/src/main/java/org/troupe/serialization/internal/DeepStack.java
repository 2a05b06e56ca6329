package org.troupe.serialization.internal;

/** Goes on with a deep recursion where there is fresh stack: on a thread of its own. */
final class DeepStack {

  /*
   * A graph is walked by recursion, so its depth is bounded by the stack, of which a caller on a virtual or a pool
   * thread may have little. Past START levels, and every SPAN levels after that, the walk moves to a new platform
   * thread while the old one waits: one walk, one thread at a time, nothing else changes. A level takes a few
   * hundred bytes compiled, up to 2 KiB where hooks are interpreted; memory is only touched as it is used.
   */

  private static final int START = 250;
  private static final int SPAN = 30_000;
  private static final long STACK_BYTES = 2048L * SPAN;

  /** A part of a walk. */
  interface Walk<T> {
    T run() throws Throwable;
  }

  private DeepStack() {}

  /** Returns whether the walk must change threads on entering a depth. */
  static boolean isDue(int depth) {
    return depth % SPAN == START;
  }

  static <T> T call(Walk<T> walk) throws Throwable {
    var outcome =
        new Object() {
          T value;
          Throwable thrown;
        };
    Runnable body =
        () -> {
          try {
            outcome.value = walk.run();
          } catch (Throwable t) { // handed to the waiting thread, which rethrows it
            outcome.thrown = t;
          }
        };
    Thread thread = new Thread(null, body, "troupe-deep-graph", STACK_BYTES);
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) { // no thread, rather than no heap
      throw new Failure("the graph is too deep for this machine's memory; send it in parts", e);
    }
    joinUninterruptibly(thread);
    if (outcome.thrown != null) {
      throw outcome.thrown;
    }
    return outcome.value;
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
