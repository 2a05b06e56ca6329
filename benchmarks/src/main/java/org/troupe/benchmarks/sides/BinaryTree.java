package org.troupe.benchmarks.sides;

import java.io.Serializable;

/** A binary tree whose every node carries four integers, as in the papers. */
public final class BinaryTree implements Serializable {

  private static final long serialVersionUID = 1;

  /** What a node carries beside its references, in bytes. */
  public static final int PAYLOAD = 4 * Integer.BYTES;

  private final int a;
  private final int b;
  private final int c;
  private final int d;
  private final BinaryTree left;
  private final BinaryTree right;

  private BinaryTree(int value, BinaryTree left, BinaryTree right) {
    a = value;
    b = value + 1;
    c = value + 2;
    d = value + 3;
    this.left = left;
    this.right = right;
  }

  /** Returns a balanced tree of so many nodes, one less than a power of two; none for 0. */
  static BinaryTree of(int nodes) {
    return nodes == 0 ? null : new BinaryTree(nodes, of(nodes / 2), of(nodes / 2));
  }

  int nodes() {
    return 1 + (left == null ? 0 : left.nodes()) + (right == null ? 0 : right.nodes());
  }

  /** Returns the sum of all that it carries. */
  long sum() {
    return (long) a
        + b
        + c
        + d
        + (left == null ? 0 : left.sum())
        + (right == null ? 0 : right.sum());
  }
}
