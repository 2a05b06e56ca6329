package org.troupe.em3d.maxwell;

import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.physics.FieldKind;

/**
 * How much of the E of one moment is left in a sub-domain's E of a later one: {@code <E(0), E(t)>},
 * the integral of {@code eps E(0) . E(t)}.
 */
public final class FieldProjection {

  private final SubDomain subDomain;
  private final double[] weighted;

  /** Keeps the sub-domain's present E. */
  public FieldProjection(SubDomain subDomain) {
    this.subDomain = subDomain;
    weighted = subDomain.weightedE();
  }

  /** Adds this sub-domain's share for its present E. */
  public void addTo(CompensatedSum sum) {
    double[] e = subDomain.values(FieldKind.E);
    for (int k = 0; k < weighted.length; k++) {
      sum.add(weighted[k] * e[k]);
    }
  }
}
