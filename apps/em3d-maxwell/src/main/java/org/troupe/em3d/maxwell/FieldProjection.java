package org.troupe.em3d.maxwell;

import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.physics.FieldKind;

/**
 * The projection of a sub-domain's E on its E at an earlier time: {@code <E(0), E(t)>}, the
 * integral of {@code eps E(0) . E(t)}.
 */
final class FieldProjection {

  private final SubDomain subDomain;
  private final double[] weighted;

  /** Takes the sub-domain's present E as E(0). */
  FieldProjection(SubDomain subDomain) {
    this.subDomain = subDomain;
    weighted = subDomain.weightedE();
  }

  /** Adds this sub-domain's part of the integral, with its present E as E(t). */
  void addTo(CompensatedSum sum) {
    double[] e = subDomain.values(FieldKind.E);
    for (int k = 0; k < weighted.length; k++) {
      sum.add(weighted[k] * e[k]);
    }
  }
}
