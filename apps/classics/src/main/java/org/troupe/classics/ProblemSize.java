package org.troupe.classics;

/**
 * The size of a program's problem, unless its own options set it. The constants are option values.
 */
enum ProblemSize {
  /** Takes seconds and shows that the program works. */
  tiny,
  /** The size of the paper that made the program known, or the same ratio of work to messages. */
  paper,
  /** A load for today's machines. */
  large
}
