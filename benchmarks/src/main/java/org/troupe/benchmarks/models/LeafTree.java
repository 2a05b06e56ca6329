package org.troupe.benchmarks.models;

import org.troupe.tasks.LongJob;

/** A binary tree of jobs over a range of leaves; its result is the sum of theirs. */
final class LeafTree extends LongJob {

  private final Leaf leaf;
  private final int from;
  private final int to;

  /** Creates a tree of at least one leaf. */
  LeafTree(Leaf leaf, int from, int to) {
    this.leaf = leaf;
    this.from = from;
    this.to = to;
  }

  @Override
  protected long compute() {
    if (to - from == 1) {
      return leaf.run(from);
    }
    var middle = (from + to) >>> 1;
    var right = fork(new LeafTree(leaf, middle, to));
    var left = new LeafTree(leaf, from, middle).compute();
    sync();
    return left + right.result();
  }
}
