package org.troupe.em3d.maxwell;

/**
 * What a cell is filled with.
 *
 * @param epsilon relative permittivity, positive
 * @param mu relative permeability, positive
 */
public record Medium(double epsilon, double mu) {

  /** Nothing. */
  public static final Medium VACUUM = new Medium(1, 1);

  /** Refuses values that are not finite and positive. */
  public Medium {
    if (!(epsilon > 0
        && mu > 0
        && epsilon < Double.POSITIVE_INFINITY
        && mu < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "no medium has permittivity %s and permeability %s; both must be positive and finite"
              .formatted(epsilon, mu));
    }
  }
}
