package org.troupe.em3d.maxwell;

import org.troupe.em3d.physics.Medium;

/**
 * The stability bound of the time step.
 *
 * <p>The scheme is stable, as its conserved energy stays positive and so bounds the fields, if for
 * every pair of cells i and k with a common face, {@code dt <= 4 sqrt(min(eps_i mu_k, eps_k mu_i)
 * (V_i/P_i)(V_k/P_k))}, where V is a cell's volume and P its surface; at a wall i and k are the
 * same cell. On the cube in Kuhn's split of edge h this is 0.27614 h, two thirds of the exact
 * limit.
 *
 * <p>For linear functions the bound is {@code dt <= 4 sqrt(min(eps_i mu_i, eps_i mu_k, eps_k mu_i))
 * W_i} for both cells of every face, with {@code 1/W = 1/3 (4p + sqrt(p^2 + (sqrt(20 q - 5 p^2) +
 * sqrt(20 q))^2))}, where p and q are the sums of the areas of the cell's faces over its volume,
 * and of their squares. On the cube in Kuhn's split that is 0.1212 h.
 */
public final class StepBound {

  /*
   * Proof for linear functions, which follows [1] with constants that are exact for each cell. The energy is
   * 1/2 (sum of eps |E|^2 + mu |H|^2) - dt/2 b(E, H) with norms in L2 of the cells, where b is
   *
   *   sum over cells of 1/2 (<H, curl E> + <E, curl H>)  +  over faces, from both sides, of 1/2 <H_i, n x E_k>
   *
   * A term of a face is at most 1/4 (mu_i |H_i|^2 + eps_k |E_k|^2) / sqrt(mu_i eps_k), the norms those on the face. So the
   * energy is positive if in each cell, with s the largest 1/sqrt(eps mu) among the products that occur there, for F in
   * place of sqrt(eps) E and G in place of sqrt(mu) H,
   *
   *   dt s (|<F, curl G> + <G, curl F>| + 1/2 (|F|^2 + |G|^2 on its faces))  <=  2 (|F|^2 + |G|^2)
   *
   * Let f0 and f1 be the L2 norms of the mean of F and of the rest. A curl is constant: <G, curl F> <= c g0 f1, where
   * c^2 = 20 q/9, as grad lambda = -N/3V and |f1|^2 = V/20 times the sum over the vertices. On the faces |F|^2 is at most
   * p f0^2 + 2 k f0 f1 + 5/3 p f1^2, with k^2 = (20 q - 5 p^2)/9: the faces' mass matrices add up to
   * (1 + 1 1^T - 1 a^T - a 1^T) p V/12, where a is the vector of the areas' shares. The largest eigenvalue of
   * [p, k + c; k + c, 5/3 p] is 1/W. At a wall i and k are the same cell.
   *
   * [1] L. Fezoui, S. Lanteri, S. Lohrengel, S. Piperno, M2AN 39 (2005) 1149-1176.
   */

  private StepBound() {}

  /**
   * Returns the bound (m) that one face sets.
   *
   * @param width the width (m) of the cell in front of the face: volume over surface for constants,
   *     {@link #linearWidth} for linear functions
   */
  static double acrossFace(
      PolynomialOrder order,
      double width,
      Medium medium,
      double otherWidth,
      double otherEpsilon,
      double otherMu) {
    double epsilon = medium.epsilon();
    double mu = medium.mu();
    double across = Math.min(epsilon * otherMu, otherEpsilon * mu);
    return switch (order) {
      case CONSTANT -> 4 * Math.sqrt(across * (width * otherWidth));
      case LINEAR ->
          4
              * Math.min(
                  width * Math.sqrt(Math.min(epsilon * mu, across)),
                  otherWidth * Math.sqrt(Math.min(otherEpsilon * otherMu, across)));
    };
  }

  /**
   * Returns the width W (m) of a cell that limits the time step of linear functions.
   *
   * @param areas area over volume of its four faces, 1/m
   */
  static double linearWidth(double[] areas) {
    double p = 0;
    double q = 0;
    for (double area : areas) {
      p += area;
      q += area * area;
    }
    double coupled = Math.sqrt(Math.max(0, 20 * q - 5 * p * p)) + Math.sqrt(20 * q);
    return 3 / (4 * p + Math.sqrt(p * p + coupled * coupled));
  }

  /**
   * Returns the width (m) of a cell that limits the time step.
   *
   * @param areas area over volume of its four faces, 1/m
   */
  public static double width(PolynomialOrder order, double[] areas) {
    return switch (order) {
      case CONSTANT -> 1 / (areas[0] + areas[1] + areas[2] + areas[3]);
      case LINEAR -> linearWidth(areas);
    };
  }

  /** Returns the bound (m) that a face between two cells sets. */
  public static double between(
      PolynomialOrder order, double width, Medium medium, double otherWidth, Medium other) {
    return acrossFace(order, width, medium, otherWidth, other.epsilon(), other.mu());
  }

  /**
   * Returns the time step for a Courant number.
   *
   * @param bound the smallest bound of all sub-domains (m)
   * @param cfl fraction of the bound to use, above 0 and at most 1; 0.9 is a good choice
   * @throws IllegalArgumentException if cfl is outside that range
   */
  public static double step(double bound, double cfl) {
    if (cfl > 1) {
      throw new IllegalArgumentException(
          ("cfl %s is above 1, where stability is not proved (the bound is a step of %s m); use at"
                  + " most 1, or ask for an unproved step")
              .formatted(cfl, bound));
    }
    return unprovedStep(bound, cfl);
  }

  /**
   * Returns the time step for a Courant number without an upper limit. On most meshes, steps up to
   * 1.5 to 2 times the bound are stable, and none above.
   */
  public static double unprovedStep(double bound, double cfl) {
    if (!(cfl > 0 && cfl < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "cfl %s gives no time step; use a number above 0 and at most 1".formatted(cfl));
    }
    return cfl * bound;
  }
}
