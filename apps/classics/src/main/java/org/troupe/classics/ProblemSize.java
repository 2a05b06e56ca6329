package org.troupe.classics;

/**
 * How large a program's problem is, where its own options do not say; written as users write it.
 */
public enum ProblemSize {
  /** Seconds: does it work? */
  tiny,
  /** As in the paper that made the program known, or of the same ratio of work to messages. */
  paper,
  /** What today's machines need to sweat. */
  large
}
