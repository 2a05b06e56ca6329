package org.troupe.em3d.maxwell;

/**
 * How large a time step may be.
 *
 * <p>The energy that the scheme conserves stays positive, and with it the fields bounded, if for
 * every pair of cells i and k with a common face, {@code dt <= 4 sqrt(min(eps_i mu_k, eps_k mu_i)
 * (V_i/P_i)(V_k/P_k))}, where V is a cell's volume and P its surface; at a wall i and k are the
 * same cell. On the cube in Kuhn's split of edge h this is 0.27614 h, two thirds of the exact
 * limit.
 */
public final class StepBound {

  private StepBound() {}

  /** The bound that one face sets; widths are volume over surface of its two cells (m). */
  static double acrossFace(
      double width,
      double epsilon,
      double mu,
      double otherWidth,
      double otherEpsilon,
      double otherMu) {
    return 4 * Math.sqrt(Math.min(epsilon * otherMu, otherEpsilon * mu) * (width * otherWidth));
  }

  /**
   * Returns the time step for a Courant number.
   *
   * @param bound the smallest bound of all sub-domains (m)
   * @param cfl fraction of the bound to use, above 0 and at most 1; 0.9 is a good choice
   * @throws IllegalArgumentException if it is not
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
   * The same without an upper limit: on most meshes steps up to 1.5 to 2 times the bound are
   * stable, none above.
   */
  public static double unprovedStep(double bound, double cfl) {
    if (!(cfl > 0 && cfl < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "cfl %s gives no time step; use a number above 0 and at most 1".formatted(cfl));
    }
    return cfl * bound;
  }
}
