package org.troupe.em3d.mesh;

/**
 * Kuhn's split of a cube into six tetrahedra, one for each order (p, q, r) in which a walk from the
 * lowest corner to the highest may take the axes.
 *
 * <p>The four vertices are the corners that the walk visits. The split is equal for all cubes of a
 * grid, and conforming.
 *
 * <p>H. Kuhn, Some combinatorial lemmas in topology, IBM J. Res. Dev. 4 (1960) 518-524.
 */
final class KuhnSplit {

  /** The axes (p, q, r) of the six walks. */
  static final int[][] WALKS = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};

  private static final int[] NUMBER = new int[9];

  static {
    for (int walk = 0; walk < 6; walk++) {
      NUMBER[3 * WALKS[walk][0] + WALKS[walk][1]] = walk;
    }
  }

  private KuhnSplit() {}

  /**
   * Returns the walk of the cell behind the face opposite a vertex (0 to 3): in the same cube for 1
   * and 2, in an adjacent cube for 0 and 3.
   */
  static int walkBehind(int walk, int vertex) {
    int p = WALKS[walk][0];
    int q = WALKS[walk][1];
    int r = WALKS[walk][2];
    return switch (vertex) {
      case 0 -> NUMBER[3 * q + r]; // in the next cube along p
      case 1 -> NUMBER[3 * q + p];
      case 2 -> NUMBER[3 * p + r];
      case 3 -> NUMBER[3 * r + p]; // in the previous cube along r
      default -> throw new IllegalArgumentException("a tetrahedron has no vertex " + vertex);
    };
  }
}
