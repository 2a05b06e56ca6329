package org.troupe.benchmarks.sides;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A binary tree whose nodes carry four integers each, as in the papers. */
public final class BinaryTree implements Serializable {

  private static final long serialVersionUID = 1;

  /** The bytes of a node's integers. */
  public static final int PAYLOAD = 4 * Integer.BYTES;

  private final int a;
  private final int b;
  private final int c;
  private final int d;
  private final @Nullable BinaryTree left;
  private final @Nullable BinaryTree right;

  private BinaryTree(int value, @Nullable BinaryTree left, @Nullable BinaryTree right) {
    a = value;
    b = value + 1;
    c = value + 2;
    d = value + 3;
    this.left = left;
    this.right = right;
  }

  /**
   * Returns a balanced tree; {@code null} if it has no nodes.
   *
   * @param nodes the number of nodes, one less than a power of two
   */
  static @Nullable BinaryTree of(int nodes) {
    return nodes == 0 ? null : new BinaryTree(nodes, of(nodes / 2), of(nodes / 2));
  }

  int nodes() {
    return 1 + (left == null ? 0 : left.nodes()) + (right == null ? 0 : right.nodes());
  }

  /** Returns the sum of all integers. */
  long sum() {
    return (long) a
        + b
        + c
        + d
        + (left == null ? 0 : left.sum())
        + (right == null ? 0 : right.sum());
  }
}
