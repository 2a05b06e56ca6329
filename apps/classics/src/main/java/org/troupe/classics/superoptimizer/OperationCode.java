package org.troupe.classics.superoptimizer;

/**
 * The operations of the machine, as on the 68000. X is the carry, which some operations read and
 * some set.
 */
enum OperationCode {
  MOVE,
  ADD,
  /** Adds X too. */
  ADDX,
  SUB,
  /** Subtracts X too. */
  SUBX,
  AND,
  OR,
  EOR,
  NEG,
  /** Subtracts the register and X from zero. */
  NEGX,
  NOT;

  /** Returns whether the operation reads only the register that it changes. */
  boolean isUnary() {
    return compareTo(NEG) >= 0;
  }
}
