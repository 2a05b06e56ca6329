package org.troupe.activeobjects.internal.replay;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Holds what leaves an object until everything that the object has taken before is stable. Output
 * leaves in the order in which it was made. Not thread-safe.
 *
 * <p>This is the output commit of pessimistic message logging, but the object itself does not wait
 * (E. N. Elnozahy et al., A survey of rollback-recovery protocols in message-passing systems, ACM
 * Computing Surveys 34(3), 2002, section 4.2).
 */
final class OutputCommit {

  private record Held(long required, Runnable output) {}

  private final Deque<Held> held = new ArrayDeque<>();
  private long required; // the position of the last input
  private long stable;
  private boolean isStopped;

  /** Records an input at a position of the log. */
  void taken(long position) {
    required = position;
  }

  /** Records that the log is stable up to a position, and lets output leave. */
  void stable(long position) {
    stable = Math.max(stable, position);
    while (!isStopped && !held.isEmpty() && held.getFirst().required() <= stable) {
      held.removeFirst().output().run();
    }
  }

  /** Lets output leave when all input until now is stable. */
  void leave(Runnable output) {
    if (isStopped) {
      return;
    }
    if (held.isEmpty() && required <= stable) {
      output.run();
    } else {
      held.add(new Held(required, output));
    }
  }

  /** Returns the position of the last input. */
  long required() {
    return required;
  }

  /** Returns whether all input until now is stable. */
  boolean isInputStable() {
    return required <= stable;
  }

  /** Drops all output for good. */
  void stop() {
    isStopped = true;
    held.clear();
  }

  boolean isEmpty() {
    return held.isEmpty();
  }
}
