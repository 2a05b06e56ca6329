package org.troupe.mpj.matching;

/** When a send completes, and whether it needs a posted receive. */
public enum SendMode {
  /** Completes when the array may be changed. */
  STANDARD,
  /** Completes when a receive has matched. */
  SYNCHRONOUS,
  /** Completes when a receive has matched, and fails if none is posted when it arrives. */
  READY
}
