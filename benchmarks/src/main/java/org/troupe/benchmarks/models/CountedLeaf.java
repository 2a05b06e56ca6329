package org.troupe.benchmarks.models;

/**
 * A leaf that waits, and whose beginnings are counted.
 *
 * @param file the file of the counts
 */
record CountedLeaf(String file) implements Leaf {

  private static final LeafLoad LOAD = LeafLoad.WAITING;

  int leaves() {
    return LOAD.leaves();
  }

  long total() {
    return LOAD.total();
  }

  LeafCounts counts() {
    return LeafCounts.of(file, leaves());
  }

  @Override
  public long run(int index) {
    counts().add(index);
    return LOAD.run(index);
  }
}
