package org.troupe.benchmarks.sides;

/** A replicated object that does as little as possible. */
class ReplicatedCounter {

  private int count;

  ReplicatedCounter() {}

  /** A read. */
  int count() {
    return count;
  }

  /** A write. */
  int add(int more) {
    count += more;
    return count;
  }
}
