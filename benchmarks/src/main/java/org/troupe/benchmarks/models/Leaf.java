package org.troupe.benchmarks.models;

/** The work of the leaves of a {@link LeafTree}. Travels with its jobs. */
interface Leaf {

  /** Does the work of one leaf. */
  long run(int index);
}
