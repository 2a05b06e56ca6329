package org.troupe.classics.superoptimizer;

/**
 * The operations of an instruction, as on the 68000: X is the carry that some take and some leave.
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
  /** What is left of zero after subtracting the register, and X. */
  NEGX,
  NOT;

  /** Says whether there is no other register than the one that changes. */
  boolean isUnary() {
    return compareTo(NEG) >= 0;
  }
}
